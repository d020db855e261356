"""Converts notes written for Hugo and the SciDraft theme: TOML front matter, shortcodes, maths in \\( \\) and \\[ \\], \\cite."""

from __future__ import annotations

import re

from scidraft import messages
from scidraft.messages import Messages
from scidraft.rewrite.source import Edit, Plain, apply, quoted

_FRONT = re.compile(r"\A\s*\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+[ \t]*$", re.DOTALL | re.MULTILINE)
_YAML = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"(?P<key>[\w.-]+|\"[^\"]*\")\s*=\s*(?P<value>.*)")
_TABLE = re.compile(r"\[(?P<name>[\w.-]+)\]")
_SHORTCODE = re.compile(r"\{\{[<%]\s*(?P<name>/?\s*[\w-]+)(?P<options>.*?)[>%]\}\}", re.DOTALL)
_OPTION = re.compile(r"(?P<key>[\w-]+)\s*=\s*(?:\"(?P<value>[^\"]*)\"|`(?P<raw>[^`]*)`|(?P<bare>\S+))")
_INLINE = re.compile(r"\\\((?P<tex>.+?)\\\)", re.DOTALL)
_DISPLAY = re.compile(r"\\\[(?P<tex>.+?)\\\]", re.DOTALL)
_CITE = re.compile(r"\\(?P<command>cite[pt]?)\{(?P<keys>[^{}]+)\}")


def is_hugo(text: str) -> bool:
    """Whether a note has TOML front matter."""
    return _FRONT.match(text) is not None


def convert(text: str, report: Messages) -> str:
    """The note in Markdown as pandoc reads it. What has no counterpart stays as a comment, and is told."""
    front = _FRONT.match(text)
    if front:
        text = f"---\n{_yaml(front['toml'])}---{text[front.end() :]}"
    text, files = _shortcodes(text, report)
    text = _maths(text)
    found = _YAML.match(text)
    if files and found and "\nbibliography:" not in "\n" + found["yaml"]:
        listed = ", ".join(quoted(name) for name in files)
        text = f"{text[: found.end('yaml')]}bibliography: [{listed}]\n{text[found.end('yaml') :]}"
    return text


def _yaml(toml: str) -> str:
    """Simple TOML, which front matter is, as YAML: its strings, lists, numbers and dates are YAML's too."""
    lines: list[str] = []
    indent = ""
    for line in toml.splitlines():
        table = _TABLE.fullmatch(line.strip())
        pair = _KEY.fullmatch(line.strip())
        if table:
            names = table["name"].split(".")
            lines += [f"{'  ' * depth}{name}:" for depth, name in enumerate(names)]
            indent = "  " * len(names)
        elif pair:
            value = pair["value"]
            # An inline table is YAML's with colons; a literal string escapes nothing in either.
            value = re.sub(r"(?<=[{,\s])([\w-]+)\s*=\s*", r"\1: ", value) if value.startswith("{") else value
            lines.append(f"{indent}{pair['key']}: {value}")
        else:
            lines.append(f"{indent}{line}" if line.strip() else line)
    return "".join(f"{line}\n" for line in lines)


def _shortcodes(text: str, report: Messages) -> tuple[str, list[str]]:
    """Shortcodes as what they mean; the files of bibliographies they name."""
    plain = Plain(text)
    found = [match for match in _SHORTCODE.finditer(text) if match.start() in plain]
    last_list = next((match for match in reversed(found) if match["name"] in ("references", "bibliography")), None)
    edits: list[Edit] = []
    files: list[str] = []
    for match in found:
        name = match["name"].replace(" ", "")
        options = {item["key"]: item["value"] or item["raw"] or item["bare"] or "" for item in _OPTION.finditer(match["options"])}
        new = f"<!-- {match[0]} -->"
        if name in ("references", "bibliography"):
            if options.get("bib"):
                files.append(options["bib"])
            if match is last_list:
                title = options.get("title", "")
                new = (f"## {title} {{.unnumbered}}\n\n" if title else "") + "::: {#refs}\n:::"
            else:
                report.add(messages.dialects.left_as_comment(match[0]))
        elif name == "mermaid":
            new = "```mermaid"
        elif name == "/mermaid":
            new = "```"
        elif name not in ("preview", "/preview"):
            report.add(messages.dialects.left_as_comment(match[0]))
        edits.append(Edit(match.start(), match.end(), new))
    return apply(text, edits), list(dict.fromkeys(files))


def _maths(text: str) -> str:
    plain = Plain(text)
    edits: list[Edit] = []
    for match in _INLINE.finditer(text):
        if match.start() in plain:
            edits.append(Edit(match.start(), match.end(), f"${match['tex'].strip()}$"))
    for match in _DISPLAY.finditer(text):
        if match.start() in plain:
            edits.append(Edit(match.start(), match.end(), f"$${match['tex']}$$"))
    for match in _CITE.finditer(text):
        if match.start() in plain:
            keys = [f"@{key.strip()}" for key in match["keys"].split(",")]
            new = keys[0] if match["command"] == "citet" and len(keys) == 1 else f"[{'; '.join(keys)}]"
            edits.append(Edit(match.start(), match.end(), new))
    return apply(text, edits)
