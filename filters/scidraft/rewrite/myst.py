"""Converts MyST Markdown: directives, roles, targets and labelled displays, none of which pandoc reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scidraft import messages
from scidraft.dialects.myst import kind_name
from scidraft.messages import Messages
from scidraft.rewrite.source import Attributes, Edit, Plain, apply, tokens

_OPENING = re.compile(r"(?P<indent>[ \t]*)(?P<fence>:{3,}|`{3,}|~{3,})\{(?P<name>[\w:-]+)\}[ \t]*(?P<title>.*?)[ \t]*")
_OPTION = re.compile(r"[ \t]*:(?P<key>[\w-]+):[ \t]*(?P<value>.*?)[ \t]*")
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:`{3,}|:{3,})\{(?:(?:prf|proof):[a-z]+|[a-z][\w:-]*\}.*\n[ \t]*:(?:label|name|class):)", re.MULTILINE
)
_ROLE = re.compile(
    r"\{(?P<role>(?:prf|proof):ref|ref|numref|eq|cite(?::[pt])?|math|term|doc|sub|sup)\}(?P<ticks>`+)(?P<text>.+?)(?P=ticks)"
)
_NAMED = re.compile(r"(?P<text>.+?)\s*<(?P<id>[^<>]+)>", re.DOTALL)
_LABELLED = re.compile(r"(?P<display>\$\$.+?\$\$)[ \t]*\((?P<id>[\w:.-]+)\)[ \t]*$", re.DOTALL | re.MULTILINE)
_TARGET = re.compile(r"^\((?P<id>[\w:.-]+)\)=[ \t]*\n+(?P<heading>#{1,6}[ \t]+[^\n{]*?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^%[ \t]?(?P<text>[^\n]*)$", re.MULTILINE)
_BREAK = re.compile(r"^\+\+\+(?P<text>[^\n]*)$", re.MULTILINE)
_ADMONITIONS = ("note", "tip", "warning", "important", "caution", "attention", "danger", "error", "hint", "seealso")
_CODE = {"code-block": "", "code": "", "code-cell": "", "sourcecode": "", "myst": "myst", "mermaid": "mermaid"}


def is_myst(text: str) -> bool:
    """Whether a note has MyST's directives."""
    plain = Plain(text)
    code = {token.start for token in tokens(text) if token.kind == "code"}
    return any(match.start() in plain or match.start() in code for match in _DIRECTIVE.finditer(text))


def convert(text: str, report: Messages) -> str:
    """The note in pandoc's Markdown; a directive that has no counterpart stays as a block of code, and is told."""
    lines = text.split("\n")
    text = "\n".join(_blocks(lines, report))
    # Labels of displays and targets go first: the places of the roles change with them.
    plain = Plain(text, except_for=("display",))
    labelled = [match for match in _LABELLED.finditer(text) if match.start() in plain]
    text = apply(text, [Edit(match.start(), match.end(), f"{match['display']} {{#{match['id']}}}") for match in labelled])
    return apply(text, _inline(text))


def _blocks(lines: list[str], report: Messages) -> Iterator[str]:
    index = 0
    fence = ""
    while index < len(lines):
        line = lines[index]
        opening = None if fence else _OPENING.fullmatch(line)
        if opening is None:
            bare = re.fullmatch(r"[ \t]*(`{3,}|~{3,})(.*)", line)
            if fence and bare and bare[1].startswith(fence) and not bare[2].strip():
                fence = ""
            elif not fence and bare:
                fence = bare[1]
            yield line
            index += 1
            continue
        end = _end(lines, index, opening["fence"])
        body = lines[index + 1 : end]
        options, body = _options(body)
        indent = opening["indent"]
        body = [line.removeprefix(indent) for line in body]
        yield from ((indent if part else "") + part for part in _directive(opening, options, body, report))
        index = end + 1
        if opening["name"] in ("table", "list-table", "figure") and index < len(lines) and lines[index].strip():
            # A directive ends itself; a caption or a picture ends with its paragraph.
            yield ""


def _end(lines: list[str], index: int, fence: str) -> int:
    """The line that closes the fence opened at line `index`; fences of the same length may be nested in one another."""
    depth = 0
    for place in range(index + 1, len(lines)):
        found = re.fullmatch(rf"[ \t]*({re.escape(fence[0])}{{3,}})(.*)", lines[place])
        if not found:
            continue
        if found[2].strip():
            depth += found[1] == fence
        elif found[1].startswith(fence) and depth == 0:
            return place
        elif found[1] == fence:
            depth -= 1
    return len(lines)


def _options(body: list[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    place = 0
    while place < len(body) and (match := _OPTION.fullmatch(body[place])):
        options[match["key"]] = match["value"]
        place += 1
    return options, body[place:]


def _directive(opening: re.Match[str], options: dict[str, str], body: list[str], report: Messages) -> Iterator[str]:
    name, title = opening["name"], opening["title"]
    label = options.pop("label", "") or options.pop("name", "")
    kind = kind_name(f"{{{name}}}") if name.startswith(("prf:", "proof:")) or name in ("proof", "prf") else None
    inner = list(_blocks(body, report))
    colons = ":" * max(3, *(len(found[1]) + 1 for line in inner if (found := re.match(r"\s*(:{3,})", line))), 3)
    while inner and not inner[0].strip():
        del inner[0]
    if kind or name in _ADMONITIONS or name in ("admonition", "figure"):
        attributes = Attributes(label, [kind or f"callout-{'note' if name == 'admonition' else name}"], [])
        if "nonumber" in options or options.get("enumerated") == "false":
            attributes.classes.append("unnumbered")
        attributes.classes += options.get("class", "").split()
        if name == "figure":
            caption = " ".join(line for line in inner if line.strip())
            yield f"![{caption}]({title}){{#{label}}}" if label else f"![{caption}]({title})"
            return
        if title:
            attributes.set("title", title)
        yield from (f"{colons} {attributes}", *inner, colons)
    elif name == "math":
        yield from ("$$", *([title] if title else []), *body, f"$$ {{#{label}}}" if label else "$$")
    elif name == "table" or (name == "list-table" and _rows(inner)):
        yield from inner if name == "table" else _pipe_table(_rows(inner), int(options.get("header-rows") or 0))
        if title or label:
            yield from ("", f": {title} {{#{label}}}" if label else f": {title}")
    elif name in _CODE:
        fence = opening["fence"].replace(":", "`")
        language = _CODE[name] or title
        marks = Attributes(label, [language] if language else [], [])
        yield from (f"{fence} {marks}" if label else f"{fence}{language}", *body, fence)
    else:
        report.add(messages.dialects.left_as_code(f"{{{name}}}"))
        fence = opening["fence"].replace(":", "`")
        lines = [f":{key}: {value}" for key, value in options.items()]
        label_line = [f":label: {label}"] if label else []
        yield from (f"{fence}{{.myst}}", f"{{{name}}} {title}".rstrip(), *label_line, *lines, *body, fence)


def _rows(lines: list[str]) -> list[list[str]]:
    """The rows of a list of lists, `* - cell` and `  - cell`; none when a cell holds more than text."""
    rows: list[list[str]] = []
    for line in lines:
        start = re.fullmatch(r"(?P<row>[*-] )?[ ]*[*-](?:[ ]+(?P<cell>.*))?", line)
        if start and (start["row"] or (rows and line.startswith("  "))):
            if start["row"]:
                rows.append([])
            rows[-1].append(start["cell"] or "")
        elif rows and line.startswith("    ") and line.strip():
            rows[-1][-1] += f" {line.strip()}"
        elif line.strip():
            return []
    return rows


def _pipe_table(rows: list[list[str]], headers: int) -> Iterator[str]:
    width = max(len(row) for row in rows)
    # A pipe table has one row of headings, which may be empty.
    lines = rows if headers else [[""] * width, *rows]
    for index, row in enumerate(lines):
        cells = [cell.replace("|", "\\|") for cell in (*row, *[""] * (width - len(row)))]
        yield f"| {' | '.join(cells)} |"
        if index == 0:
            yield f"|{'---|' * width}"


def _inline(text: str) -> Iterator[Edit]:
    plain = Plain(text, except_for=("span",))
    code = Plain(text)
    for match in _ROLE.finditer(text):
        if match.start() in plain and match.start() in code:
            yield Edit(match.start(), match.end(), _role(match["role"], match["text"].strip()))
    for match in _TARGET.finditer(text):
        if match.start() in code:
            yield Edit(match.start(), match.end(), f"{match['heading']} {{#{match['id']}}}")
    for match in (*_COMMENT.finditer(text), *_BREAK.finditer(text)):
        if match.start() in code:
            yield Edit(match.start(), match.end(), f"<!-- {match['text'].strip() or '+++'} -->")


def _role(role: str, text: str) -> str:
    named = _NAMED.fullmatch(text)
    identifier = named["id"].strip() if named else text
    if role == "math":
        return f"${text}$"
    if role in ("sub", "sup"):
        return f"~{text}~" if role == "sub" else f"^{text}^"
    if role in ("term", "doc"):
        return named["text"] if named else text
    if role.startswith("cite"):
        keys = "; ".join(f"@{key.strip()}" for key in text.split(","))
        return keys if role == "cite:t" and ";" not in keys else f"[{keys}]"
    if named:
        return f"[{named['text']}](#{identifier})"
    return f"[-@{identifier}]" if role == "eq" else f"[@{identifier}]"
