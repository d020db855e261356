"""Draws TeX formulas as SVG with MathJax, run inside quickjs-ng: no Node, no browser, no network."""

from __future__ import annotations

import hashlib
import json
import resource
import threading
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scidraft.engines import cache as cached
from scidraft.macros import Macros, used_macros
from scidraft.paths import ASSETS
from scidraft.tex import DEEPEST, depth

if TYPE_CHECKING:
    import quickjs

Font = Literal["newcm", "stix2"]

FOLDER = ASSETS / "mathjax"
_DRIVER = Path(__file__).with_name("mathjax.js")
#: In the order of their dependences; `tex/` holds the TeX packages, of which some need others first.
_CORE = ("loader.js", "core.js", "liteDOM.js", "startup.js", "tex-base.js")
_PACKAGES = (
    *("newcommand", "enclose", "textmacros", "ams", "empheq"),
    *("action", "amscd", "bbox", "boldsymbol", "braket", "bussproofs", "cancel", "cases", "centernot", "color"),
    *("colortbl", "configmacros", "extpfeil", "gensymb", "html", "mathtools", "mhchem", "textcomp"),
    *("unicode", "units", "upgreek", "verb"),
)
#: Those that give common names a meaning of their own, and come only where they are asked for.
EXTRA_PACKAGES = frozenset({"physics"})
_STUBS = """
globalThis.console = { warn() {}, log() {}, error() {} };
globalThis.MathJax = { loader: { load: [] }, startup: { typeset: false } };
"""
_STACK = 6 << 20  # bytes; nested formulas are nested calls, and 1 MB would end at five continued fractions
_SMALL_STACK = 384 << 10  # where the system gives less
_RESERVE = 2 << 20  # for what runs outside of JavaScript
_SECONDS = 10.0  # for one formula; a page of maths takes a hundredth
_LONGEST = 20_000  # characters, some 2,000 em of formula
_EM = 1000  # units of a viewBox
_TOO_DEEP = "the formula is nested too deeply"


def is_installed() -> bool:
    """Whether MathJax's files are there; a checkout gets them from its set-up, a wheel has them."""
    return (FOLDER / "core.js").is_file()


class FormulaError(ValueError):
    """A formula that cannot be drawn; `reason` is for its author."""

    def __init__(self, reason: str) -> None:
        """Keep the reason, in MathJax's words where it has some."""
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Drawing:
    """A formula drawn; lengths in em of the text around it.

    `svg` has width, height and vertical-align in em, the colour of the text, and no ids. `depth`: how far it reaches
    below the baseline. Heights over the bottom of the picture: `rows`, the baseline of each row; `whole`, where the one
    number of the whole stands; `last`, the baseline of the last line, also where a row is itself an array of lines.
    `numbers`: each row's \\tag as printed, which is not in the picture.
    """

    svg: str
    width: float
    height: float
    depth: float
    rows: tuple[float, ...]
    whole: float
    last: float
    numbers: tuple[str | None, ...]


class Engine:
    """MathJax, started at the first formula that the cache does not hold."""

    def __init__(self, cache: cached.Cache | None = None) -> None:
        """`cache`: where drawings are kept; by default the one on disk. Call `close` to save it."""
        self._cache = cache if cache is not None else cached.Cache("maths")
        self._context: quickjs.Context | None = None
        self._extra: set[str] = set()

    @property
    def started(self) -> bool:
        """Whether the JavaScript engine had to be started."""
        return self._context is not None

    def draw(
        self, tex: str, *, display: bool, font: Font, macros: Macros, width_em: float, extra: frozenset[str] = frozenset()
    ) -> Drawing:
        """Draw `tex`; a display wider than `width_em` breaks at its relations. Raises FormulaError.

        `macros` (by name without backslash) and what the formula itself defines hold for this formula alone; `extra`
        are those of EXTRA_PACKAGES that hold, too.
        """
        used = used_macros(tex, macros)
        width = width_em if display else 0.0
        key = cached.key(fingerprint(), tex, display, font, list(used.items()), width, *sorted(extra))
        tex = _well_formed(tex)
        answer = _load(self._cache.get(key))
        if answer is None:
            answer = self._ask(tex, display, font, used, width_em, sorted(extra))
            self._cache.put(key, json.dumps(answer))
        if "error" in answer:
            raise FormulaError(str(answer["error"]))
        return _drawing(answer)

    def save(self) -> None:
        """Write new drawings to the disk."""
        self._cache.save()

    def close(self) -> None:
        """Save the cache and let go of the engine."""
        self._cache.close()
        self._context = None

    def _ask(self, tex: str, display: bool, font: Font, macros: Macros, width: float, extra: list[str]) -> dict[str, Any]:
        if depth(tex) > DEEPEST:
            return {"error": _TOO_DEEP}
        if len(tex) > _LONGEST:
            return {"error": f"the formula is longer than {_LONGEST:,} characters"}
        import quickjs

        if self._context is None:
            self._context, self._extra = _start(), set()
        context = self._context
        for name in extra:
            if name not in self._extra:
                context.eval(_read(FOLDER / f"tex/{name}.js"))
                self._extra.add(name)
        definitions = json.dumps([[name, *macro] for name, macro in macros.items()])
        try:
            answer: dict[str, Any] = {"needed": []}
            while "needed" in answer:
                for path in answer["needed"]:
                    context.get("addSource")(path, _font_source(path))
                answer = json.loads(context.get("drawFormula")(tex, display, font, definitions, width, " ".join(extra)))
        except quickjs.JSException as error:
            answer = {"error": str(error), "fromTeX": False}
        if "error" not in answer:
            return answer
        if not answer["fromTeX"]:
            self._context = None  # its state is unknown: begin again with the next formula
        return {"error": _explain(str(answer["error"]), from_tex=answer["fromTeX"])}


def _start() -> quickjs.Context:
    """A JavaScript context with MathJax in it."""
    import quickjs

    context = quickjs.Context()
    context.set_max_stack_size(_stack())
    context.eval(_STUBS)
    for name in (*_CORE, *(f"tex/{package}.js" for package in _PACKAGES), "svg.js"):
        context.eval(_read(FOLDER / name))
    context.eval(_read(_DRIVER))
    context.get("addSource")("mhchem/svg", _font_source("mhchem/svg"))
    context.set_time_limit(_SECONDS)
    return context


def _stack() -> int:
    """How much of this thread's stack JavaScript may have: threads other than the main one may have little of it."""
    limit, _ = resource.getrlimit(resource.RLIMIT_STACK)
    enough = limit == resource.RLIM_INFINITY or limit >= _STACK + _RESERVE
    return _STACK if enough and threading.current_thread() is threading.main_thread() else _SMALL_STACK


def _font_source(path: str) -> str | None:
    """The text of a font's data file, `path` being font/svg (its main one) or font/name, or None."""
    font, _, name = path.partition("/")
    file = FOLDER / "fonts" / font / ("svg.js" if name == "svg" else f"dynamic/{name}.js")
    return _read(file) if file.is_file() else None


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@once
def fingerprint() -> str:
    """What the look of a drawing depends on besides its input: MathJax, its fonts, our driver."""
    digest = hashlib.blake2b(digest_size=12)
    for path in (Path(__file__), _DRIVER, FOLDER / "core.js", FOLDER / "svg.js", *sorted(FOLDER.glob("fonts/*/svg.js"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _well_formed(tex: str) -> str:
    """What can cross to JavaScript: no lone surrogates, no NUL, at which it would end."""
    return tex.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _explain(error: str, *, from_tex: bool) -> str:
    """The author's side of an error: MathJax's words about the TeX, or what a failure of the engine itself means."""
    first = error.strip().partition("\n")[0]
    if "maximum macro substitution" in first or "buffer size exceeded" in first:
        return "a macro calls itself without end"
    if "stack" in first:
        return _TOO_DEEP
    if "interrupted" in first:
        return f"the formula takes more than {_SECONDS:g} seconds"
    return first if from_tex else f"the maths engine failed: {first}"


def _load(text: str | None) -> dict[str, Any] | None:
    try:
        answer = json.loads(text) if text else None
    except ValueError:
        return None
    return answer if isinstance(answer, dict) and ("error" in answer or "body" in answer) else None


def _drawing(answer: dict[str, Any]) -> Drawing:
    """The drawing from MathJax's answer: its viewBox is in thousandths of an em, whatever the font's x-height."""
    left, top, wide, tall = (float(value) for value in str(answer["viewBox"]).split())
    style = f"vertical-align:{_em(-top - tall)};overflow:visible"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_em(wide)}" height="{_em(tall)}"'
        f' viewBox="{left:g} {top:g} {wide:g} {tall:g}" style="{style}">{answer["body"]}</svg>'
    )
    rows = tuple(_to_em(row) for row in answer["rows"])
    return Drawing(
        svg=svg,
        width=_to_em(wide),
        height=_to_em(tall),
        depth=_to_em(top + tall),
        rows=rows,
        whole=_to_em(answer["whole"]),
        last=_to_em(answer["last"]),
        numbers=tuple(answer["numbers"] or [None] * len(rows)),
    )


def _to_em(units: float) -> float:
    return round(units / _EM, 4)


def _em(units: float) -> str:
    return f"{round(units / _EM, 3) + 0:g}em"
