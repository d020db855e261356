"""What is told about files, pandoc, printing and the machine."""

from __future__ import annotations

from scidraft.messages.message import Message


def from_pandoc(text: str) -> Message:
    """A warning of pandoc's."""
    return Message(f"pandoc says: {text}")


def pandoc_failed(reason: str) -> Message:
    """pandoc could not read or write the note."""
    return Message(f"pandoc gives up: {reason}", "error")


def system_error(error: OSError) -> Message:
    """The system refuses to read or write a file, or to start a program."""
    name = f"{error.filename}: " if error.filename else ""
    return Message(f"{name}{error.strerror or error}", "error")


def missing_picture(name: str) -> Message:
    """A picture that is not where the note says."""
    return Message(f"picture `{name}` is not there; names are looked up beside the note")


def unusable_picture(name: str, reason: str) -> Message:
    """A picture that LaTeX cannot take and that could not be turned into one that it can."""
    return Message(f"picture `{name}` cannot be converted for LaTeX: {reason}")


def from_printing(text: str) -> Message:
    """A warning of WeasyPrint's."""
    return Message(f"WeasyPrint says: {text}")


def not_in_standard(standard: str, fault: str) -> Message:
    """Something in a PDF that its standard does not allow."""
    return Message(f"the PDF does not follow {standard.upper()}: {fault}")


def no_libraries(command: str) -> Message:
    """WeasyPrint's system libraries are missing."""
    return Message(f"PDF needs system libraries: {command}", "error")


def died() -> Message:
    """The process that built a note is gone."""
    return Message("the process that built this note died (too little memory?); nothing was written", "error")


def unexpected(error: BaseException) -> Message:
    """A fault of scidraft's own."""
    reason = f"{type(error).__name__}: {error}".rstrip(": ").splitlines()[0]
    return Message(f"this is a fault in scidraft ({reason}); SCIDRAFT_DEBUG=1 in the environment shows where", "error")


def side_notes_too_long(page: int) -> Message:
    """More notes beside a page than it is high."""
    return Message(f"the notes beside page {page} are longer than the page: shorten them, or move one to another paragraph")
