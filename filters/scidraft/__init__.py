"""scidraft: theorem-like statements, maths and diagrams in pandoc notes, with the same numbers in every output."""

__version__ = "0.1.0"
