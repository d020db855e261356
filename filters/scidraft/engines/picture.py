"""Makes pictures for every medium of what the layout engine draws: one body, its colours filled in at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

import tinycss2.color3

from scidraft.engines.label_maths import LabelMaths
from scidraft.engines.typefaces import Typeface

if TYPE_CHECKING:
    from scidraft.engines.mermaid import Diagram

_SIZE = 16.0
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


class Slot(NamedTuple):
    """A colour: the name authors override it by (--fig-…), the page's variable (--sd-…), the value on light paper."""

    name: str
    page: str
    light: str


#: By the engine's own variable. The page's variables and the values are those of the visual standard, so that the
#: picture follows the page into the dark; nothing here is a colour of a Mermaid theme.
SLOTS = {
    "--_bg": Slot("paper", "paper", "#fffefb"),
    "--_fg": Slot("text", "ink", "#1c1b19"),
    "--_m": Slot("muted", "ink-2", "#57534c"),
    "--_l": Slot("line", "rule-strong", "#8b857a"),
    "--_b": Slot("border", "rule-strong", "#8b857a"),
    "--_s": Slot("fill", "panel", "#f6f4ee"),
    "--_a": Slot("group", "panel", "#f6f4ee"),
    "--_c": Slot("accent", "link", "#0b4f8a"),
    "--pele-critical": Slot("critical", "error", "#a3140f"),
    "--pele-series-1": Slot("series-1", "link", "#0b4f8a"),
    "--pele-series-2": Slot("series-2", "code-num", "#8a4b08"),
    "--pele-series-3": Slot("series-3", "code-str", "#1f6132"),
    "--pele-series-4": Slot("series-4", "code-kw", "#7a1f5c"),
    "--pele-series-5": Slot("series-5", "ink-3", "#6f6a61"),
    "--pele-series-6": Slot("series-6", "error", "#a3140f"),
    "--pele-series-7": Slot("series-7", "rule-strong", "#8b857a"),
    "--pele-series-8": Slot("series-8", "ink", "#1c1b19"),
}
_RADIUS = "2"
_BOLD = {"--_tw", "--_hw", "--_w"}
_VARIABLE = re.compile(r"var\((--[\w-]+)(?:,([^()]*))?\)")
_MIX = re.compile(r"color-mix\(in srgb, *(#[0-9a-f]{6}) ([\d.]+)%, *(#[0-9a-f]{6})\)")


def picture(svg: str, face: Typeface, maths: LabelMaths) -> tuple[str, str, str]:
    """The body, title and description of the engine's drawing `svg`, set in `face`, with its five faults repaired.

    Formulas of `maths` are put in. The faults:

    1. the root's `font:` shorthand sets a font that most programs cannot read; the size stands on a group instead;
    2. the font family is left to whoever shows the picture;
    3. `color-mix()` is worked out where colours are fixed (`fixed`);
    4. a line of several styles is centred as one run, which only browsers do: every run gets its own place;
    5. corners are rounded by a CSS property, which only browsers read: they become attributes.
    """
    root = ElementTree.fromstring(svg.replace(_NAMESPACE, "", 1))
    title, description = (root.findtext(name, "") for name in ("title", "desc"))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in ("title", "desc"):
                parent.remove(child)
    for element in root.iter():
        _clean(element)
    for element in root.iter("g"):
        _keep_readable(element)
    _place_all_runs(root, face, _SIZE)
    maths.put(root, face, _SIZE)
    root.attrib.clear()
    root.tag = "g"
    # What surrounds the picture may be italic or bold; its labels were not measured so.
    root.attrib.update({"font-size": f"{_SIZE:g}", "font-weight": "400", "font-style": "normal"})
    return ElementTree.tostring(root, encoding="unicode"), title.strip(), description.strip()


def _clean(element: ElementTree.Element) -> None:
    for name in [name for name in element.attrib if name in ("class", "id") or name.startswith(("data-", "aria-"))]:
        del element.attrib[name]
    for name, value in element.attrib.items():
        element.set(name, _VARIABLE.sub(_slot, value))
    # All labels were measured in the one face, also those for which the engine would have taken a monospaced one.
    element.attrib.pop("font-family", None)
    if element.get("rx") == "var(--_r)":
        element.set("rx", _RADIUS)
    style = element.get("style", "")
    if "rx:" in style:
        element.set("rx", _RADIUS)
        style = re.sub(r"rx:[^;]*;?", "", style)
    element.attrib.pop("style", None)
    # An author's `style` and `classDef`: as attributes every program understands them.
    for name, _, value in (part.partition(":") for part in style.split(";") if part.strip()):
        element.set(name.strip(), value.strip())


def _slot(found: re.Match[str]) -> str:
    """What stays of a variable: a colour is still open, a weight is not; of any other, the engine's own value."""
    if found[1] in SLOTS:
        return f"var({found[1]})"
    return "bold" if found[1] in _BOLD else found[2] or "inherit"


def _keep_readable(group: ElementTree.Element) -> None:
    """An author's fill without a text colour was chosen for the text of a light page: on a dark one it needs it too."""
    for child in group:
        colour = tinycss2.color3.parse_color(child.get("fill", "")) if child.tag not in ("text", "g") else None
        if not isinstance(colour, tinycss2.color3.RGBA) or colour.alpha < 0.5:
            continue
        light = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue > 0.5
        for text in group.iter("text"):
            text.attrib.setdefault("fill", SLOTS["--_fg" if light else "--_bg"].light)
        return


def _place_all_runs(parent: ElementTree.Element, face: Typeface, size: float) -> None:
    for child in parent:
        own = float(child.get("font-size", str(size)).removesuffix("px"))
        if child.tag == "text":
            _place_runs(child, face, own)
        else:
            _place_all_runs(child, face, own)


def _place_runs(text: ElementTree.Element, face: Typeface, size: float) -> None:
    runs = list(text.iter("tspan"))
    placed = not runs or all(run.get("x") for run in runs) or (text.text or "").strip()
    if placed or text.get("text-anchor") != "middle":
        return
    for line in _lines(runs):
        bold = [run.get("font-weight", text.get("font-weight")) == "bold" for run in line]
        italic = [run.get("font-style", text.get("font-style")) == "italic" for run in line]
        widths = [face.width(run.text or "", size, bold=b, italic=i) for run, b, i in zip(line, bold, italic, strict=True)]
        x, y = float(line[0].get("x") or text.get("x") or 0) - sum(widths) / 2, line[0].get("y")
        for run, width in zip(line, widths, strict=True):
            run.set("x", f"{x:.2f}")
            if y:
                run.set("y", y)
            run.attrib.pop("text-anchor", None)
            x += width
    text.set("text-anchor", "start")


def _lines(runs: list[ElementTree.Element]) -> Iterator[list[ElementTree.Element]]:
    line: list[ElementTree.Element] = []
    for run in runs:
        if run.get("x") is not None and line:
            yield line
            line = []
        line.append(run)
    yield line


def labels(diagram: Diagram, most: int = 200) -> str:
    """The words in the picture in the order they are drawn, cut after about `most` characters."""
    found = ElementTree.fromstring(diagram.body).iter()
    texts = ("".join(each.itertext()) if each.tag == "text" else each.get("aria-label", "") for each in found)
    words = "; ".join(dict.fromkeys(text.strip() for text in texts if text.strip()))
    return words if len(words) <= most else words[:most].rsplit("; ", 1)[0] + " …"


def web(diagram: Diagram, face: Typeface, identifier: str, title: str, style: str) -> str:
    """The picture as inline SVG of a web page: colours are the page's variables, with the light values to fall back on.

    `identifier` must be the picture's own on its page; `title` is read to those who do not see it; `style` is CSS for
    its size.
    """
    used = {"--_fg", *(found[1] for found in _VARIABLE.finditer(diagram.body))}
    slots = "".join(
        f"{variable}:var(--fig-{name},var(--sd-{page},{light}));"
        for variable, (name, page, light) in SLOTS.items()
        if variable in used
    )
    return _svg(diagram, diagram.body, face, "var(--_fg)", identifier, title, slots + style)


def fixed(diagram: Diagram, face: Typeface, identifier: str = "diagram", title: str = "", style: str = "") -> str:
    """The picture with the light colours, on white, for print and for programs that read no CSS variables."""
    body = _VARIABLE.sub(lambda found: "#ffffff" if found[1] == "--_bg" else SLOTS[found[1]].light, diagram.body)
    return _svg(diagram, _MIX.sub(_mixed, body), face, SLOTS["--_fg"].light, identifier, title, style)


def _mixed(found: re.Match[str]) -> str:
    share = float(found[2]) / 100
    one, other = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (found[1], found[3]))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in zip(one, other, strict=True))


def _svg(diagram: Diagram, body: str, face: Typeface, ink: str, identifier: str, title: str, style: str) -> str:
    width, height = (f"{size:g}" for size in (diagram.width, diagram.height))
    words = attributes = ""
    for element, attribute, text in (("title", "labelledby", title), ("desc", "describedby", diagram.description)):
        if text:
            words += f'<{element} id="{identifier}-{element}">{escape(text, quote=False)}</{element}>'
            attributes += f' aria-{attribute}="{identifier}-{element}"'
    # WeasyPrint lets a height attribute win over `height: auto`, so there is one size or the other.
    size = f'style="{style}"' if style else f'width="{width}" height="{height}"'
    return (
        f'<svg{_NAMESPACE} viewBox="0 0 {width} {height}" {size} role="img"{attributes} fill="{ink}" '
        f'font-family="{face.css}">{words}{body}</svg>'
    )
