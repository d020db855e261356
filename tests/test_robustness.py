"""Empty, huge, deep and broken notes: nothing crashes, nothing is dropped, everything is told once."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import panflute as pf
import pytest

from golden_cases import pandoc
from scidraft import cli, document, messages, pipeline
from scidraft.draft import Draft
from scidraft.messages import Messages

WRITERS = ("html5", "latex", "docx", "epub", "revealjs", "beamer", "typst", "gfm", "plain")


def _draft(note: str, writer: str = "html5") -> Draft:
    source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json"], note.encode())
    return pipeline.run(pipeline.prepare(document.load(source, writer)), ["statements"])


def _write(draft: Draft, writer: str) -> bytes:
    arguments = ["-f", "json", "-t", writer, "--standalone", "--metadata=title:x", "-o", "-"]
    output, _ = pandoc(Path(__file__).parent, arguments, document.dump(draft.doc).encode())
    return output


TINY = {
    "no bytes": "",
    "blank": "\n\n\n",
    "only metadata": "---\ntitle: Only metadata\n---\n",
    "empty metadata": "---\nscidraft:\nlang:\nmacros:\nnumber-sections:\n---\n",
    "only a table": "| a |\n|---|\n| 1 |\n",
    "only an empty theorem": "::: theorem\n:::\n",
    "only an empty proof": "::: proof\n:::\n",
    "only a heading": "# H\n",
    "only an unknown reference": "@thm-x\n",
    "only a comment": "<!-- nothing -->\n",
    "only a display": "$$x$$\n",
    "only raw TeX": "\\newpage\n",
    "only a definition": "\\newcommand{\\R}{\\mathbb{R}}\n",
    "only a title": '::: {.theorem title="T"}\n:::\n',
    "empty div": ":::: {}\n::::\n",
    "theorem of nothing but a comment": "::: theorem\n<!-- later -->\n:::\n",
    "theorem of nothing but a rule": "::: theorem\n---\n:::\n",
    "proof of nothing but a heading": "::: proof\n# H\n:::\n",
    "theorem with an empty list": "::: proof\n-\n:::\n",
    "proof that ends in an empty item": "::: proof\n- a\n-\n:::\n",
    "empty formula": "$$ $$ {#eq-x}\n\n@eq-x\n",
    "figure without caption": "![](x.png){#fig-x}\n",
    "line of colons": ":::\n",
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", TINY)
def test_tiny_notes_are_written(name: str, writer: str) -> None:
    if name == "figure without caption" and writer in ("docx", "epub"):
        # A picture that is not there is pandoc's to report, and only for these two.
        with_picture = TINY[name].replace("x.png", "golden/picture.png")
        assert _write(_draft(with_picture, writer), writer)
        return
    _write(_draft(TINY[name], writer), writer)


def test_statements_as_deep_as_pandoc_reads() -> None:
    depth = 200
    note = "".join(f"{':' * (depth + 3 - level)} theorem\n\nLevel {level}.\n\n" for level in range(depth))
    note += "".join(f"{':' * (level + 4)}\n\n" for level in range(depth))
    draft = _draft(note)
    assert [statement.number for statement in draft.catalogue.statements] == [str(n) for n in range(1, depth + 1)]
    assert "Theorem" in _write(draft, "html5").decode()
    copy = draft.for_target("latex")
    assert len(copy.catalogue.statements) == depth


def test_lists_and_quotations_deep_inside_a_proof() -> None:
    note = "::: proof\n" + "> " * 60 + "deep\n:::\n"
    assert document.dump(_draft(note).doc).count('"qed"') == 1


def test_work_grows_with_the_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many statements are twice the steps: counted, because clocks differ."""

    def steps(count: int) -> int:
        note = "".join(
            f"::: {{.theorem #thm-{n}}}\nBy @thm-{n - 1 or 1}.\n:::\n\n::: proof\nSee [@thm-{n}; @thm-{n // 2 or 1}].\n:::\n\n"
            for n in range(1, count + 1)
        )
        source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json"], note.encode())
        draft = pipeline.prepare(document.load(source, "html5"))
        lines = 0

        def count_calls(frame: object, event: str, argument: object) -> None:
            nonlocal lines
            lines += event in ("call", "c_call")

        sys.setprofile(count_calls)
        try:
            pipeline.run(draft, ["statements"])
        finally:
            sys.setprofile(None)
        assert len(draft.catalogue.statements) == 2 * count
        assert len(draft.catalogue.references) == 2 * count
        return lines

    assert steps(400) < 2.2 * steps(200)


def test_messages_are_told_once() -> None:
    draft = _draft("@thm-x and @thm-x, [@thm-x]\n\n::: {.theorem #thm-a}\n:::\n\n::: {.lemma #thm-a}\n:::\n\n@thm-x\n")
    told = Counter(draft.messages.lines())
    assert set(told.values()) == {1}
    assert len([line for line in told if "thm-x" in line]) == 1


def test_messages_name_the_note_where_it_is_known() -> None:
    assert Messages("a/note.md").lines() == []
    report = Messages("a/note.md")
    report.add(messages.references.unknown_reference("thm-x"))
    assert report.lines()[0].startswith("scidraft: a/note.md: warning: reference to `thm-x`")


def test_nothing_of_the_note_is_dropped() -> None:
    words = "Astra Borea Cerva Duna Ebro Fado Gala Hydra Iota Jura"
    one, two, three, four, five, six, seven, eight, nine, ten = words.split()
    note = f"""---
title: {one} @thm-nowhere
---

{two}
::: {{.theorem #lost}}
{three}
:::

::: {{.theorem title="{four} [@nobody" by="{five}"}}
# {six}

{seven} [{eight} @thm-gone, {nine}]
:::

::: {{.unknown #thing}}
{ten}
:::
"""
    for writer in ("html5", "latex", "plain"):
        text = _write_text(note, writer)
        assert [word for word in words.split() if word not in text] == [], writer


def _write_text(note: str, writer: str) -> str:
    source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json"], note.encode())
    draft = pipeline.run(pipeline.prepare(document.load(source, writer)), ["statements"])
    output, _ = pandoc(Path(__file__).parent, ["-f", "json", "-t", writer, "--standalone"], document.dump(draft.doc).encode())
    return output.decode()


# The filter as a command


def _filter(note: str, *options: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json", *options], note.encode())
    code = "import sys; from scidraft.cli import statements_filter; sys.exit(statements_filter())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **(environment or {})}
    return subprocess.run([sys.executable, "-c", code, "html5"], input=source, capture_output=True, env=env, check=False)


NOTE_WITH_FAULTS = "See @thm-x and @lem-y.\n\n::: {.theorem #thm-a}\n:::\n\n::: {.theorem #thm-a}\n:::\n"


def test_warnings_are_listed_and_the_exit_code_is_0() -> None:
    run = _filter(NOTE_WITH_FAULTS)
    assert run.returncode == 0
    assert len(run.stderr.splitlines()) == 3
    assert document.load(run.stdout).content


@pytest.mark.parametrize(
    "option", ["--metadata=strict", "--metadata=strict:true", "--metadata=strict:1", "--metadata=strict:yes"]
)
def test_strict_lists_all_then_fails(option: str) -> None:
    run = _filter(NOTE_WITH_FAULTS, option)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 3


def test_strict_is_content_with_a_note_without_faults() -> None:
    assert _filter("::: {.theorem #thm-a}\n:::\n\n@thm-a\n", "--metadata=strict").returncode == 0


@pytest.mark.parametrize("value", ["false", "no", "0", ""])
def test_strict_can_be_turned_off(value: str) -> None:
    assert _filter(NOTE_WITH_FAULTS, f"--metadata=strict:{value}").returncode == 0


def test_a_fault_of_our_own_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(draft: Draft) -> None:
        raise KeyError("a fault")

    monkeypatch.setitem(pipeline.PASSES, "statements", (broken,))
    source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json"], b"Text.")
    stdin = io.TextIOWrapper(io.BytesIO(source))
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "argv", ["scidraft-statements", "html5"])
    assert cli.statements_filter() == 70
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "KeyError" in told.err and "Traceback" not in told.err


# Metadata of every shape under every key


ODD_VALUES = ("true", "0", "-1", "''", "[]", "[1, 2]", "{}", "{a: b}", "[[x]]", "'*emph*'", "$x$", "null", "1e9", "'{'", "'\\x'")
KEYS = (
    *(
        "scidraft",
        "lang",
        "macros",
        "number-sections",
        "number-within",
        "number-offset",
        "strict",
        "counters",
        "numbered",
        "kinds",
    ),
    *("top-level-division", "documentclass", "header-includes", "title", "diagrams", "media-dir", "scidraft-applied"),
)
KIND_KEYS = ("name", "plural", "prefix", "style", "numbered", "counter", "number-within", "aliases", "surprise")


@pytest.mark.parametrize("value", ODD_VALUES)
def test_odd_metadata_is_told_or_used_but_never_fatal(value: str) -> None:
    note = f"---\nodd: {value}\n---\n\n::: {{.theorem #thm-a}}\nAlpha.\n:::\n\n# H\n\n::: thing\n:::\n\n@thm-a\n"
    source, _ = pandoc(Path(__file__).parent, ["-f", "markdown", "-t", "json"], note.encode())
    places: list[tuple[str, ...]] = [(key,) for key in KEYS] + [("scidraft", key) for key in KEYS]
    places += [("scidraft", "kinds", kind, key) for kind in ("theorem", "thing") for key in KIND_KEYS]
    for place in places:
        for writer in ("html5", "latex"):
            doc = document.load(source, writer)
            metadata = doc.metadata.content.dict
            odd = metadata.pop("odd")
            for key in place[:0:-1]:
                odd = pf.MetaMap(**{key: odd})
            metadata[place[0]] = odd
            draft = pipeline.run(pipeline.prepare(doc), ["statements"])
            assert place == ("scidraft-applied",) or draft.catalogue.statements[0].identifier == "thm-a", place
            assert document.dump(draft.doc)
