"""Draws Mermaid diagrams: text in, an SVG with a slot for every colour out, without a browser.

The layout is that of mermaid-render, a wheel that carries the Pele engine (JavaScript) for QuickJS. Its public function
measures with one sans-serif font and bakes a theme in, so its bundle is run here directly, with our own measure and
column width. That is a private interface: hence the exact pin, mermaid-render==0.14.1, and
`_bundle` looks before it runs.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import asdict, dataclass
from importlib import util
from pathlib import Path
from typing import Any

from scidraft.engines import cache as disk
from scidraft.engines.label_maths import LabelMaths
from scidraft.engines.mathjax import FormulaError
from scidraft.engines.picture import picture
from scidraft.engines.typefaces import Typeface, web_face

#: The size of labels in the picture's own units; everything else is measured by it.
LABEL_SIZE = 16
#: A full column in those units: 32 em of text, labels at 0.84 em as captions are.
COLUMN = 608
#: Up to this much wider a picture is made smaller; beyond, it is laid out anew, from above to below.
_SHRINK = 1.25
#: Longer labels of flowcharts are wrapped, where the column has room for them in one line.
_WRAP = 320
_SECONDS = 10
_MEMORY = 256 * 1024 * 1024
#: Part of every key of the cache: to be raised with every change of how a diagram comes out.
_VERSION = "mermaid-render 0.14.1, drawing 2"

_DRAW = """
function scidraftDraw(source, column, shrink, wrap, tables) {
  const measurer = {width(text, size, style) {
    const table = tables[(style & 1) + (style & 2)];
    let width = 0;
    for (const sign of text) width += table[sign] ?? (sign.codePointAt(0) >= 0x2e80 ? 1 : 0.6);
    return width * size;
  }};
  const options = {responsive: false, images: false, links: false, fontFamily: 'serif', measurer,
    maxWidth: column, autoDirection: false};
  try {
    pele.forgetTextWidths();
    const draw = (config, more) => pele.render(pele.parse(source, {config}), {...options, ...more});
    // Labels on one line where the column has room for them; else wrapped as mermaid.js wraps them.
    let drawing = draw({flowchart: {wrappingWidth: wrap}});
    if (drawing.width > column) drawing = draw({});
    // C4 boxes side by side hide the arrows between them under their labels.
    if (drawing.type === 'c4') drawing = draw({}, {maxWidth: 0.75 * column});
    if (drawing.width > column * shrink) drawing = draw({}, {autoDirection: true, directionBreakpoint: 2 * column});
    return JSON.stringify({drawing});
  } catch (error) {
    return JSON.stringify({error: {message: String(error.message), code: error.code || '', line: error.line || 0}});
  }
}
"""


class RendererMissing(RuntimeError):
    """The wheel that draws is not installed, or not the version that is known."""


class DiagramError(ValueError):
    """A diagram that cannot be drawn; `line` counts from 1 within the diagram, None when it is not known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        """Keep `reason`, in the author's terms, and `line`."""
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True)
class Diagram:
    """A drawing: `body` is SVG whose colours are slots; a unit of `width` and `height` is 1/LABEL_SIZE of a label."""

    kind: str
    width: float
    height: float
    body: str
    title: str = ""
    description: str = ""


def draw(source: str, face: Typeface | None = None, cache: disk.Cache | None = None) -> Diagram:
    """Draw the Mermaid text `source` in `face` (default: the web page's).

    Raises `DiagramError` for text that is no diagram, or one that takes too long, and `RendererMissing`.
    """
    face = face or web_face()
    key = disk.key(_VERSION, face.name, [file.path.name for file in face.files], source)
    if cache and (kept := cache.get(key)):
        return Diagram(**json.loads(kept))
    if not source.strip():
        raise DiagramError("it is empty")
    _context()
    try:
        maths = LabelMaths.of(source, face.maths)
    except FormulaError as error:
        raise DiagramError(f"a formula in it cannot be set: {error.reason}") from error
    except OSError as error:
        raise DiagramError("MathJax, which its formulas need, is not installed") from error
    reply = _run(maths, face)
    if "error" in reply:
        raise _error(source, **reply["error"])
    drawing = reply["drawing"]
    diagram = Diagram(drawing["type"], drawing["width"], drawing["height"], *picture(drawing["svg"], face, maths))
    if cache:
        cache.put(key, json.dumps(asdict(diagram), ensure_ascii=False))
    return diagram


_thread = threading.local()


def _bundle() -> Path:
    found = util.find_spec("mermaid_render")
    bundle = Path(found.origin).parent / "pele" / "pele.global.js" if found and found.origin else None
    if bundle is None or not bundle.is_file():
        raise RendererMissing("mermaid-render 0.14.1 is not installed")
    return bundle


def _context() -> Any:
    if getattr(_thread, "context", None) is None:
        bundle = _bundle()
        try:
            import quickjs
        except ImportError as error:
            raise RendererMissing("quickjs-ng is not installed") from error
        context = quickjs.Context()
        context.set_memory_limit(_MEMORY)
        context.set_time_limit(_SECONDS)
        context.eval(bundle.read_text(encoding="utf-8"))
        context.eval(_DRAW)
        _thread.context = context
    return _thread.context


def _run(maths: LabelMaths, face: Typeface) -> dict[str, Any]:
    source = maths.source
    # Signs that the engine writes by itself (guillemets, ellipsis, entities) are Latin or in the source as numbers.
    entities = {chr(int(code)) for code in re.findall(r"#(\d{2,6});", source) if int(code) < 0x110000}
    signs = sorted({chr(code) for code in (*range(0x20, 0x180), *range(0x2010, 0x2040))} | entities | set(source))
    tables = [table | maths.advances for table in face.tables(signs)]
    arguments = ", ".join(json.dumps(part) for part in (source, COLUMN, _SHRINK, _WRAP, tables))
    context = _context()
    try:
        reply: dict[str, Any] = json.loads(context.eval(f"scidraftDraw({arguments})"))
    except Exception as error:
        # A context that was stopped, or ran out of memory, is not to be trusted with the next diagram.
        _thread.context = None
        reason = "out of memory" if "memory" in str(error) else f"it takes longer than {_SECONDS} seconds to draw"
        raise DiagramError(reason) from error
    return reply


def _error(source: str, message: str, code: str, line: int) -> DiagramError:
    """Pele's message in the author's terms: the parser's token names are of no use to anyone."""
    if code == "unsupported-diagram":
        first = next((line for line in map(str.strip, source.splitlines()) if line and line[:2] != "%%"), "")
        return DiagramError(f'"{first[:40]}" is no kind of Mermaid diagram')
    if line:
        lines = source.splitlines()
        words = lines[line - 1].strip() if line <= len(lines) else ""
        got = re.search(r"got '([^']*)'", message)
        ended = got is not None and got[1] in {"EOF", "NEWLINE", "1"}
        return DiagramError(f'"{words}" ' + ("breaks off" if ended else "is not understood"), line)
    return DiagramError(message.splitlines()[0] if message else "the drawing program failed")
