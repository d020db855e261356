"""Statements for word processors: named styles that a reference document can set, and bookmarks."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Statement
from scidraft.formats.plain import Plain
from scidraft.wording import Head


class Word(Plain):
    """Word, OpenDocument and InDesign: styles "Theorem" and "Theorem Head", "Proof" and "Proof Head", …

    Bold and italics are kept in the head, so that it is one too in a document without such styles.
    """

    def head(self, statement: Statement, head: Head) -> list[pf.Element]:
        """The head in its character style."""
        words = super().head(statement, head)
        return [pf.Span(*words, attributes={"custom-style": f"{_style_name(statement)} Head"})]

    def wrap(self, statement: Statement) -> None:
        """Give the paragraphs the style of the kind. The other attributes mean nothing to these writers."""
        language = statement.element.attributes.get("lang")
        statement.element.attributes = {"custom-style": _style_name(statement)} | ({"lang": language} if language else {})


def _style_name(statement: Statement) -> str:
    return statement.kind.name.replace("-", " ").title()
