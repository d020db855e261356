"""Diagrams: every label arrives in every output, broken ones are told, sizes and fences are respected."""

from __future__ import annotations

import hashlib
import io
import re
import time
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import panflute as pf
import pikepdf
import pytest

from scidraft import diagrams
from scidraft.document import read_markup
from scidraft.draft import Draft
from scidraft.engines import mermaid, svg_pdf
from scidraft.engines.cache import Cache
from scidraft.engines.mermaid import DiagramError, draw
from scidraft.engines.picture import SLOTS, fixed, labels, web
from scidraft.engines.typefaces import print_face, web_face
from scidraft.messages import Messages
from scidraft.settings import Settings

QUADRANTS = """\
quadrantChart
    title Attention variants by score cost and cache size
    x-axis Cheap scores --> Expensive scores
    y-axis Small cache --> Large cache
    quadrant-1 Expensive, large cache
    quadrant-2 Expensive, small cache
    quadrant-3 Cheap, small cache
    quadrant-4 Cheap, large cache
    Full attention: [0.9, 0.85]
    Kernel linear: [0.2, 0.18]
"""
TRAINING = """\
flowchart TD
    A["Input batch: tokens X, targets Y"] --> B["Forward pass: logits Z = f_theta(X)"]
    B --> C["Loss: L = -sum log p_theta(Y | X)"]
    C --> D["Backward pass: gradients of L wrt theta"]
    D --> E["Optimiser step: theta := theta - eta * grad"]
    E --> F{"More steps?"}
    F -- "yes" --> A
    F -- "no" --> G["Frozen parameters theta*"]
"""
SEQUENCE = """\
sequenceDiagram
    participant U as User
    participant S as Server
    U->>+S: POST /login (name, password)
    alt password matches
        S-->>U: 200 OK
    end
    Note over U,S: Connections are pooled
"""
#: The source of a diagram, and the words that must be readable in it.
SAMPLES = {
    "quadrants": (
        QUADRANTS,
        "Attention variants by score cost and cache size|Cheap scores|Expensive scores|Small cache|Large cache|"
        "Expensive, large cache|Expensive, small cache|Cheap, small cache|Cheap, large cache|Full attention|Kernel linear",
    ),
    "training": (
        TRAINING,
        "Input batch: tokens X, targets Y|Forward pass: logits Z = f_theta(X)|Loss: L = -sum log p_theta(Y | X)|"
        "Backward pass: gradients of L wrt theta|Optimiser step: theta := theta - eta * grad|More steps?|yes|no|"
        "Frozen parameters theta*",
    ),
    "html in labels": ('flowchart TD\nA["First: x_1 & <b>y</b>"] --> B{"Ready?"}\nB -- "yes" --> C[Done]', "Ready?|yes|Done"),
    "other letters": ('flowchart LR\nA["Größe α ≤ β"] -->|"→ ∞"| B["Привет"]', "Größe α ≤ β|→ ∞|Привет"),
    "sequence": (SEQUENCE, "User|Server|POST /login (name, password)|200 OK|Connections are pooled"),
    "states": ("stateDiagram-v2\n[*] --> Idle\nIdle --> Running : start", "Idle|Running|start"),
    "classes": ("classDiagram\nModel <|-- Transformer : extends\nModel : +int heads", "Model|Transformer|extends|+int heads"),
    "entities": ("erDiagram\nAUTHOR ||--o{ PAPER : writes\nPAPER {\nint venue_id FK\n}", "AUTHOR|PAPER|writes|venue_id"),
    "pie": ('pie showData\ntitle Time\n"Attention" : 60\n"Other" : 40', "Time|Attention|Other|60%"),
    "gantt": ("gantt\ntitle Plan\ndateFormat YYYY-MM-DD\nsection Reading\nSurvey :a1, 2024-01-01, 60d", "Plan|Reading|Survey"),
    "mind map": ("mindmap\n  root((Attention))\n    Exact\n    Sparse", "Attention|Exact|Sparse"),
    "git": ('gitGraph\ncommit id: "init"\nbranch feature\ncommit id: "tune"', "init|feature|tune"),
    "time line": ("timeline\ntitle Models\n2017 : Transformer\n2018 : BERT", "Models|2017|Transformer|BERT"),
    "axes": ('xychart-beta\ntitle "Loss"\nx-axis "epoch" [1, 2]\ny-axis "loss" 0 --> 4\nbar [3, 2]', "Loss|epoch|loss"),
}


def sample(name: str) -> tuple[str, list[str]]:
    source, words = SAMPLES[name]
    return source, words.split("|") if name != "training" else re.split(r"(?<! )\|(?! )", words)


def words_of(svg: str) -> str:
    """All text of a picture, its lines joined."""
    return " ".join(" ".join(each.itertext()) for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def draft(markdown: str, target: str = "html", folder: Path | None = None, source: Path | None = None) -> Draft:
    doc = pf.Doc(*read_markup([markdown])[0], format=target)
    settings = Settings(media_dir=folder or Path("scidraft-media"), media_url="media")
    made = Draft(doc, settings, Messages(), target, source)
    diagrams.run(made)
    return made


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIDRAFT_CACHE", "off")


@pytest.mark.parametrize("name", SAMPLES)
def test_every_label_is_text_in_the_picture(name: str) -> None:
    source, words = sample(name)
    diagram = draw(source)
    text = " ".join(words_of(web(diagram, web_face(), "d", "", "")).split())
    assert [label for label in words if label not in text] == []
    assert "foreignObject" not in diagram.body


@pytest.mark.parametrize("name", ["training", "quadrants", "other letters"])
def test_every_label_is_text_in_the_pdf_in_our_fonts(name: str) -> None:
    source, words = sample(name)
    face = print_face()
    diagram = draw(source, face)
    made = svg_pdf.convert(fixed(diagram, face).encode(), face.files_for(diagram.body), width=diagram.width)
    with pikepdf.open(io.BytesIO(made)) as pdf:
        page = pdf.pages[0]
        fonts = [font.BaseFont for font in page.Resources.Font.values()]
        assert len(pdf.pages) == 1
        assert [float(edge) for edge in page.mediabox] == pytest.approx([0, 0, diagram.width, diagram.height], abs=0.01)
        assert {str(font)[8:] for font in fonts} <= {"SD-Serif", "SD-Serif-Bold", "SD-Serif-Italic", "SD-Signs"}
        assert {str(font.Subtype) for font in page.Resources.Font.values()} == {"/Type0"}
        shown = shown_text(page)
    assert [label for label in words if label.replace(" ", "") not in shown] == []


def shown_text(page: pikepdf.Page) -> str:
    """The text of a page without its spaces, by the fonts' ToUnicode tables; most of it is in form objects."""
    tables = {name: to_unicode(font) for name, font in page.Resources.Font.items()}
    text = ""
    streams: list[pikepdf.Page | pikepdf.Object] = [page, *page.Resources.XObject.values()]
    for stream in streams:
        for instruction in pikepdf.parse_content_stream(stream):
            operator, operands = str(instruction.operator), instruction.operands
            if operator == "Tf":
                table = tables[str(operands[0])]
            elif operator == "TJ":
                codes = b"".join(bytes(part) for part in operands[0] if not isinstance(part, (int, Decimal)))
                text += "".join(table[codes[at : at + 2].hex()] for at in range(0, len(codes), 2))
        text += "\n"
    return text.replace(" ", "")


def to_unicode(font: pikepdf.Object) -> dict[str, str]:
    pairs = re.findall(r"<([0-9a-f]{4})> <([0-9a-f]+)>", font.ToUnicode.read_bytes().decode().lower())
    return {code: bytes.fromhex(letters).decode("utf-16-be") for code, letters in pairs}


def test_the_same_picture_gives_the_same_bytes() -> None:
    face = print_face()
    svg = fixed(draw(QUADRANTS, face), face).encode()
    assert hashlib.sha256(svg_pdf.convert(svg)).digest() == hashlib.sha256(svg_pdf.convert(svg)).digest()


def test_web_colours_are_variables_with_light_values_and_print_has_values_only() -> None:
    diagram = draw(TRAINING)
    on_page = web(diagram, web_face(), "d1", "Training", "width:10em")
    assert "--_s:var(--fig-fill,var(--sd-panel,#f6f4ee));" in on_page
    assert not re.search(r'(fill|stroke)="#', on_page)
    in_print = fixed(diagram, print_face())
    assert "var(" not in in_print
    assert set(re.findall(r"#[0-9a-f]{6}", in_print)) <= {"#ffffff", *(slot.light for slot in SLOTS.values())}


def test_an_authors_fill_keeps_dark_text_on_a_dark_page() -> None:
    body = draw("flowchart LR\nA[Light]\nstyle A fill:#dcfce7,stroke:#15803d").body
    assert 'fill="#dcfce7" stroke="#15803d"' in body
    assert re.search(r'fill="#1c1b19"[^>]*>Light<', body)


def test_lines_of_several_styles_stand_side_by_side() -> None:
    body = draw('flowchart LR\nA["`**Bold** and _italic_`"]').body
    places = [float(x) for x in re.findall(r'<tspan[^>]* x="([-\d.]+)"', body)]
    assert len(places) == 3
    face = web_face()
    bold, plain, italic = face.width("Bold", 16, bold=True), face.width(" and ", 16), face.width("italic", 16, italic=True)
    assert places[1] - places[0] == pytest.approx(bold, abs=0.02)
    assert places[2] - places[1] == pytest.approx(plain, abs=0.02)
    assert places[0] == pytest.approx(-(bold + plain + italic) / 2, abs=0.02)


def test_labels_fit_their_boxes() -> None:
    for name in ("training", "html in labels", "other letters"):
        for face in (web_face(), print_face()):
            for group in ElementTree.fromstring(draw(SAMPLES[name][0], face).body).iter("g"):
                box, text = group.find("rect"), group.find("text")
                if box is not None and text is not None and text.text:
                    assert face.width(text.text, 14) < float(box.get("width", "0"))


def test_formulas_in_labels_are_set() -> None:
    diagram = draw('flowchart LR\nA["Loss $$L(\\theta)$$ here"] --> B[end of it]')
    text = words_of(web(diagram, web_face(), "d", "", ""))
    assert "$" not in text and "Loss" in text and "here" in text
    assert 'aria-label="L(\\theta)"' in diagram.body
    with pytest.raises(DiagramError, match="a formula in it cannot be set"):
        draw('flowchart LR\nA["$$\\frac{1}$$"]')


def test_a_wide_row_is_laid_out_again_to_fit_the_column() -> None:
    chain = "flowchart LR\n" + "\n".join(f'n{at}["A step of the chain"] --> n{at + 1}["A step of the chain"]' for at in range(6))
    assert draw(chain).width <= mermaid.COLUMN
    assert draw("flowchart LR\nA --> B").width > draw("flowchart LR\nA --> B").height


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("flowchart TD\n    A[Start] --> B[Middle\n    B --> C[End]", 3, '"B --> C[End]" is not understood'),
        ("flowchrat TD\n    A --> B", None, '"flowchrat TD" is no kind of Mermaid diagram'),
        ("quadrantChart\n    x-axis Low --> High\n    Alpha: [1.4, 0.2]", 3, '"Alpha: [1.4, 0.2]" is not understood'),
        ("sequenceDiagram\n    A->>B: hello\n    B-->>A hi", 3, '"B-->>A hi" breaks off'),
        ("", None, "it is empty"),
        ("flowchart TD\n    A --> end", 2, '"A --> end" is not understood'),
    ],
)
def test_errors_say_what_and_where(source: str, line: int | None, reason: str) -> None:
    with pytest.raises(DiagramError) as caught:
        draw(source)
    assert (caught.value.line, caught.value.reason) == (line, reason)


def test_a_diagram_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mermaid, "_thread", type("Thread", (), {})())
    monkeypatch.setattr(mermaid, "_SECONDS", 0.2)
    links = "\n".join(f"n{at} --> n{at * 7 % 400}\nn{at} --> n{at + 1}" for at in range(400))
    started = time.monotonic()
    with pytest.raises(DiagramError, match="takes longer than"):
        draw(f"flowchart TD\n{links}")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "fence",
    [
        "```mermaid\ngraph TD; A-->B\n```",
        "~~~mermaid\ngraph TD; A-->B\n~~~",
        "``` {.mermaid}\ngraph TD; A-->B\n```",
        "```{.mermaid}\ngraph TD; A-->B\n```",
        "````` mermaid\ngraph TD; A-->B\n`````",
        "> ```mermaid\n> graph TD; A-->B\n> ```",
    ],
)
def test_every_fence_becomes_a_picture(fence: str) -> None:
    made = draft(fence)
    html = pf.stringify(made.doc)
    block = made.doc.content[0]
    block = block.content[0] if isinstance(block, pf.BlockQuote) else block
    assert isinstance(block, pf.Div) and block.classes == ["diagram"], html
    assert block.content[0].format == "html" and block.content[0].text.startswith("<svg ")
    assert list(made.messages) == []


def test_width_and_name_on_a_web_page() -> None:
    made = draft('```{.mermaid width=50% #flow alt="Two steps"}\ngraph LR; A-->B\n```\n\n```mermaid\ngraph LR; A-->B\n```')
    first, second = made.doc.content
    assert first.identifier == "flow"
    assert "width:50%;max-width:100%;height:auto" in first.content[0].text
    assert '<title id="diagram-1-title">Two steps</title>' in first.content[0].text
    assert 'id="diagram-2-title">A; B</title>' in second.content[0].text


def test_a_figure_keeps_its_caption_and_names_the_picture() -> None:
    caption = pf.Caption(pf.Plain(pf.Str("Training")))
    figure = pf.Figure(pf.CodeBlock(TRAINING, classes=["mermaid"]), caption=caption, identifier="fig-t")
    made = Draft(pf.Doc(figure), Settings(), Messages(), "print")
    diagrams.run(made)
    svg = figure.content[0].text
    assert figure.classes == ["diagram"] and pf.stringify(figure.caption).strip() == "Training"
    assert '<title id="diagram-1-title">Training</title>' in svg and "var(" not in svg
    width, height = (float(size) for size in re.search(r"width:([\d.]+)em;height:([\d.]+)em", svg).groups())  # type: ignore[union-attr]
    assert width < 32 and height < 44


def test_a_caption_that_no_other_pass_has_taken_makes_a_figure() -> None:
    made = draft('```{.mermaid #fig-x caption="The *cycle*"}\ngraph LR; A-->B\n```')
    figure = made.doc.content[0]
    assert isinstance(figure, pf.Figure) and figure.identifier == "fig-x" and figure.classes == ["diagram"]
    assert isinstance(figure.caption.content[0].content[2], pf.Emph)
    assert "The cycle</title>" in figure.content[0].text


def test_latex_gets_a_pdf_as_large_as_the_picture(tmp_path: Path) -> None:
    made = draft("```{.mermaid width=50%}\ngraph LR; A-->B\n```", "latex", tmp_path)
    image = made.doc.content[1].content[0]
    assert image.attributes == {"width": "50%"}
    assert re.fullmatch(r"media/[0-9a-f]{32}\.pdf", image.url)
    with pikepdf.open(tmp_path / Path(image.url).name) as pdf:
        assert [round(float(edge)) for edge in pdf.pages[0].mediabox] == [0, 0, 92, 37]


def test_word_processors_get_pixels_and_markdown_keeps_the_source(tmp_path: Path) -> None:
    image = draft("```mermaid\ngraph LR; A-->B\n```", "docx", tmp_path).doc.content[0].content[0]
    assert (tmp_path / Path(image.url).name).read_bytes().startswith(b"\x89PNG")
    assert image.attributes == {"width": "1.28in"}
    assert isinstance(draft("```mermaid\ngraph LR; A-->B\n```", "gfm").doc.content[0], pf.CodeBlock)


def test_a_broken_diagram_keeps_its_source_and_is_told_once() -> None:
    made = draft("```mermaid\nthis is not a diagram\n```\n\n```mermaid\nthis is not a diagram\n```")
    assert [block.text for block in made.doc.content] == ["this is not a diagram"] * 2
    assert [message.text for message in made.messages] == [
        'diagram "this is not a diagram": "this is not a diagram" is no kind of Mermaid diagram; its source is printed instead'
    ]


def test_without_the_renderer_there_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mermaid, "_thread", type("Thread", (), {})())
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    made = draft("```mermaid\ngraph TD; A-->B\n```\n\n```mermaid\ngraph TD; C-->D\n```")
    assert all(isinstance(block, pf.CodeBlock) for block in made.doc.content)
    assert [message.text.partition(" (")[0] for message in made.messages] == ["diagrams cannot be drawn"]


def test_the_cache_gives_what_was_drawn(tmp_path: Path) -> None:
    cache = Cache("diagrams", tmp_path)
    first = draw(TRAINING, cache=cache)
    cache.close()
    assert draw(TRAINING, cache=Cache("diagrams", tmp_path)) == first


def test_an_authors_svg_is_a_pdf_in_latex_only(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    rectangle = '<rect width="60" height="30"/>'
    (tmp_path / "a b.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">{rectangle}</svg>')
    (tmp_path / "bad.svg").write_text("not an SVG")
    text = "![](a%20b.svg){width=3cm} ![](bad.svg) ![](missing.svg) ![](https://example.org/x.svg)"
    made = draft(text, "latex", tmp_path / "media", note)
    first, *others = (inline for inline in made.doc.content[0].content if isinstance(inline, pf.Image))
    with pikepdf.open(tmp_path / "media" / Path(first.url).name) as pdf:
        assert [float(edge) for edge in pdf.pages[0].mediabox] == [0, 0, 45, 22.5]
    assert [image.url for image in others] == ["bad.svg", "missing.svg", "https://example.org/x.svg"]
    assert [message.text.partition(":")[0] for message in made.messages] == ["picture `bad.svg` cannot be converted for LaTeX"]
    assert draft("![](d.svg)", "html", tmp_path, note).doc.content[0].content[0].url == "d.svg"


def test_sizes_of_svg_files() -> None:
    def size(attributes: str) -> tuple[float, float]:
        return svg_pdf.size(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>'.encode())

    assert size('width="10mm" height="5mm"') == pytest.approx((28.346, 14.173), abs=0.001)
    assert size('viewBox="0 0 200 100"') == (150, 75)
    assert size('width="100%" viewBox="0,0,40,20"') == (30, 15)
    with pytest.raises(svg_pdf.NotSvg):
        svg_pdf.size(b"<html/>")


def test_names_of_pictures_without_a_title_are_their_labels() -> None:
    assert labels(draw("flowchart LR\nA[One] --> B[Two]")) == "One; Two"
