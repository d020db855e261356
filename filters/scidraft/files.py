"""Writes files whole or not at all, and tells one content from another."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def digest(content: bytes) -> str:
    """A short name of some content: other content, other name."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def digest_of(path: Path) -> str:
    """`digest` of a file's content; "" when it cannot be read."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return ""


def write_atomically(path: Path, content: bytes) -> bool:
    """Write a file so that nobody ever sees half of it, also when two processes write it; make its folder.

    A file that has this content already is left alone, its date too. Returns whether it was written. Raises OSError.
    """
    try:
        if path.read_bytes() == content:
            return False
    except OSError:
        path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp keeps others out; a page is for everyone the author's umask lets in.
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return True
