"""Statements, references and numbers as LaTeX: amsthm environments, `\\label` and `\\ref`; LaTeX counts for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Elsewhere, Equation, Float, Item, Section, Statement, Subequations, Term
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.formats.headers import add_class_option, add_header_include
from scidraft.formats.overviews import set_as_latex
from scidraft.formats.places import Ends, starts_with_text
from scidraft.formats.preamble import anchor, document_class, environment, preamble
from scidraft.formats.sidenotes import add_theme, beside_in_latex, place_asides, small_in_latex
from scidraft.formats.spelling import escape, label
from scidraft.formats.titles import around, named_elsewhere, title_after
from scidraft.formats.wide import wide_places
from scidraft.macros import defines_macros, read_definitions
from scidraft.paths import TEMPLATES
from scidraft.referring import LatexReference, Mention, Overview
from scidraft.tex import ROW_ENVIRONMENTS, insert_qedhere, read_display
from scidraft.wording import NBSP, Head, Wordings, shown_number

_NO_NUMBER = re.compile(r"\\(?:nonumber|notag)\b\s*")


def tex(text: str) -> pf.RawInline:
    """A piece of LaTeX in a line."""
    return pf.RawInline(text, format="latex")


class Latex:
    """LaTeX for articles, books and beamer slides."""

    pages = True
    links_in_metadata = True

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        self.draft = draft
        self.wordings = wordings
        self.ends = Ends(draft.catalogue)

    # Statements

    def statement(self, statement: Statement, head: Head) -> None:
        """Make an environment of the div. No blank line stands between head and body, or before the end of a proof."""
        div = statement.element
        blocks: list[pf.Element] = div.content.list
        if statement.kind.style == "proof" or statement.end_mark:
            self.proof_end(statement)
        opening, closing = self.environment(statement, head)
        if statement.proofs and self.draft.settings.proof_links != "none":
            self.link_proofs(statement)
        first = blocks[0] if blocks else None
        display_first = isinstance(first, (pf.Para, pf.Plain)) and not starts_with_text(first)
        if starts_with_text(first) or (display_first and first is not None):
            assert first is not None
            first.content.list[0:0] = [*opening, tex("\n")]
        else:
            # A list, code or table would run over the head without a line to stand on.
            blocks.insert(0, pf.Para(*opening, tex("\\leavevmode")))
        last = blocks[-1]
        if isinstance(last, (pf.Para, pf.Plain)):
            last.content.list.append(tex(f"\n{closing}"))
        else:
            blocks.append(pf.RawBlock(closing, format="latex"))
        # An empty div is nothing to pandoc's writer and to filters that make environments of classes. A language stays.
        language = div.attributes.get("lang")
        div.identifier, div.classes, div.attributes = "", [], {"lang": language} if language else {}

    def environment(self, statement: Statement, head: Head) -> tuple[list[pf.Element], str]:
        """What opens the environment, with title and label, and what closes it."""
        kind = statement.kind
        name = environment(kind, self.foreign(statement)) + ("" if statement.number or kind.style == "proof" else "*")
        opening: list[pf.Element] = [tex(f"\\begin{{{name}}}")]
        closing = f"\\end{{{name}}}"
        if statement.restates and statement.number:
            counter = environment(anchor(kind, self.draft))
            opening[0].text = f"\\begin{{restated}}{{{counter}}}{{{label(statement.restates.identifier)}}}\n" + opening[0].text
            closing += "\n\\end{restated}"
        elif statement.given_number and statement.number:
            counter = environment(anchor(kind, self.draft))
            opening[0].text = f"\\begin{{givennumber}}{{{counter}}}{{{escape(statement.number)}}}\n" + opening[0].text
            closing += "\n\\end{givennumber}"
        if statement.names_target and kind.style != "proof":
            words = [inline for word in head.label for inline in (self.mention(word) if isinstance(word, Mention) else [word])]
            opening[0:0] = [tex("\\begin{headed}{"), *words, tex("}\n")]
            closing += "\n\\end{headed}"
        title = self.title(statement, head)
        if title:
            # amsthm hands a proof's title on as an optional argument again, without the braces that protect its brackets.
            bracketed = any(isinstance(word, pf.Cite) or "[" in getattr(word, "text", "") for word in title)
            open_, close = ("[{{", "}}]") if kind.style == "proof" and bracketed else ("[{", "}]")
            opening += [tex(open_), *title, tex(close)]
        if statement.identifier:
            # A statement without a number has nothing for \label to point at but its place.
            place = "" if statement.number else "\\phantomsection"
            opening.append(tex(f"{place}\\label{{{label(statement.identifier)}}}"))
        if statement.number and (statement.given_number or statement.restates):
            opening.append(tex("\\countson"))
        if not statement.end_mark and (kind.style == "proof" or self.draft.settings.statement_styles[kind.style].end_mark):
            opening.append(tex("\\renewcommand{\\qedsymbol}{}"))
        return opening, closing

    def foreign(self, statement: Statement) -> str | None:
        """The language of a statement, where it is not the note's."""
        return statement.language if statement.language != self.draft.settings.language else None

    def title(self, statement: Statement, head: Head) -> list[pf.Element]:
        """The optional argument: the title of a statement, or what replaces the word "Proof" and its attribution."""
        words = [inline for word in head.label for inline in (self.mention(word) if isinstance(word, Mention) else [word])]
        if statement.kind.style == "proof":
            usual = not (statement.names_target or statement.title or statement.sketch or head.title or self.foreign(statement))
            title = [pf.Str(head.open.lstrip()), *head.title, pf.Str(head.close)] if head.title else []
            return [] if usual else [*words, *([pf.Space()] if title and head.open.startswith(" ") else []), *title]
        return head.title

    def link_proofs(self, statement: Statement) -> None:
        """Say at the end of a statement where it is proved: "Proof: page 9" or "Proof ↓"."""
        blocks = statement.element.content.list
        links: list[pf.Element] = []
        for proof in statement.proofs:
            words = self.wordings.of(proof.language)
            name, key = words.name("proof"), label(proof.identifier)
            if self.draft.settings.proof_links == "page":
                page = self.mention(Mention(proof, words.name("page", inside=True), "page"))
                links += [pf.Space(), pf.Str(f"({name}:"), pf.Space(), *page, pf.Str(")")]
            else:
                links += [pf.Space(), tex(f"\\hyperref[{key}]{{"), pf.Str(name), tex("~\\(\\downarrow\\)}")]
        if blocks and isinstance(blocks[-1], (pf.Para, pf.Plain)):
            blocks[-1].content.list.extend(links)
        else:
            blocks.append(pf.Para(*links[1:]))

    def proof_end(self, statement: Statement) -> None:
        """amsthm sets the mark itself; it needs help only after a display or a list."""
        blocks = statement.element.content.list
        if not statement.end_mark:
            return
        where = self.ends.of(blocks)
        if isinstance(where, Equation):
            where.ends = statement
        elif where is not None and not isinstance(blocks[-1], (pf.Para, pf.Plain)):
            where.append(tex(" \\qedhere"))

    # References

    def mention(self, mention: Mention) -> list[pf.Element]:
        """The kind's name and a `\\ref`, or the title as a link."""
        target = mention.target
        if isinstance(target, Elsewhere):
            shown = pf.Str(shown_number(target))
            upright = [tex("\\textup{"), shown, tex("}")] if mention.upright else [shown]
            words = named_elsewhere(mention, target, upright, with_title=False)
            return [*words, pf.Space(), pf.Str("("), pf.Emph(*target.document), pf.Str(")")]
        key = label(target.identifier)
        word = mention.word
        if mention.show == "page":
            return [*([pf.Str(word + NBSP)] if word else []), *around(mention, [tex(f"\\pageref{{{key}}}")])]
        if mention.show == "title" or target.number is None:
            title = title_after(word, target)
            words = [pf.Str(word), *([pf.Space()] if title else [])] if word else []
            if word and isinstance(target, Statement):
                words = [pf.Str(word), *([pf.Space(), pf.Str("("), *title, pf.Str(")")] if title else [])]
            else:
                words += title or ([] if words else [pf.Str(target.identifier)])
            return [tex(f"\\hyperref[{key}]{{"), *words, tex("}")]
        if isinstance(target, Item):
            # The mark comes from the source of the list, the number from LaTeX.
            number = "" if mention.show == "mark" else f"\\ref*{{{label(target.statement.identifier)}}}"
            link = tex(f"\\hyperref[{key}]{{{number}{escape(target.label)}}}")
            return [*([pf.Str(word + NBSP)] if word else []), link]
        if target.noun in ("section", "table") and document_class(self.draft) == "IEEEtran":
            self.draft.messages.add(messages.latex.class_has_own_numbers("IEEEtran", target.noun))
        starred = getattr(target, "starred", False)
        command = "eqref" if target.noun == "equation" and mention.parenthesised and not starred else "ref"
        number = f"\\{command}{{{key}}}"
        if mention.upright and command == "ref":
            # Digits stay upright in the italic body of a theorem, as in the journals of the AMS.
            number = f"\\textup{{{number}}}"
        return [*([pf.Str(word + NBSP)] if word else []), *around(mention, [tex(number)])]

    def latex_reference(self, reference: LatexReference) -> list[pf.Element]:
        """The author's own command."""
        return [reference.command]

    # Terms and lists

    def term(self, term: Term) -> None:
        """A term that is defined is emphasised; pandoc writes its label."""
        if term.in_heading:
            term.element.identifier = ""
        term.element.content = [pf.Emph(*term.element.content.list)]

    def used_in(self, paragraph: pf.Para) -> None:
        """What uses a statement is said in small print."""
        paragraph.content = [tex("\\noindent{\\small "), *paragraph.content.list, tex("\\par}")]

    def overview(self, overview: Overview) -> None:
        """Lists whose page numbers come from LaTeX."""
        set_as_latex(self, overview)

    # Equations, floats, headings

    def equation(self, equation: Equation) -> None:
        """A display with a number becomes an `equation`; labels are spelt as the references to them are."""
        text = equation.element.text
        ids = [equation.identifier, *equation.other_labels, *(row.identifier for row in equation.rows if row)]
        keys = {identifier: label(identifier) for identifier in ids if identifier}
        if equation.ends and equation.tag is None and not (equation.rows and equation.rows[-1]):
            # In a line with a number of its own \qedhere would take the number's place, and a tag bears no second one.
            text = insert_qedhere(text)
        if equation.number:
            # \\nonumber would take the number from a display that its label asks for.
            text = _NO_NUMBER.sub("", text)
        for identifier, key in keys.items():
            text = text.replace(f"\\label{{{identifier}}}", f"\\label{{{key}}}")
        missing = "".join(f"\\label{{{key}}}" for key in keys.values() if f"\\label{{{key}}}" not in text)
        name = read_display(text).environment
        if equation.number:
            replace(equation.place, tex(_with_one_number(text.strip(), name, missing)))
        elif name is not None:
            head, end, rest = text.strip().partition("}")
            replace(equation.place, tex(head + end + missing + rest))
        else:
            equation.element.text = text

    def group(self, group: Subequations) -> None:
        """amsmath's environment counts as we do."""
        labels = f"\\label{{{label(group.identifier)}}}" if group.identifier else ""
        begin, end = f"\\begin{{subequations}}{labels}", "\\end{subequations}"
        replace(group.place, *[pf.RawBlock(begin, format="latex"), *group.element.content.list, pf.RawBlock(end, format="latex")])

    def float_(self, entry: Float, name: str) -> None:
        r"""LaTeX's \caption counts and pandoc writes the label, except for listings, which are no floats."""
        if entry.noun != "listing":
            return
        words = [inline for block in entry.caption for inline in block.content.list]
        key = f"\\label{{{label(entry.identifier)}}}" if entry.identifier else ""
        # In a group: the caption package warns of a caption that is in none.
        caption = pf.Para(tex("{\\captionof{listing}{"), *words, tex(f"}}{key}}}"))
        replace(entry.place, caption, *entry.element.content.list)

    def section(self, section: Section) -> None:
        """LaTeX numbers headings; the first appendix needs to be told, and a reference in a heading a form for bookmarks."""
        refers = any(reference.in_heading is section for reference in self.draft.catalogue.references)
        if not refers and not section.first_appendix:
            return
        place = next(place for place in walk(self.draft.doc) if place.element is section.element)
        heading = self.heading(section) if refers and self.draft.target != "beamer" else section.element
        replace(place, *([pf.RawBlock("\\appendix", format="latex")] if section.first_appendix else []), heading)

    def heading(self, section: Section) -> pf.Element:
        """A heading written out. pandoc would give its bookmark the words without the references, which are raw TeX to it."""
        words = section.element.content.list
        star = "*" if section.unnumbered else ""
        key = label(section.identifier)
        return pf.Para(
            tex(f"\\{self.draft.settings.division_of(section.level)}{star}{{\\texorpdfstring{{"),
            *words,
            tex(f"}}{{{''.join(_bookmark(words))}}}}}\\label{{{key}}}"),
        )

    def finish(self) -> None:
        """Bring the declarations of what the note uses, and move the author's macros to where LaTeX wants them."""
        draft, settings = self.draft, self.draft.settings
        if settings.number_sections:
            draft.doc.metadata.content.dict["numbersections"] = pf.MetaBool(True)
        if settings.page.columns == 2:
            add_class_option(draft.doc, "twocolumn")
        self.hoist_definitions()
        named = draft.doc.metadata.content.dict.get("documentclass")
        if isinstance(named, pf.MetaString):
            # pandoc knows the class of a book only by its name as Markdown, which -M does not give.
            draft.doc.metadata.content.dict["documentclass"] = pf.MetaInlines(pf.Str(named.text))
        self.widen()
        self.place_notes()
        text = preamble(draft, self.wordings)
        if text:
            add_header_include(draft.doc, pf.RawBlock(text, format="latex"))
        for level, offset in enumerate(settings.number_offset, 1):
            if offset:
                command = f"\\setcounter{{{settings.division_of(level)}}}{{{offset}}}"
                draft.doc.content.list.insert(0, pf.RawBlock(command, format="latex"))

    def place_notes(self) -> None:
        """Set notes and asides beside the text where the theme wants it, on a page with a margin for them."""
        beside = self.draft.settings.theme.side_notes and "beamer" not in (self.draft.target, document_class(self.draft))
        if not beside:
            place_asides(self.draft.doc)
            small_in_latex(self.draft.doc)
            return
        beside_in_latex(self.draft.doc)
        width, gap, edge = self.draft.settings.page.beside
        values = {"textwidth": self.draft.settings.page.width, "left": edge, "marginparwidth": width, "marginparsep": gap}
        geometry = ",".join(f"{key}={value:g}bp" for key, value in values.items())
        text = f"\\newcommand{{\\pagewithnotes}}{{{geometry}}}"
        add_header_include(self.draft.doc, pf.RawBlock(text, format="latex"))
        add_theme(self.draft, "tex")

    def widen(self) -> None:
        """Put figures and tables that may be wider than a column into an environment that lets them."""
        places = list(wide_places(self.draft.doc))
        for place in places:
            begin, end = (pf.RawBlock(f"\\{word}{{wide}}", format="latex") for word in ("begin", "end"))
            replace(place, begin, place.element, end)
        if places:
            text = (TEMPLATES / "wide.tex").read_text(encoding="utf-8").strip()
            add_header_include(self.draft.doc, pf.RawBlock(text, format="latex"))

    def hoist_definitions(self) -> None:
        r"""Macros defined between paragraphs go into the preamble, the only place where \DeclareMathOperator may stand."""
        blocks = self.draft.doc.content.list
        found = {id(block): text for block in blocks if (text := _definitions(block))}
        if found:
            add_header_include(self.draft.doc, *(pf.RawBlock(text, format="latex") for text in found.values()))
            blocks[:] = [block for block in blocks if id(block) not in found]


def _definitions(block: pf.Element) -> str:
    """The macros a block defines and does nothing else: raw TeX, or the display that Jupyter's users put them in."""
    if isinstance(block, pf.RawBlock) and block.format in ("tex", "latex"):
        return str(block.text) if defines_macros(block.text) else ""
    words = block.content.list if isinstance(block, pf.Para) else []
    if len(words) == 1 and isinstance(words[0], pf.Math):
        return str(words[0].text) if defines_macros(words[0].text) and not read_definitions(words[0].text)[1].strip() else ""
    return ""


def _with_one_number(text: str, name: str | None, labels: str) -> str:
    """A display as an environment that LaTeX numbers once."""
    if name is None:
        return f"\\begin{{equation}}{labels}\n{text}\n\\end{{equation}}"
    bare = name.rstrip("*")
    if bare in ROW_ENVIRONMENTS:
        # align* with one number for all its lines is an aligned block inside an equation.
        inner = {"align": "aligned", "gather": "gathered", "alignat": "alignedat"}.get(bare, "aligned")
        body = text.replace(f"\\begin{{{name}}}", f"\\begin{{{inner}}}").replace(f"\\end{{{name}}}", f"\\end{{{inner}}}")
        return f"\\begin{{equation}}{labels}\n{body}\n\\end{{equation}}"
    return text.replace(f"\\begin{{{name}}}", f"\\begin{{{bare}}}{labels}", 1).replace(f"\\end{{{name}}}", f"\\end{{{bare}}}")


def _bookmark(words: list[pf.Element]) -> Iterator[str]:
    """Words as they can stand in a PDF bookmark: \\ref cannot, \\getrefnumber, which hyperref brings, expands to the number."""
    for word in words:
        if isinstance(word, pf.RawInline):
            match = re.fullmatch(r"\\(eq)?ref\{(.*)\}", word.text)
            if match:
                yield f"(\\getrefnumber{{{match[2]}}})" if match[1] else f"\\getrefnumber{{{match[2]}}}"
        elif isinstance(word, (pf.Str, pf.Space, pf.SoftBreak, pf.Math, pf.Code)):
            yield escape(getattr(word, "text", " ")).replace("~", " ")
        elif not isinstance(word, pf.Note) and hasattr(word, "_content"):
            yield from _bookmark(word.content.list)
