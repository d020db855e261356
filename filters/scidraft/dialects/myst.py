"""What pandoc can see of MyST: directives without a title are divs, and roles are words followed by code."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.dialects.blocks import drop_empty_opening, opening, trim
from scidraft.draft import Draft

_DIRECTIVE = re.compile(r"\{(?:(?:prf|proof):)?(?P<kind>[a-z]+)\}")
_ROLE = re.compile(r"(?P<before>.*?)\{(?P<role>prf:ref|proof:ref|ref|eq|numref|cite(?::[pt])?)\}", re.DOTALL)
_TARGET = re.compile(r"(?P<text>.+?)\s*<(?P<id>[^<>]+)>", re.DOTALL)
#: How the name of a kind is spelt otherwise than here.
_KINDS = {"criteria": "criterion"}


def kind_name(directive: str) -> str | None:
    """The kind that a directive such as `{prf:theorem}` names."""
    match = _DIRECTIVE.fullmatch(directive)
    return _KINDS.get(match["kind"], match["kind"]) if match else None


def directive(draft: Draft, div: pf.Div) -> None:
    """`:::{prf:theorem}` without a title, with its options as the first lines."""
    name = kind_name(div.classes[0]) if div.classes else None
    kind = draft.settings.kind_of(name) if name else None
    if kind is None:
        return
    words = opening(div.content.list)
    classes = [kind.name]
    while len(words) > 1 and isinstance(words[0], pf.Str) and re.fullmatch(r":[a-z-]+:", words[0].text):
        key, end = words[0].text.strip(":"), next((i for i, w in enumerate(words) if isinstance(w, pf.SoftBreak)), len(words))
        value = "".join(word.text if isinstance(word, pf.Str) else " " for word in words[1:end]).strip()
        del words[:end]
        trim(words)
        if key in ("label", "name"):
            div.identifier = value
        elif key == "class":
            classes += value.split()
        elif key in ("nonumber", "enumerated"):
            classes += ["unnumbered"] if value != "true" or key == "nonumber" else []
    div.classes = classes
    drop_empty_opening(div.content.list)


def role(words: list[pf.Element], index: int) -> list[pf.Element] | None:
    """What stands for the role at `index` (`{prf:ref}` and the code after it), None where there is none."""
    code = words[index + 1] if index + 1 < len(words) else None
    match = _ROLE.fullmatch(words[index].text) if isinstance(words[index], pf.Str) else None
    if not match or not isinstance(code, pf.Code):
        return None
    before = [pf.Str(match["before"])] if match["before"] else []
    return [*before, *reference(match["role"], code.text)]


def reference(name: str, text: str) -> list[pf.Element]:
    """A role of MyST as a reference or citation."""
    if name.startswith("cite"):
        mode = "AuthorInText" if name == "cite:t" else "NormalCitation"
        keys = [key.strip() for key in text.split(",")]
        citations = [pf.Citation(key, mode=mode if not i else "NormalCitation") for i, key in enumerate(keys)]
        return [pf.Cite(pf.Str(f"[{'; '.join('@' + key for key in keys)}]"), citations=citations)]
    target = _TARGET.fullmatch(text)
    identifier = target["id"].strip() if target else text.strip()
    if target:
        return [pf.Link(*[pf.Str(target["text"])], url=f"#{identifier}", classes=["ref"])]
    command = "eqref" if name == "eq" else "ref+Label"
    return [pf.Link(pf.Str(identifier), url=f"#{identifier}", attributes={"reference-type": command, "reference": identifier})]
