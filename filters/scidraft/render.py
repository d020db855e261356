"""The pass that sets every entry of the catalogue for the draft's target; all it knows of a format is `formats.Format`."""

from __future__ import annotations

import panflute as pf

from scidraft import messages, variants
from scidraft.document import replace
from scidraft.draft import Draft
from scidraft.formats import Format, format_for
from scidraft.referring import LatexReference, Mention, Reference
from scidraft.resolve import said
from scidraft.wording import Wordings


def run(draft: Draft, *, keep_hidden: bool = False) -> None:
    """Set statements, references, equations, captions and headings in place, as the draft's variant shows them.

    `keep_hidden`: what it hides stays for `variants.take_out`, until its citations are counted.
    """
    variants.run(draft)
    wordings = Wordings(draft.settings, draft.messages)
    form = format_for(draft, wordings)
    catalogue = draft.catalogue
    # References first: titles are copied into heads with what stands in them.
    for reference in catalogue.references:
        if isinstance(reference.place.parent, pf.Image) or (reference.in_metadata and not form.links_in_metadata):
            # A picture's description is text for those who do not see it: no link, no \ref.
            replace(reference.place, pf.Str(said(reference)))
        else:
            replace(reference.place, *_inlines(reference, form, draft, wordings))
    # Statements before equations: they look for the display that ends a proof as the author wrote it.
    for statement in catalogue.statements:
        form.statement(statement, wordings.of(statement.language).head(statement))
    for term in catalogue.terms:
        form.term(term)
    for paragraph in catalogue.used_in:
        form.used_in(paragraph)
    for overview in catalogue.overviews:
        form.overview(overview)
    for equation in catalogue.equations:
        form.equation(equation)
    for group in catalogue.groups:
        form.group(group)
    for entry in catalogue.floats:
        form.float_(entry, wordings.of(None).name(entry.noun))
    for section in catalogue.sections:
        form.section(section)
    form.finish()
    if not keep_hidden:
        variants.take_out(draft.doc)


def _inlines(reference: Reference, form: Format, draft: Draft, wordings: Wordings) -> list[pf.Element]:
    result: list[pf.Element] = []
    for word in reference.words:
        if isinstance(word, Mention):
            if word.show == "page" and not form.pages:
                if isinstance(reference.place.element, pf.RawInline):
                    # \pageref says nothing but a number; `.page` is told in the guide to give a link where there are no pages.
                    draft.messages.add(messages.references.no_pages(word.target.identifier))
                word = wordings.of(reference.language).mention(word.target)
            result += form.mention(word)
        elif isinstance(word, LatexReference):
            result += form.latex_reference(word)
        else:
            result.append(word)
    return result
