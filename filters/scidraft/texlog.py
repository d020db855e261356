"""Reads TeX's log: its first real error in the author's terms, letters no font has, and labels nobody set.

TeX tells the line of the LaTeX file, which authors do not know. The words it had just read are looked for in the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scidraft import messages
from scidraft.formats.spelling import label
from scidraft.messages import Message

_BRACES = "a brace {{ or }} is missing or too many"
#: What TeX says, and what it means to somebody who wrote Markdown: {0}, {1} are the parts of what TeX says.
_MEANINGS = (
    (r"Undefined control sequence", "{command} is not defined; define it with \\newcommand or under `macros:` in the metadata"),
    (r"Missing \$ inserted", "{command} belongs into a formula, or a formula does not end"),
    (r"Display math should end with \$\$|.*Bad math environment delimiter", "a formula ends in another way than it began"),
    (r"(?:Missing|Extra) [{}]|Too many }|Argument of .* has an extra }|Paragraph ended before|File ended while|Runaway", _BRACES),
    (r"(?:Missing|Extra) \\(?:left|right)|Missing delimiter", "\\left and \\right do not match, or one has no bracket after it"),
    (r"Double (super|sub)script", "two {0}scripts follow each other: put braces round one"),
    (r"LaTeX Error: Environment (\S+) undefined", "the environment `{0}` is not defined"),
    (r"LaTeX Error: \\begin\{(.+?)\}.* ended by \\end\{(.+?)\}", "the environment `{0}` is ended as `{1}`"),
    (r"LaTeX Error: File `(.+?)\.sty' not found", "the LaTeX package `{0}` is not installed"),
    (r"LaTeX Error: File `(.+?)' not found", "the file `{0}` is not there"),
    (r"Package fontspec Error: The font \"(.+?)\" cannot be", "the font `{0}` is not installed"),
    (r"LaTeX Error: Command (\S+) already defined", "`{0}` is defined already: give yours another name"),
    (r"Extra alignment tab|Misplaced alignment tab", "a column sign & stands where there is no further column"),
    (r"TeX capacity exceeded.*grouping levels", "braces or environments are nested too deeply"),
    (r"TeX capacity exceeded", "TeX runs out of memory: a macro calls itself, or a picture is too large"),
)
_ERROR = re.compile(r"^(?:! |(?P<file>[^:\n]+?):(?P<line>\d+): )(?P<text>.+)$", re.MULTILINE)
_CONTEXT = re.compile(r"^l\.(?P<line>\d+) ?(?P<before>.*)$", re.MULTILINE)
_NO_LETTER = re.compile(r"^Missing character: There is no (?P<letter>.+?)(?: \((?P<code>U\+\w+|\"\w+)\))? in font ", re.MULTILINE)
_NOT_SET_UP = re.compile(r"LaTeX Error: Unicode character (?P<letter>.+?) \(U\+(?P<code>\w+)\)")
_NO_LABEL = re.compile(r"Warning: (?P<what>Reference|Citation|Label) [`'](?P<key>[^']+)' .*?(?P<why>undefined|multiply defined)")
_TOKEN = re.compile(r"\\?\w+")
#: How many words of the place of an error are compared.
_WORDS = 12


@dataclass(frozen=True)
class Fault:
    """An error as TeX tells it: its words, the file and line, what of that line it had read, and the command it stumbled at."""

    text: str
    file: str
    line: int
    before: str
    command: str


def faults(log: str, tex: str, source: str, name: str, engine: str) -> list[Message]:
    """What is wrong: the first error, else the letters that are missing and the labels that are unknown.

    `log` is of the last run of `engine` over the file `name` with the text `tex`, which was made from the note `source`.
    """
    fault = first_error(log, name)
    if fault is not None:
        unknown = _NOT_SET_UP.match(fault.text)
        if unknown:
            return [_missing({chr(int(unknown["code"], 16)): None}, source, engine)]
        line = trace(fault, tex, source) if fault.file == name else None
        file = "" if fault.file == name else fault.file
        return [messages.latex.latex_error(explain(fault), line, file, near=_near(fault) if fault.file == name else "")]
    found = [_missing(letters, source, engine)] if (letters := dict.fromkeys(_letters(log))) else []
    for match in _NO_LABEL.finditer(log):
        where = _line_of(source, match["key"])
        identifier, line = where or (match["key"], None)
        found.append(messages.latex.latex_label(match["what"].lower(), identifier, line, twice=match["why"] != "undefined"))
    return list(dict.fromkeys(found))


def first_error(log: str, name: str = "note.tex") -> Fault | None:
    """The first error in a log; `name` is the file it is in when TeX does not say."""
    match = _ERROR.search(log)
    while match and match["text"].startswith((" ==>", "==>")):
        match = _ERROR.search(log, match.end())
    if match is None:
        return None
    context = _CONTEXT.search(log, match.end())
    # Before the line itself come those of the macros and arguments TeX is in; it stopped at the end of the first one.
    inner = log[match.end() :].lstrip("\n").split("\n", 1)[0]
    if context and inner.startswith("<inserted text>"):
        inner = context["before"]
    stopped = re.search(r"(\\[A-Za-z@]+\*?|\\.|[&$_^#{}])\s*$", inner)
    file = (match["file"] or name).removeprefix("./")
    line = int(match["line"] or (context["line"] if context else 0))
    before = (context["before"] if context else "").rpartition("...")[2]
    return Fault(match["text"].strip(), file, line, before, stopped[1] if stopped else "")


def explain(fault: Fault) -> str:
    """An error in the author's terms; in LaTeX's own where they are as good or there are none of ours."""
    for pattern, meaning in _MEANINGS:
        match = re.match(pattern, fault.text)
        if match:
            return meaning.format(*match.groups(), command=f"`{fault.command}`" if fault.command else "something")
    return "LaTeX says: " + fault.text.removeprefix("LaTeX Error: ").rstrip(".")


def trace(fault: Fault, tex: str, source: str) -> int | None:
    """The line of the note that an error comes from, or None.

    A command that stands in one line only is there. Else the words before the error are looked for, as many as it takes;
    when they are in several places, those after the nearest label count.
    """
    lines = source.splitlines()
    if fault.command.startswith("\\"):
        whole = re.compile(re.escape(fault.command) + r"(?![A-Za-z])")
        using = [number for number, text in enumerate(lines, 1) if whole.search(text)]
        if len(using) == 1:
            return using[0]
    read = "\n".join([*tex.splitlines()[: max(fault.line - 1, 0)], fault.before])
    from_line = next((where[1] for key in reversed(_labels(read)) if (where := _line_of(source, key, targets_only=True))), None)
    words = [(word[0], number) for number, text in enumerate(lines, 1) for word in _TOKEN.finditer(text)]
    known = {word for word, _ in words}
    tail = [word[0] for word in _TOKEN.finditer(read[-2000:]) if word[0] in known][-_WORDS:]
    places = [place for place, (word, _) in enumerate(words) if tail and word == tail[-1]]
    for length in range(2, len(tail) + 1):
        longer = [place for place in places if place >= length - 1 and words[place - length + 1][0] == tail[-length]]
        if not longer:
            break
        places = longer
    after = [place for place in places if from_line and words[place][1] >= from_line]
    if len(places) == 1 or (after and len(after) < len(places)):
        return words[(after or places)[0]][1]
    return from_line


def _near(fault: Fault) -> str:
    """The last words TeX had read, for an author who has to look for the place."""
    words = fault.before.strip()
    return words if len(words) <= 40 else "…" + words[-40:].lstrip()


def _letters(log: str) -> Iterator[str]:
    """The letters that no font of the file has, in the order of the log."""
    for match in _NO_LETTER.finditer(log):
        letter, code = match["letter"], match["code"]
        if code:
            letter = chr(int(code.lstrip('U+"'), 16))
        if letter.startswith("^^"):
            # pdfTeX names a place in an 8-bit font, which need not be a letter the author wrote.
            letter = f"{letter} (a place in a font)"
        yield letter


def _missing(letters: dict[str, None], source: str, engine: str) -> Message:
    lines = source.splitlines()
    where = [next((number for number, text in enumerate(lines, 1) if letter in text), None) for letter in letters]
    return messages.latex.missing_letters(list(zip(letters, where, strict=True)), engine)


def _labels(tex: str) -> list[str]:
    return re.findall(r"\\label\{([^{}]+)\}", tex)


def _line_of(source: str, key: str, *, targets_only: bool = False) -> tuple[str, int] | None:
    """The id that is spelt `key` in LaTeX and the line of the note it is in: where it is set, or used."""
    setting = r"\{[^{}]*?#([^\s{}=]+)|\\label\{([^{}]+)\}"
    using = r"|@\{?([\w:.#$%&+?<>~/-]+)|\\\w*(?:ref|cite)\w*\*?\{([^{}]+)\}"
    for number, text in enumerate(source.splitlines(), 1):
        for match in re.finditer(setting if targets_only else setting + using, text):
            identifier = next(group for group in match.groups() if group)
            if label(identifier) == key or label(identifier.rstrip(".:,;!?")) == key:
                return identifier.rstrip(".:,;!?"), number
    return None
