"""Statements in other spellings, as fenced divs in the canonical one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scidraft.dialects.bookdown import chunk_options
from scidraft.dialects.heads import Heads
from scidraft.rewrite.source import FENCE, Attributes, Edit, Plain, read_attributes, tokens
from scidraft.settings import Settings

_TITLES = ("name", "info")
_HEAD = re.compile(
    r"(?P<name>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*){0,2}?)(?:[ \u00a0](?P<number>\d+(?:\.\d+)*[a-z]?))?"
    r"(?: \((?P<title>(?:[^()\n]|\([^()\n]*\))*)\))?(?P<stop>\.?)"
)
_ID_AFTER = r"(?:\{\#(?P<id>[^\s{}]+)\}|\\label\{(?P<label>[^{}]+)\})"
_TERM = re.compile(rf"(?P<bold>\*\*)?(?P<head>[^\n:~{{}}\\*]+?)(?(bold)\*\*)(?P<dot>\.?)[ \t]*{_ID_AFTER}?[ \t]*")
_DEFINITION = re.compile(r"[:~](?P<gap>[ \t]+)(?P<text>.*)")
_INFO = re.compile(r"\((?P<title>(?:[^()\n]|\([^()\n]*\))+)\)\.?[ \t]*(?P<rest>[^\n]*)")
_BOLD = re.compile(r"\*\*(?P<head>[^*\n]+?)(?P<inner>\.?)\*\*(?P<outer>[.:：]?)[ \t]+(?P<rest>\S[^\n]*)")
_CHUNK = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<kind>[a-z]+)(?P<options>[\s,][^{}\n]*)?\}[ \t]*\n(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_CHUNK_OF_TEXT = re.compile(r"^[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*", re.MULTILINE)
_END_MARK = re.compile(r"[ \t\u00a0]*(?:\$\\(?:blacksquare|square|Box|qed(?:symbol)?)\s*\$|\\qed\b|[□∎■◻])\s*$")
#: Options that only say what becomes of the code of a chunk.
_KNITR = {"echo", "eval", "include", "results", "message", "warning", "cache"}
_ENVIRONMENT = re.compile(r"^[ \t]*\\begin\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}", re.MULTILINE)
_EDGE = re.compile(
    r"\n?[ \t]*\\(?P<edge>begin|end)\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}"
    r"(?P<title>\[[^\[\]\n]*\])?\s*(?:\\label\{(?P<id>[^{}]+)\})?\s*"
)


def edits(text: str, settings: Settings) -> Iterator[Edit]:
    """The changes that make the statements of `text` canonical; none of them overlap."""
    heads = Heads(settings)
    plain = Plain(text)
    taken: list[tuple[int, int]] = []
    for edit in (
        *_fences(text, settings, heads, plain),
        *_definition_lists(text, heads, plain),
        *_environments(text, settings, plain),
        *_paragraphs(text, heads, plain),
    ):
        if all(edit.end <= start or edit.start >= end for start, end in taken):
            taken.append((edit.start, edit.end))
            yield edit


def chunks(text: str, settings: Settings) -> Iterator[Edit]:
    """bookdown's old code chunks; pandoc cannot read those of several paragraphs."""
    code = {token.start for token in tokens(text) if token.kind == "code"}
    for match in _CHUNK.finditer(text):
        if match.start() not in code:
            continue
        kind = settings.kind_of(match["kind"])
        if kind is None:
            continue
        options, label = chunk_options(match["options"] or "")
        attributes = Attributes(label, [kind.name], [])
        if options.get("name"):
            attributes.set("title", options.pop("name"))
        for key in options.keys() - _KNITR:
            attributes.set(key.replace(".", "-"), options[key])
        yield Edit(match.start(), match.end(), f"::: {attributes}\n{match['body'].rstrip()}\n:::")


# Fenced divs


def _fences(text: str, settings: Settings, heads: Heads, plain: Plain) -> Iterator[Edit]:
    for match in FENCE.finditer(text):
        attributes = read_attributes(match["rest"]) if match["rest"] and match.start() in plain else None
        if attributes is None:
            continue
        kind = next((kind for name in attributes.classes if (kind := settings.kind_of(name))), None)
        named = kind or settings.kind_of_id(attributes.identifier)
        if named is None:
            continue
        before = str(attributes)
        if kind:
            attributes.classes = [named.name if settings.kind_of(name) is named else name for name in attributes.classes]
        else:
            attributes.classes.insert(0, named.name)
        has_title = any(key == "title" for key, _ in attributes.pairs)
        for index, (key, value) in enumerate(attributes.pairs):
            if key in _TITLES and not has_title:
                attributes.pairs[index] = ("title", value)
                has_title = True
        end = match.end()
        if not has_title:
            end = _take_first_words(text, match.end(), attributes, heads, named.name)
        if str(attributes) == before and end == match.end():
            continue
        yield Edit(match.start(), end, f"{match['indent']}{match['colons']} {attributes}" + ("\n" if end > match.end() else ""))


def _take_first_words(text: str, end: int, attributes: Attributes, heads: Heads, kind: str) -> int:
    """Make a title of `(info)` or `**Theorem 1.1 (Info).**` at the beginning of a div; returns where the rest begins."""
    start = end + 1
    bold = _BOLD.match(text, start)
    if bold and (bold["inner"] or bold["outer"]):
        head = _HEAD.fullmatch(bold["head"])
        named = heads.kind(head["name"]) if head else None
        if head and named and named.name == kind:
            if head["number"]:
                attributes.set("number", head["number"])
            if head["title"]:
                attributes.set("title", head["title"])
            return bold.start("rest")
        attributes.set("label", bold["head"])
        return bold.start("rest")
    info = _INFO.match(text, start)
    if info and info["rest"]:
        attributes.set("title", info["title"])
        return info.start("rest")
    return end


# Definition lists


def _definition_lists(text: str, heads: Heads, plain: Plain) -> Iterator[Edit]:
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    index = 0
    while index < len(lines):
        term = _TERM.fullmatch(lines[index].rstrip("\n")) if starts[index] in plain else None
        first = index + 1
        while first < len(lines) and not lines[first].strip() and first < index + 2:
            first += 1
        head = _HEAD.fullmatch(term["head"].strip() + term["dot"]) if term else None
        kind = heads.kind(head["name"]) if head else None
        if not (term and head and kind and first < len(lines) and _DEFINITION.match(lines[first])):
            index += 1
            continue
        body, end = _definitions(lines, first)
        attributes = Attributes(term["id"] or term["label"] or "", [kind.name], [])
        if head["number"]:
            attributes.set("number", head["number"])
        if head["title"]:
            attributes.set("title", head["title"])
        before = "\n" if index and lines[index - 1].strip() else ""
        after = "\n" if end < len(lines) and lines[end - 1].strip() else ""
        yield Edit(starts[index], starts[end], f"{before}::: {attributes}\n{body}\n:::\n{after}" + _blank_tail(lines, end))
        index = end


def _blank_tail(lines: list[str], end: int) -> str:
    """The blank lines between the definition and what follows."""
    tail = ""
    while end and not lines[end - 1].strip():
        tail += "\n"
        end -= 1
    return tail


def _definitions(lines: list[str], first: int) -> tuple[str, int]:
    """The text of the definitions that begin at line `first`, without their indentation, and the line after them."""
    body: list[str] = []
    index = first
    width = 4
    while index < len(lines):
        line = lines[index].rstrip("\n")
        start = _DEFINITION.match(line)
        blank = index > first and not lines[index - 1].strip()
        if start:
            gap = start["gap"].expandtabs(4)
            width = 1 + len(gap)
            text = start["text"] if len(gap) < 5 else gap[3:] + start["text"]
            body += ["", text] if body and body[-1] else [text]
        elif not line.strip():
            body.append("")
        elif line.startswith((" ", "\t")):
            expanded = line.expandtabs(4)
            lead = len(expanded) - len(expanded.lstrip())
            body.append(expanded[min(lead, max(width, 4) if lead >= 4 else width) :])
        elif blank:
            break
        else:
            body.append(line)
        index += 1
    return "\n".join(body).rstrip("\n"), index


# Bold heads


def _paragraphs(text: str, heads: Heads, plain: Plain) -> Iterator[Edit]:
    """`**Identity (Woodbury).** Let …` and what completes its last sentence."""
    chunks = list(_CHUNK_OF_TEXT.finditer(text))
    index = 0
    while index < len(chunks):
        bold = _BOLD.match(chunks[index][0])
        head = _HEAD.fullmatch(bold["head"]) if bold else None
        kind = heads.kind(head["name"]) if head else None
        stopped = bold and (bold["inner"] or bold["outer"] == "." or (bold["outer"] and kind and kind.style == "proof"))
        if not (bold and head and kind and stopped and chunks[index].start() in plain):
            index += 1
            continue
        boundary = index + 1
        while boundary < len(chunks) and not _is_boundary(chunks[boundary][0], heads):
            boundary += 1
        end = index + 1
        while end < boundary and _goes_on(chunks[end - 1][0], chunks[end][0]):
            end += 1
        attributes = Attributes("", [kind.name], [])
        body = text[chunks[index].start() + bold.start("rest") : chunks[end - 1].end()]
        if kind.style == "proof":
            marked = next((place for place in range(index, boundary) if _END_MARK.search(chunks[place][0])), None)
            if marked is not None:
                end = marked + 1
                body = _END_MARK.sub("", text[chunks[index].start() + bold.start("rest") : chunks[marked].end()])
            elif end < boundary:
                attributes.classes.append("noqed")
        if head["number"]:
            attributes.set("number", head["number"])
        if head["title"]:
            attributes.set("title", head["title"])
        yield Edit(chunks[index].start(), chunks[end - 1].end(), f"::: {attributes}\n{body}\n:::")
        index = end


def _is_boundary(chunk: str, heads: Heads) -> bool:
    bold = _BOLD.match(chunk)
    head = _HEAD.fullmatch(bold["head"]) if bold else None
    return chunk.startswith(("#", ":::", "---", "***")) or bool(head and heads.kind(head["name"]))


def _goes_on(chunk: str, following: str) -> bool:
    """Whether a sentence of `chunk` ends only in what follows."""
    if following[:1].islower():
        return True
    last = chunk.rstrip()
    if last.endswith("$$"):
        return last.removesuffix("$$").rstrip().endswith((",", ";", ":"))
    return not re.match(r"(?:[-*+]|\(?\w+[.)])\s|`{3}|~{3}", chunk) and re.search(r"[.!?…。！？][”’\"')\]*_]*$", last) is None


# LaTeX


def _environments(text: str, settings: Settings, plain: Plain) -> Iterator[Edit]:
    end = 0
    for match in _ENVIRONMENT.finditer(text):
        if match.start() < end or match.start() not in plain or not settings.kind_of(match["name"]):
            continue
        depth = 0
        parts: list[str] = []
        place = match.start()
        for edge in _EDGE.finditer(text, match.start()):
            kind = settings.kind_of(edge["name"])
            if kind is None:
                continue
            parts.append(text[place : edge.start()])
            place = edge.end()
            if edge["edge"] == "begin":
                depth += 1
                attributes = Attributes(edge["id"] or "", [kind.name, *(["unnumbered"] if edge["star"] else [])], [])
                if edge["title"]:
                    title = edge["title"][1:-1].strip()
                    title = title[1:-1] if title.startswith("{") and title.endswith("}") else title
                    title = re.sub(r"\\(?:eq)?ref\{([^{}]+)\}", r"[-@\1]", title).replace("~", "\u00a0")
                    attributes.set("title", _markdown(title))
                parts.append(f"\n\n::: {attributes}\n" if depth > 1 else f"::: {attributes}\n")
            else:
                depth -= 1
                parts.append("\n:::\n\n" if depth else "\n:::")
            if depth == 0:
                end = edge.end()
                tail = text[text.rindex("}", edge.start(), edge.end()) + 1 : end]
                # A fence needs a blank line before it, and text after it one too.
                before = "\n" if re.search(r"\S[ \t]*\n\Z", text[: match.start()]) else ""
                follows = text[end : end + 7]
                after = "\n" if follows[:1].strip() and tail.count("\n") == 1 and follows != "\\begin{" else ""
                new = re.sub(r"\n{3,}", "\n\n", _markdown("".join(parts)))
                yield Edit(match.start(), end, before + new + tail + after)
                break


def _markdown(tex: str) -> str:
    """The few commands of running text that are plain to see; whatever else there is makes the result differ, and is left."""
    tex = re.sub(r"\\(?:emph|textit)\{([^{}\\]*)\}", r"*\1*", tex)
    tex = re.sub(r"\\textbf\{([^{}\\]*)\}", r"**\1**", tex)
    return re.sub(r"``([^`']*)''", r'"\1"', tex)
