"""Tells the print style sheet what headings a document has, which WeasyPrint would look for again at each of them."""

from __future__ import annotations

_MAIN = "<main>"


def with_classes(page: str) -> str:
    """The page with classes on its <main>: `with-h1` if it has headings of that level, `with-numbers` if some are numbered."""
    head, opening, body = page.partition(_MAIN)
    body_alone = body.partition("</main>")[0]
    found = [name for name, sign in (("with-h1", "<h1"), ("with-numbers", '"header-section-number"')) if sign in body_alone]
    return f'{head}<main class="{" ".join(found)}">{body}' if opening and found else page
