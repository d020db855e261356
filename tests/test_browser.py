"""The web pages of the notes in a real browser: nothing cut, hidden, pale or lost, at any width, in the light and in the dark."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from browser import MISSING, Browser, BrowserError
from golden_cases import TESTS
from scidraft.build import build
from scidraft.note import Task

NOTES = TESTS.parent / "notes"
CHECKS = (TESTS / "page_checks.js").read_text(encoding="utf-8")
FEW = ("kv-cache", "woodbury", "writing")  # statements, displays of several rows, pictures, tables, code, notes
#: Theme, medium of formulas, and the notes that are looked at in them; all of them in the usual ones.
SETS = {
    ("article", "svg"): tuple(sorted(path.stem for path in NOTES.glob("*.md"))),
    ("article", "mathml"): FEW,
    ("handout", "svg"): FEW,
    ("handout", "mathml"): ("woodbury",),
    ("lecture", "svg"): FEW,
    ("lecture", "mathml"): ("woodbury",),
}
PAGES = [f"{theme}-{medium}/{name}.html" for (theme, medium), names in SETS.items() for name in names]
WIDTHS = (320, 768, 1440)
SAID = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each theme and medium, with the pages of the notes."""
    root = tmp_path_factory.mktemp("site")
    for (theme, medium), names in SETS.items():
        folder = root / f"{theme}-{medium}"
        sources = folder / "notes"
        shutil.copytree(NOTES, sources)
        for name in names:
            note = sources / f"{name}.md"
            _, front, body = note.read_text(encoding="utf-8").split("---\n", 2)
            metadata = yaml.safe_load(front)
            metadata.setdefault("scidraft", {}).update(theme=theme, math=medium)
            note.write_text(f"---\n{yaml.safe_dump(metadata, allow_unicode=True)}---\n{body}", encoding="utf-8")
        tally = build([sources / f"{name}.md" for name in names], Task(folder, ("html",)))
        assert (tally.written, tally.failed) == (len(names), 0)
    return root


class Quiet(SimpleHTTPRequestHandler):
    """Serves the site; says nothing, and has no icon, which a browser asks of a server whatever the page says."""

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served: from disk a browser says that it preloads no fonts."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Browser.program():
        pytest.fail(MISSING, pytrace=False)
    with Browser() as started:
        yield started


def open_page(browser: Browser, address: str, width: int = 1440) -> None:
    browser.window(width)
    browser.open(address)
    browser.run(CHECKS)


def faults(browser: Browser, *names: str) -> list[str]:
    found: list[str] = []
    for name in names:
        found += browser.run(f"checks.{name}()")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_all_it_has(browser: Browser, address: str, page: str) -> None:
    open_page(browser, address + page, WIDTHS[0])
    found: list[str] = []
    for width in WIDTHS:
        browser.window(width)
        found += [f"{width}px: {fault}" for fault in faults(browser, "sideways", "cut", "overlapping")]
    for scheme in ("light", "dark"):
        with browser.media(prefers_color_scheme=scheme):
            found += [f"{scheme}: {fault}" for fault in faults(browser, "contrast")]
    found += faults(browser, "identifiers")
    assert found == []
    requests = [event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"]
    folder = address + page.partition("/")[0]
    assert len(requests) > 1
    own = (f"{folder}/{Path(page).name}", f"{folder}/assets/", f"{address}favicon.ico")
    assert [each for each in requests if not each.startswith(own)] == []
    assert [event["params"] for event in browser.events if event["method"] in SAID] == []


ENDS = r"""
::: proof
One. $$\begin{aligned} a &= b \\ &= \frac{d}{e}. \end{aligned}$$
:::

::: proof
Two. $$\begin{align*} a &= b \\ &= \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}. \end{align*}$$
:::

::: proof
Three. $$\begin{gather*} a + b \\ \sum_{i=1}^n i = 1. \end{gather*}$$
:::

::: proof
Four. $$f = \begin{cases} 1 & x \\ 0 & y. \end{cases}$$
:::

::: proof
Five. $$\begin{align} a &= b \label{eq-a} \\ &= c \label{eq-b} \end{align}$$
:::

::: proof
Six.
:::
"""
#: How far the middle of each mark is from that of the last relation of its display; only MathML has signs to measure.
AXES = """[...document.querySelectorAll(".proof:has(.equation) .qed")].map((mark) => {
  const middle = (each) => { const box = each.getBoundingClientRect(); return (box.top + box.bottom) / 2; };
  const relation = [...mark.closest(".statement").querySelectorAll("math mo")].filter((each) => each.textContent === "=").at(-1);
  return middle(mark) - middle(relation);
})"""


@pytest.mark.parametrize("medium", ["svg", "mathml"])
@pytest.mark.parametrize("theme", ["article", "handout", "lecture"])
def test_proof_marks_stand_on_the_last_row(browser: Browser, tmp_path: Path, theme: str, medium: str) -> None:
    note = tmp_path / "ends.md"
    note.write_text(f"---\ntitle: Ends\nscidraft:\n  theme: {theme}\n  math: {medium}\n---\n{ENDS}", encoding="utf-8")
    assert build([note], Task(tmp_path / "build", ("html",))).failed == 0
    for width in WIDTHS:
        open_page(browser, (tmp_path / "build" / "ends.html").as_uri(), width)
        assert faults(browser, "sideways", "cut", "overlapping") == []
        if medium == "mathml":
            *beside, below = browser.run(AXES)
            assert [round(distance) for distance in beside if abs(distance) > 4] == []
            assert below > 15  # the rows have numbers


FAULTY = """<!DOCTYPE html><html lang="en"><title>Faults</title><style>body { margin: 0; background: #fff }</style>
<p style="color: #777">Too pale on white, by a hair.</p>
<p style="background: #222; color: #444">Dark on dark.</p>
<svg width="200" height="40"><rect width="200" height="40" fill="#888"/><text x="9" y="20" fill="#777">In a drawing.</text></svg>
<p style="width: 340px; white-space: nowrap">Words that need more than the room there is, on every window that is narrow.</p>
<p style="width: 60px; overflow: hidden; white-space: nowrap">Words that are cut off at the end.</p>
<p style="visibility: hidden">Nobody sees this.</p><p style="display: none">Nor this.</p>
<span class="sidenote" style="position: absolute; top: 0">One note</span>
<span class="sidenote" style="position: absolute; top: 2px">Another</span>
<p id="a">A</p><p id="a">B</p><a href="#b">Lost</a><i aria-labelledby="c">i</i><img src="data:," alt="none">
"""


def test_the_checks_find_faults(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "faulty.html"
    page.write_text(FAULTY, encoding="utf-8")
    open_page(browser, page.as_uri(), 320)
    assert [fault.split(":")[0] for fault in faults(browser, "contrast")] == ["4.48", "1.63", "1.26"]
    assert [fault.split("wide")[1] for fault in faults(browser, "sideways")] == [" in 320px: p"]
    assert [fault.split(" in ")[0] for fault in faults(browser, "cut")] == [
        *("cut: “Words that need more than the room there”", "cut: “Words that are cut off at the end.”"),
        *("hidden: “Nobody sees this.”", "not shown: “Nor this.”", "no picture: data:,"),
    ]
    assert faults(browser, "overlapping") == ["note on note: “One note”"]
    assert faults(browser, "identifiers") == ["twice: #a", "leads nowhere: #b", "no element for a name: #c"]


#: Clicks on a link for every target; not those of lines of code, since a browser follows only 200 in ten seconds.
FOLLOW = """async () => {
  const lost = [];
  const found = document.querySelectorAll('[href^="#"]:not([aria-hidden])');
  const links = new Map([...found].map((link) => [link.getAttribute("href"), link]));
  for (const [href, link] of links) {
    const target = document.getElementById(decodeURIComponent(href.slice(1)));
    scrollTo(0, target.getBoundingClientRect().top > innerHeight ? 0 : document.documentElement.scrollHeight);
    link.click();
    let top;
    for (let patience = 50; patience; patience -= 1) {
      await new Promise((done) => setTimeout(done));
      top = target.getBoundingClientRect().top;
      if (0 <= top && top < innerHeight - 10) break;
    }
    if (!(0 <= top && top < innerHeight - 10) || location.hash !== href) lost.push(`${href} at ${top}`);
  }
  return [links.size, lost];
}"""


@pytest.mark.parametrize("page", ["article-svg/writing.html", "article-mathml/woodbury.html", "handout-svg/woodbury.html"])
def test_links_lead_to_what_they_name(browser: Browser, address: str, page: str) -> None:
    with browser.media(prefers_reduced_motion="reduce"):
        open_page(browser, address + page)
        count, lost = browser.run(f"({FOLLOW})()")
    assert count > 10
    assert lost == []


def test_notes_lead_back_to_their_marks(browser: Browser, address: str) -> None:
    with browser.media(prefers_reduced_motion="reduce"):
        open_page(browser, address + "article-svg/woodbury.html")
        back = browser.run("""[...document.querySelectorAll(".footnotes > ol > li")].map((note) => {
          const mark = document.querySelector(`.footnote-ref[href="#${note.id}"]`);
          const link = note.querySelector(".footnote-back");
          return [link?.getAttribute("href"), "#" + mark?.id, link?.getAttribute("role")];
        })""")
    assert back
    assert all(link == mark and role == "doc-backlink" for link, mark, role in back)


SHOWN = ".filter((each) => each.checkVisibility()).length"
RING = """(() => {
  const seen = document.activeElement;
  const style = getComputedStyle(seen);
  const box = seen.getBoundingClientRect();
  return [seen.localName, style.outlineStyle, parseFloat(style.outlineWidth), style.outlineColor, style.opacity,
          box.top >= 0 && box.bottom <= innerHeight];
})()"""


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(11, 98, 196)"), ("dark", "rgb(121, 180, 242)")])
def test_the_keyboard_shows_where_it_is(browser: Browser, address: str, scheme: str, colour: str) -> None:
    with browser.media(prefers_reduced_motion="reduce", prefers_color_scheme=scheme):
        open_page(browser, address + "article-svg/woodbury.html")
        links = browser.run(
            """[...document.querySelectorAll("a[href]:not([tabindex])")].filter((each) => each.checkVisibility()).length"""
        )
        seen: list[list[Any]] = []
        while not seen or seen[-1][0] != "body":
            browser.press("Tab")
            seen.append(browser.run(RING))
    assert [ring[0] for ring in seen].count("a") == links > 20
    assert {tuple(ring[1:]) for ring in seen[:-1]} == {("solid", 2, colour, "1", True)}


@pytest.mark.parametrize("page", ["article-svg/woodbury.html", "article-svg/writing.html", "article-mathml/writing.html"])
def test_every_formula_is_told_to_those_who_do_not_see_it(browser: Browser, address: str, page: str) -> None:
    open_page(browser, address + page)
    # The first piece of a long formula tells the whole.
    mute = browser.run("""[...document.querySelectorAll(".formula-source")].filter((each) => /^[$]|^.begin/.test(each.textContent)
      && !each.parentElement.matches(".narrow")
      && !(each.closest(".equation") ?? each.parentElement).querySelector("svg[role=img][aria-label], math")).length""")
    assert mute == 0
    written = browser.run("""[...document.querySelectorAll("math")]""" + SHOWN)
    named = browser.run(
        """[...document.querySelectorAll(".math > svg[role=img]")].filter((each) => each.checkVisibility()).length"""
    )
    nodes = browser.accessible()
    formulas = [node for node in nodes if node["role"]["value"] == "MathMLMath"]
    assert len(formulas) == written > 0
    assert all(node["childIds"] for node in formulas)
    images = [node["name"]["value"] for node in nodes if node["role"]["value"] == "image"]
    assert len([name for name in images if name]) == len(images) >= named
    told = "".join(node["name"]["value"] for node in nodes if node["role"]["value"] == "StaticText" and "name" in node)
    assert "\\frac" not in told.replace("\\frac{n^2 + n}{2}", "")  # in the guide's examples


def copied(browser: Browser, selector: str) -> str:
    """What a reader gets who selects the element, copies, and pastes into a text."""
    browser.run("(selector) => getSelection().selectAllChildren(document.querySelector(selector))", selector)
    browser.press("c", commands=["copy"])
    browser.run("""(() => {
      const field = document.querySelector("#pasted") ?? document.body.appendChild(document.createElement("textarea"));
      field.id = "pasted";
      field.value = "";
      field.focus();
    })()""")
    browser.press("v", commands=["paste"])
    return str(browser.run("""document.querySelector("#pasted").value"""))


COPIED = {
    "#lem-push": "Lemma 2 (Push through). Let $P \\in \\mathbb{R}^{n \\times r}$ and $Q \\in \\mathbb{R}^{r \\times n}$. "
    "Then $I_n + PQ$ is invertible if and only if $I_r + QP$ is, and in that case "
    "$$(I_n + PQ)^{-1} P = P\\,(I_r + QP)^{-1}.$$ (2)",
    # A long formula, drawn in pieces.
    "#lem-push + .proof": "Proof. Suppose that $I_n + PQ$ is invertible, and let $R = (I_n + PQ)^{-1} P$. Since "
    "$(I_r + QP)\\,Q = Q\\,(I_n + PQ)$, $$(I_r + QP)(I_r - Q R) = I_r + QP - Q\\,(I_n + PQ)\\,R = I_r ,$$ and a square matrix "
    "with a right inverse is invertible. The converse is the same argument with $P$ and $Q$ exchanged. Multiplying "
    "$P\\,(I_r + QP) = (I_n + PQ)\\,P$ by both inverses gives Equation (2). □",
}


@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("medium", ["svg", "mathml"])
def test_a_copied_sentence_has_its_formulas_in_tex(browser: Browser, address: str, medium: str, width: int) -> None:
    open_page(browser, f"{address}article-{medium}/woodbury.html", width)
    assert {selector: " ".join(copied(browser, selector).split()) for selector in COPIED} == COPIED


@pytest.mark.parametrize("colours", ["none", "active"])
@pytest.mark.parametrize("medium", ["svg", "mathml"])
def test_what_is_there_to_be_read_out_or_copied_is_not_seen(browser: Browser, address: str, medium: str, colours: str) -> None:
    with browser.media(forced_colors=colours):
        open_page(browser, f"{address}article-{medium}/woodbury.html", 768)
        seen = browser.screenshot()
        style = "<style>.formula-source, .formula-spoken { display: none }</style>"
        browser.run("""(style) => document.head.insertAdjacentHTML("beforeend", style)""", style)
        assert browser.screenshot() == seen
        browser.run("""document.querySelector("main").textContent = "" """)
        assert browser.screenshot() != seen


def test_print_from_the_browser(browser: Browser, address: str, tmp_path: Path) -> None:
    open_page(browser, address + "article-svg/woodbury.html", 768)
    with browser.media("print", prefers_color_scheme="dark"):
        assert faults(browser, "sideways", "overlapping", "contrast") == []
        left_out = browser.run("""[...document.querySelectorAll(".masthead, .contents, .footnote-back")]""" + SHOWN)
        assert left_out == 0
        assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    printed = tmp_path / "printed.pdf"
    printed.write_bytes(browser.printed())
    words = subprocess.run(["pdftotext", printed, "-"], capture_output=True, check=True, text=True).stdout
    assert "Suppose that" in words
    assert "mathbb" not in words


def test_no_browser_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BrowserError, match="apt-get install --no-install-recommends chromium"):
        Browser()
