"""Lets `python -m scidraft` do what the command `scidraft` does."""

import sys

from scidraft.cli import main

sys.exit(main())
