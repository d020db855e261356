"""Raw LaTeX in Markdown: theorem environments become statements, bare display environments formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import panflute as pf

from scidraft import mathpackages, messages, siunitx
from scidraft.declarations import without_declarations
from scidraft.dialects.blocks import block_lists, is_tex, opening, split_paragraph, trim
from scidraft.document import Place, meta_value, plain_text, read_markup, replace, walk
from scidraft.draft import Draft
from scidraft.kinds import Kind
from scidraft.macros import defines_macros
from scidraft.marks import TITLE
from scidraft.settings import Settings
from scidraft.tex import DISPLAYS

_DISPLAY = re.compile(
    rf"\s*\\begin\{{(?P<name>{'|'.join(sorted(DISPLAYS))})(?P<star>\*?)\}}"
    r".*\\end\{(?P=name)(?P=star)\}\s*",
    re.DOTALL,
)
_IN_TEXT = re.compile(rf"\\({'|'.join(sorted(siunitx.COMMANDS | {'ce', 'pu'}))})(?![A-Za-z])\s*[{{\[]")
_EDGE = re.compile(r"\\(?P<edge>begin|end)\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}")
_LABEL = re.compile(r"\s*\\label\{(?P<id>[^{}]*)\}")

#: Metadata in which TeX is not text.
_SETTINGS = ("header-includes", "macros", "scidraft")

#: Begins the paragraphs that stand for nested environments; nobody writes it.
_NESTED = "scidraftnestedenvironment"


def definitions(draft: Draft) -> str:
    """The TeX macros the note defines in its text: pandoc has used them there, but what is read apart still needs them."""
    texts = [block.text for block in draft.doc.content.list if isinstance(block, pf.RawBlock) and is_tex(block)]
    return "\n".join(text for text in texts if defines_macros(text))


def run(draft: Draft) -> None:
    """Turn raw LaTeX into statements and formulas."""
    metadata = draft.doc.metadata.content.dict
    settings = {id(place.element) for key in _SETTINGS if key in metadata for place in walk(metadata[key])}
    places = [place for place in walk(draft.doc) if is_tex(place.element)]
    for place in places:
        if id(place.element) not in settings and _in_text(place.element, draft):
            replace(place, pf.Math(place.element.text.strip(), format="InlineMath"))
        elif _DISPLAY.fullmatch(place.element.text):
            formula = pf.Math(place.element.text.strip(), format="DisplayMath")
            replace(place, pf.Para(formula) if isinstance(place.element, pf.RawBlock) else formula)
    _load_amsthm(draft)
    if "latex" in draft.settings.dialects:
        _environments(draft, [place for place in places if "\\begin{" in place.element.text])
        _take_declarations(places)


def _in_text(element: pf.Element, draft: Draft) -> bool:
    """Whether raw TeX is a formula that LaTeX takes in text as well: chemistry, numbers, units."""
    found = _IN_TEXT.match(element.text) if isinstance(element, pf.RawInline) else None
    return (
        found is not None
        and found[1] not in draft.settings.macros
        and not (found[1] == "qty" and "physics" in mathpackages.asked(mathpackages.header_of(draft)))
    )


def _load_amsthm(draft: Draft) -> None:
    """Load amsthm before an author's own \\newtheorem: what LaTeX has declared without it breaks when it comes later."""
    metadata = draft.doc.metadata.content.dict
    given = metadata.get("header-includes")
    text = str(meta_value(given))
    if given is None or "\\newtheorem" not in text or "amsthm" in text:
        return
    loading = "\\makeatletter\\@ifundefined{theoremstyle}{\\@ifundefined{proof}{\\usepackage{amsthm}}{}}{}\\makeatother"
    items = given.content.list if isinstance(given, pf.MetaList) else [given]
    metadata["header-includes"] = pf.MetaList(pf.MetaBlocks(pf.RawBlock(loading, format="latex")), *items)


def _take_declarations(places: list[Place]) -> None:
    """Take \\newtheorem out of the text: the kinds are known from it, and are declared for LaTeX with all others."""
    for place in places:
        if not isinstance(place.element, pf.RawBlock) or "\\newtheorem" not in place.element.text:
            continue
        if isinstance(place.parent, pf.Doc):
            place.element.text = without_declarations(place.element.text).strip()
            if not place.element.text:
                replace(place)


@dataclass
class _Environment:
    """An environment in raw LaTeX; in its body a line of its own stands for each that is nested in it."""

    name: str
    kind: Kind
    starred: bool
    title: str
    label: str
    body: str
    nested: list[_Environment]

    def all(self) -> Iterator[_Environment]:
        yield self
        for child in self.nested:
            yield from child.all()


def _split(text: str, settings: Settings) -> list[str | _Environment]:
    """Raw LaTeX as statements and what stands between them."""
    parts: list[str | _Environment] = []
    start = 0
    opened: list[re.Match[str]] = []
    for match in _EDGE.finditer(text):
        if not opened and (match["edge"] == "end" or not settings.kind_of(match["name"])):
            continue
        if match["edge"] == "begin":
            opened.append(match)
            continue
        if opened[-1]["name"] != match["name"] or opened[-1]["star"] != match["star"]:
            # Not LaTeX that anybody could read.
            return [text]
        begin = opened.pop()
        if opened:
            continue
        parts += [text[start : begin.start()], _environment(begin, text[begin.end() : match.start()], settings)]
        start = match.end()
    return [part for part in (*parts, text[start:]) if part] if not opened else [text]


def _environment(begin: re.Match[str], source: str, settings: Settings) -> _Environment:
    title, source = _optional_argument(source)
    label = _LABEL.match(source)
    source = source[label.end() :] if label else source
    nested: list[_Environment] = []
    body = ""
    for part in _split(source, settings):
        if isinstance(part, _Environment):
            body += f"\n\n{_NESTED}{len(nested)}\n\n"
            nested.append(part)
        else:
            body += part
    kind = settings.kind_of(begin["name"])
    assert kind is not None
    return _Environment(begin["name"], kind, bool(begin["star"]), title, label["id"] if label else "", body, nested)


def _environments(draft: Draft, places: list[Place]) -> None:
    split = [(place, _split(place.element.text, draft.settings)) for place in places]
    found = [(place, parts) for place, parts in split if any(isinstance(part, _Environment) for part in parts)]
    macros = definitions(draft)
    environments = [each for _, parts in found for part in parts if isinstance(part, _Environment) for each in part.all()]
    pieces = [f"{macros}\n\n{text}" for environment in environments for text in (environment.title, environment.body)]
    try:
        results = read_markup(pieces, "latex+raw_tex")
    except RuntimeError as error:
        for environment in environments:
            draft.messages.add(messages.statements.raw_environment(environment.name, str(error).splitlines()[0]))
        return
    read = {id(environment): (results[2 * i], results[2 * i + 1]) for i, environment in enumerate(environments)}
    for place, parts in found:
        new = [
            _div(part, read) if isinstance(part, _Environment) else pf.RawBlock(part.strip(), format="tex")
            for part in parts
            if isinstance(part, _Environment) or part.strip()
        ]
        if isinstance(place.element, pf.RawInline):
            # pandoc reads an environment in running text as inline; a paragraph of its own cannot hold a div.
            split_paragraph(draft.doc, place, new)
        else:
            index = next(i for i, block in enumerate(place.siblings) if block is place.element)
            before = place.siblings[index - 1] if index else None
            if isinstance(before, pf.Plain) and not isinstance(place.parent, pf.ListItem):
                # pandoc sets text that raw LaTeX follows at once as no paragraph.
                place.siblings[index - 1] = pf.Para(*before.content.list)
            replace(place, *new)


def _div(environment: _Environment, read: dict[int, tuple[list[pf.Element], list[pf.Element]]]) -> pf.Div:
    title, blocks = read[id(environment)]
    words = [inline for block in title if isinstance(block, (pf.Para, pf.Plain)) for inline in block.content.list]
    blocks = [block for block in blocks if not (isinstance(block, pf.RawBlock) and defines_macros(block.text))]
    classes = [environment.kind.name, *(["unnumbered"] if environment.starred else [])]
    div = pf.Div(*blocks, identifier=environment.label, classes=classes)
    for siblings, _ in block_lists(div):
        for index, block in enumerate(siblings):
            name = plain_text([block]) if isinstance(block, (pf.Para, pf.Plain)) else ""
            if name.startswith(_NESTED):
                siblings[index] = _div(environment.nested[int(name.removeprefix(_NESTED))], read)
    _take_late_label(div)
    if plain_text(words):
        div.content.list.insert(0, pf.Header(*words, level=6, classes=[TITLE]))
    return div


def _take_late_label(div: pf.Div) -> None:
    """A \\label that does not come first is the statement's too."""
    for block in list(div.content.list):
        words = opening([block])
        for word in list(words):
            label = _LABEL.fullmatch(word.text.strip()) if isinstance(word, pf.RawInline) else None
            if label and not div.identifier:
                div.identifier = label["id"]
                words.remove(word)
                trim(words)
                if not words:
                    div.content.list.remove(block)
                return


def _optional_argument(text: str) -> tuple[str, str]:
    """Split "[title] body"; brackets inside braces belong to the title."""
    stripped = text.lstrip(" \t")
    if not stripped.startswith("["):
        return "", text
    depth = 0
    for index, sign in enumerate(stripped):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == "]" and depth == 0:
            title = stripped[1:index].strip()
            return title[1:-1] if title.startswith("{") and title.endswith("}") else title, stripped[index + 1 :]
    return "", text
