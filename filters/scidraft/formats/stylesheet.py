"""Style sheet rules for styles of statements, from the same data as the LaTeX declarations."""

from __future__ import annotations

from collections.abc import Iterator

from scidraft.kinds import Style
from scidraft.page import GAP, Page


def rules_of(style: Style) -> Iterator[str]:
    """The CSS rules of a style, one text each. They come after statements.css and set what that sets for the built-in styles."""
    name = f".statement.{style.name}"
    italic = style.body == "italic"
    values = {
        "font-style": "italic" if italic else "normal",
        "--sd-emphasis": "normal" if italic else "italic",
        "--sd-stop": "700" if "bold" in style.head else "400",
        "margin-top": style.space_above,
        "margin-bottom": style.space_below,
    }
    if style.boxed:
        values |= {"padding": ".7em 1em", "border": f"1px solid {style.frame or 'var(--sd-rule-strong, currentColor)'}"}
    yield _rule(name, values)
    if style.indent:
        yield _rule(f"{name} > p:first-child", {"text-indent": style.indent})
    if "sans" in style.head:
        yield _rule(f"{name} .statement-head", {"font-family": "var(--sd-sans, sans-serif)"})
    if style.own_line:
        yield _rule(f"{name} > p:first-child", {"break-after": "avoid", "margin-bottom": "0"})
        yield _rule(f"{name} > p:first-child + p", {"text-indent": "0"})


def page_rules(page: Page) -> Iterator[str]:
    """The rules for a page that print.css, after which they come, does not have."""
    usual = Page()
    if page == usual:
        return
    yield _rule("@page", {"size": page.paper, "width": f"{page.width:g}pt"})
    if page.letters != usual.letters:
        running = f"{page.letters['running'][0]:g}pt"
        for place in ("@top-left", "@top-right", "@bottom-center"):
            yield f"@page {{ {_rule(place, {'font-size': running})} }}"
    letters: dict[str, str | None] = {}
    for name, (size, leading) in page.letters.items():
        letters |= {f"--sd-{name}": f"{size:g}pt"} | ({f"--sd-{name}-leading": f"{leading:g}pt"} if leading else {})
    column = page.column * page.letters["text"][0]
    yield _rule(":root", {**letters, "--sd-caption": f"{0.92 * column:.0f}pt"})
    if page.columns > 1:
        # Columns that are filled one after the other, as LaTeX fills them: to balance them, WeasyPrint would set them many times.
        yield _rule("main", {"columns": str(page.columns), "column-gap": f"{GAP:g}pt", "column-fill": "auto"})
        yield _rule("main > .wide", {"column-span": "all"})


def _rule(selector: str, values: dict[str, str | None]) -> str:
    return f"{selector} {{ {'; '.join(f'{key}: {value}' for key, value in values.items() if value is not None)}; }}"
