"""HTML that WeasyPrint prints: as on the web, but with notes beside or below the text, and page numbers as references."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Elsewhere, Section, Statement
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.formats.drawn_signs import drawing
from scidraft.formats.flat import flat
from scidraft.formats.headers import add_header_include
from scidraft.formats.html import Html
from scidraft.formats.plain import Plain
from scidraft.formats.sidenotes import add_theme, beside_in_html, place_asides
from scidraft.formats.stylesheet import page_rules
from scidraft.formats.titles import around
from scidraft.referring import Mention
from scidraft.wording import NBSP


class Printed(Html):
    """HTML for paper."""

    pages = True
    may_be_dark = False

    #: The box is drawn by the style sheet: no text face has the sign, and a fallback face must not slip in for it.
    end_sign = ""

    def mark(self, statement: Statement) -> pf.Span:
        """An end mark of the author's own is drawn, too."""
        mark = super().mark(statement)
        if "sign" in mark.classes and mark.content.list:
            picture = drawing(mark.content.list[0].text)
            if picture:
                # The same box as the usual mark has, whose place the style sheet knows, with another picture.
                mark.content, mark.classes = [], ["qed"]
                mark.attributes["style"] = f"border: 0; background: url({picture}) 0 0 / 100% 100% no-repeat"
        return mark

    def add_styles(self) -> None:
        """Paper has no sans serif face of ours, and no other may slip in: such a head is set in the text face."""
        super().add_styles()
        fonts = {font for style in self.draft.settings.statement_styles.values() if style.changed for font in style.head}
        if "sans" in fonts:
            rule = ":root { --sd-sans: inherit; }"
            add_header_include(self.draft.doc, pf.RawBlock(f"<style>{rule}</style>", format="html"))

    def add_page(self) -> None:
        """Bring the rules of a page that the style sheet does not have."""
        if rules := "\n".join(page_rules(self.draft.settings.page)):
            add_header_include(self.draft.doc, pf.RawBlock(f"<style>\n{rules}\n</style>", format="html"))

    def mention(self, mention: Mention) -> list[pf.Element]:
        """A reference to a page is an empty link that the style sheet fills with `target-counter`."""
        if mention.show == "page":
            link = pf.Link(url=f"#{mention.target.identifier}", classes=["ref", "page-number"])
            return [*([pf.Str(mention.word + NBSP)] if mention.word else []), *around(mention, [link])]
        return super().mention(mention)

    def elsewhere(self, mention: Mention, target: Elsewhere) -> list[pf.Element]:
        """Paper has no links: the other note is told by its title."""
        return [pf.Span(*Plain.elsewhere(self, mention, target), classes=["ref"])]

    def proof_link(self, proof: Statement) -> list[pf.Element]:
        """ "Proof: page 9" where the note asks for pages."""
        if self.draft.settings.proof_links != "page":
            return super().proof_link(proof)
        words = self.wordings.of(proof.language)
        mention = self.mention(Mention(proof, words.name("page", inside=True), "page"))
        return [pf.Span(pf.Str(f"{words.name('proof')}:"), pf.Space(), *mention, classes=["proof-link"])]

    def section(self, section: Section) -> None:
        """An em quad after the number, as TeX's \\quad; a margin would not reach the running head."""
        super().section(section)
        words = section.element.content.list
        if section.number is not None:
            words[1:2] = [pf.Str("\u2003")]

    def keep_ranges(self) -> None:
        """Keep "1.1–1.3" on one line: WeasyPrint breaks after the dash."""
        for place in walk(self.draft.doc):
            dash, siblings = place.element, place.siblings
            if not isinstance(dash, pf.Str) or dash.text != "–":
                continue
            at = next(index for index, element in enumerate(siblings) if element is dash)
            parts = siblings[max(0, at - 1) : at + 2]
            if len(parts) == 3 and all(map(_is_reference, parts[::2])):
                siblings[at - 1 : at + 2] = [pf.Span(*parts, classes=["nobreak"])]

    def finish(self) -> None:
        """Say the numbers of equations inside formulas, and let footnotes float to the foot of their page.

        The print template has the styles already.
        """
        self.references_in_formulas()
        self.add_styles()
        self.add_page()
        add_theme(self.draft, "print.css")
        self.keep_ranges()
        self.frame_tables()
        print_notes(self.draft)


def _is_reference(element: pf.Element) -> bool:
    return isinstance(element, pf.Link) and "ref" in element.classes


def print_notes(draft: Draft) -> None:
    """Set notes beside the text or at the foot of the page; again where citeproc has made more."""
    if draft.settings.theme.side_notes:
        beside_in_html(draft.doc)
    else:
        place_asides(draft.doc)
        float_notes(draft.doc)


def float_notes(doc: pf.Doc) -> None:
    """Turn the footnotes of a document into spans that the style sheet lets float to the foot of their page."""
    for place in walk(doc):
        if isinstance(place.element, pf.Note):
            replace(place, pf.Span(*flat(place.element.content.list), classes=["footnote"]))
