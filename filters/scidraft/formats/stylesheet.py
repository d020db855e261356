"""Style sheet rules for styles of statements, from the same data as the LaTeX declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scidraft.kinds import Colour, Style
from scidraft.page import GAP, Page


def rules_of(style: Style, *, dark: bool) -> Iterator[str]:
    """The CSS rules of a style, one text each. They come after statements.css and set what that sets for the built-in styles.

    `dark`: with the colours for a page that is dark or may be.
    """
    yield from _text_rules(style)
    if style.boxed:
        yield from _box_rules(style, dark)
    if style.ink:
        head = f".statement.{style.name} > p > .statement-head"
        yield _rule(head, {"color": style.ink.light})
        if dark:
            yield from _in_the_dark(head, {"color": style.ink})


def _text_rules(style: Style) -> Iterator[str]:
    name = f".statement.{style.name}"
    italic = style.body == "italic"
    values = {
        "font-style": "italic" if italic else "normal",
        "--sd-emphasis": "normal" if italic else "italic",
        "--sd-stop": "700" if "bold" in style.head else "400",
        "margin-top": style.space_above,
        "margin-bottom": style.space_below,
    }
    yield _rule(name, values)
    if style.indent:
        yield _rule(f"{name} > p:first-child", {"text-indent": style.indent})
    if "sans" in style.head:
        yield _rule(f"{name} .statement-head", {"font-family": "var(--sd-sans, sans-serif)"})
    if style.own_line:
        yield _rule(f"{name} > p:first-child", {"break-after": "avoid", "margin-bottom": "0"})
        yield _rule(f"{name} > p:first-child + p", {"text-indent": "0"})


def _box_rules(style: Style, dark: bool) -> Iterator[str]:
    name = f".statement.{style.name}"
    line = "border" if style.boxed == "frame" else "border-inline-start"
    width = "1px" if style.boxed == "frame" else "3px"
    padding = ".7em 1em" if style.boxed == "frame" or style.fill else "0 0 0 .8em"
    values = {
        "padding": padding,
        line: f"{width} solid {style.frame.light if style.frame else 'var(--sd-rule-strong, currentColor)'}",
        "background": style.fill.light if style.fill else None,
        "--sd-ground": style.fill.light if style.fill else None,
        "box-decoration-break": "clone",
    }
    if padding.startswith("0"):
        values |= {"padding": "0", "padding-inline-start": ".8em"}
    yield _rule(name, values)
    # The page's own mark of such statements would stand beside the box.
    yield _rule(f"{name}::before", {"content": "none"})
    if dark:
        yield from _in_the_dark(name, {f"{line}-color": style.frame, "background": style.fill, "--sd-ground": style.fill})


def _in_the_dark(selector: str, colours: dict[str, Colour | None]) -> Iterator[str]:
    """A rule for pages that are dark or may be, for browsers that know such."""
    values = {key: f"light-dark({c.light}, {c.dark})" for key, c in colours.items() if c and c.light != c.dark}
    if values:
        yield f"@supports (color: light-dark(red, red)) {{ {_rule(selector, values)} }}"


def page_rules(page: Page) -> Iterator[str]:
    """The rules for a page that print.css, after which they come, does not have."""
    usual = Page()
    if page == usual:
        return
    beside, gap, edge = page.beside if page.side_notes else (0, 0, 0)
    sides = {"margin-left": f"{edge:g}pt", "margin-right": "auto"} if page.side_notes else {}
    yield _rule("@page", {"size": page.paper, "width": f"{page.width:g}pt", **sides})
    if page.letters != usual.letters:
        running = f"{page.letters['running'][0]:g}pt"
        for place in ("@top-left", "@top-right", "@bottom-center"):
            yield f"@page {{ {_rule(place, {'font-size': running})} }}"
    letters: dict[str, str | None] = {}
    for name, (size, leading) in page.letters.items():
        letters |= {f"--sd-{name}": f"{size:g}pt"} | ({f"--sd-{name}-leading": f"{leading:g}pt"} if leading else {})
    column = page.column * page.letters["text"][0]
    yield _rule(":root", {**letters, "--sd-caption": f"{0.92 * column:.0f}pt"})
    if page.side_notes:
        # A note is placed on the page, at the height of its line; printing/sidenotes.py moves those apart that would overlap.
        yield _rule(".sidenote", {"left": f"{page.width + gap:g}pt", "width": f"{beside:g}pt"})
    if page.columns > 1:
        # Columns that are filled one after the other, as LaTeX fills them: to balance them, WeasyPrint would set them many times.
        yield _rule("main", {"columns": str(page.columns), "column-gap": f"{GAP:g}pt", "column-fill": "auto"})
        yield _rule("main > .wide", {"column-span": "all"})


def _rule(selector: str, values: Mapping[str, str | None]) -> str:
    return f"{selector} {{ {'; '.join(f'{key}: {value}' for key, value in values.items() if value is not None)}; }}"
