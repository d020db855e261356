"""Keeps what the engines drew on disk, by content, so that the second build draws nothing."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import weakref
from contextlib import closing, suppress
from pathlib import Path

_BATCH = 500
_TABLE = "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, sum INTEGER, text TEXT) WITHOUT ROWID"
_PATIENCE = 10.0  # seconds to wait for another process that writes


def directory() -> Path | None:
    """Where the cache is: SCIDRAFT_CACHE ("off": none), else scidraft in XDG_CACHE_HOME, else in ~/.cache."""
    chosen = os.environ.get("SCIDRAFT_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # no home
        return (Path(base) if base else Path.home() / ".cache") / "scidraft"
    return None


def key(*parts: object) -> str:
    """A key from everything the picture depends on: versions, settings, source."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        text = repr(part).encode()
        digest.update(b"%d:" % len(text) + text)
    return digest.hexdigest()


class Cache:
    """A table of texts by key in one SQLite file, shared by processes.

    Many small pictures in one file are read ten times as fast as a file each. A cache is a convenience: if the disk is
    full, read-only or the file broken, `get` finds nothing and `put` keeps the text for this process only.
    """

    def __init__(self, name: str, where: Path | None = None) -> None:
        """Open `name`.sqlite in `where` (default: `directory()`) at the first use, not now."""
        folder = where or directory()
        self._path = folder / f"{name}.sqlite" if folder else None
        self._texts: dict[str, str] = {}
        self._unsaved: dict[str, str] = {}
        self._database: sqlite3.Connection | None = None
        self._process = os.getpid()

    def get(self, key: str) -> str | None:
        """The text under `key`, or None. A text whose checksum is wrong counts as absent."""
        if key in self._texts:
            return self._texts[key]
        try:
            database = self._open()
            row = database.execute("SELECT sum, text FROM entry WHERE key = ?", (key,)).fetchone() if database else None
        except sqlite3.Error:
            self._give_up()
            return None
        if row is None or not isinstance(row[1], str) or row[0] != _checksum(row[1]):
            return None
        self._texts[key] = row[1]
        return row[1]

    def put(self, key: str, text: str) -> None:
        """Keep `text` under `key`; it reaches the disk with the next `save`."""
        self._texts[key] = self._unsaved[key] = text
        if len(self._unsaved) >= _BATCH:
            self.save()

    def save(self) -> None:
        """Write all new entries in one transaction."""
        if not self._unsaved:
            return
        rows = [(key, _checksum(text), text) for key, text in self._unsaved.items()]
        self._unsaved.clear()
        try:
            if database := self._open():
                with database:
                    database.executemany("INSERT OR REPLACE INTO entry (key, sum, text) VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, UnicodeEncodeError):
            self._give_up()

    def close(self) -> None:
        """Save, and let go of the file."""
        self.save()
        if self._database:
            self._database.close()
            self._database = None

    def _open(self) -> sqlite3.Connection | None:
        if self._process != os.getpid():  # a connection must not be used on both sides of a fork
            self._database, self._process = None, os.getpid()
        if self._database is None and self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._database = _connect(self._path)
                # Whoever forgets to close a cache is not punished with an open file at the end.
                weakref.finalize(self, self._database.close)
            except (OSError, sqlite3.OperationalError):
                self._path = None
            except sqlite3.DatabaseError:  # not a database: begin a new one
                self._database = self._begin_anew(self._path)
        return self._database

    def _begin_anew(self, path: Path) -> sqlite3.Connection | None:
        try:
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            return _connect(path)
        except (OSError, sqlite3.Error):
            self._path = None
            return None

    def _give_up(self) -> None:
        """Go on without the disk; a broken file is removed for the next time."""
        path, self._path = self._path, None
        if self._database:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None
        if path:
            with suppress(sqlite3.Error, OSError):
                if not _is_sound(path):
                    path.unlink(missing_ok=True)


def _checksum(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(_TABLE)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False
