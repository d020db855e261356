"""The author's own fonts in style sheets: their `@font-face` rules, and the lists of families that pages and print go by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scidraft.fontfiles import FontFile, ranges
from scidraft.fonts import SCRIPTS, Fonts

#: Our own families as web.css and print.css list them: the text's and the code's, and what comes after the letters they lack.
_OURS = {
    "html": (('"SD Text", "STIX Two Text"', "Georgia, serif"), ('"SD Code"', "ui-monospace, Menlo, Consolas, monospace")),
    "print": (('"SD Serif"', '"SD Signs"'), ('"SD Typewriter"', '"SD Signs"')),
}
#: What a face of each style is called by those who look for it by its name.
_LOCAL = ((400, "normal", ""), (700, "normal", " Bold"), (400, "italic", " Italic"), (700, "italic", " Bold Italic"))


def font_rules(fonts: Fonts, target: str, address: Callable[[FontFile], str]) -> Iterator[str]:
    """The rules of a page, "html" or "print", in which `address` is where a file is."""
    more = " font-display: fallback;" if target == "html" else ""
    for file in fonts.files:
        yield file.rule(address(file), more)
    leading = list(fonts.leading)
    for role, letters in SCRIPTS.items():
        for name in fonts.chosen[role].names if role in fonts.chosen else ():
            # A family that only the reader has, for letters that ours has as well.
            leading.append(f"{name} {role}")
            for weight, style, word in _LOCAL:
                yield (
                    f"@font-face {{ font-family: {_quoted(leading[-1])}; font-weight: {weight}; font-style: {style}; "
                    f"src: local({_quoted(name + word)}); unicode-range: {ranges(letters)}; }}"
                )
    (face, rest), (code, code_rest) = _OURS[target]
    ahead, helping = _listed(leading), _listed(fonts.helping)
    lists = {
        "--sd-face": (ahead, _listed(fonts.families("main")), face, helping, rest),
        "--sd-face-code": (_listed(fonts.families("mono")), code, helping, code_rest),
    }
    if "sans" in fonts.chosen:
        # Where words have no sans serif of the note's, they stay in its own face.
        lists["--sd-sans"] = (_listed(fonts.families("sans")), *lists["--sd-face"])
    for name, parts in lists.items():
        # `html:root` outranks the rules of the theme, which may come later.
        yield f"html:root {{ {name}: {', '.join(part for part in parts if part)}; }}"


def _listed(families: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(_quoted, families))


def _quoted(family: str) -> str:
    return '"' + "".join(sign for sign in family if sign not in '"\\<>\n') + '"'
