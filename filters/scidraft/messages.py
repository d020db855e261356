"""Every warning and error, defined and worded once, in the author's terms.

Each function returns a `Message`; a pass adds it to the draft's `Messages`, which keeps each one once and in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Message:
    """What is told to the author: what is wrong, where, and what to do."""

    text: str
    severity: Literal["warning", "error"] = "warning"


class Messages:
    """The messages of one note, each kept once; `source` is the note's file name where it is known."""

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self._messages: dict[Message, None] = {}

    def add(self, message: Message) -> None:
        """Keep `message`, unless the same one is kept already."""
        self._messages.setdefault(message)

    def extend(self, messages: Iterable[Message]) -> None:
        """Keep several messages."""
        for message in messages:
            self.add(message)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def lines(self) -> list[str]:
        """The messages as they are printed: `scidraft: note.md: warning: …`."""
        where = f"{self.source}: " if self.source else ""
        return [f"scidraft: {where}{message.severity}: {message.text}" for message in self]


# Settings


def not_a_map(key: str) -> Message:
    """A metadata key that must hold `name: value` pairs holds something else."""
    return Message(f"metadata `{key}` should hold `name: value` pairs; it is ignored")


def unknown_setting(key: str, known: Iterable[str]) -> Message:
    """A key under `scidraft:` that means nothing."""
    return Message(f"unknown setting `scidraft: {key}`; the settings are {', '.join(sorted(known))}")


def bad_value(key: str, value: object, wanted: str) -> Message:
    """A setting with a value it cannot have."""
    return Message(f"`{key}` cannot be `{value}`: it should be {wanted}; the default is used")


def unknown_counter(kind: str, counter: str) -> Message:
    """A kind that wants to share the counter of a kind that does not exist."""
    return Message(f"kind `{kind}` should count with `{counter}`, but there is no kind of that name; it counts by itself")


def prefix_taken(kind: str, prefix: str, owner: str) -> Message:
    """An author's kind with the id prefix of another."""
    return Message(f"kind `{kind}` cannot have the id prefix `{prefix}-`: it belongs to `{owner}`; give it another `prefix`")


def bad_macro(name: str) -> Message:
    """A macro in metadata that cannot be read."""
    return Message(f'macro `{name}` is not understood: write  name: "`\\tex`"  or  name: ["`\\tex with #1`", 1]')


# Languages


def unknown_language(language: str) -> Message:
    """No table of names for the note's language."""
    return Message(f"no words for language `{language}` yet: English ones are used")


def missing_word(word: str, language: str) -> Message:
    """A kind without a name in the note's language."""
    return Message(f"no word for `{word}` in language `{language}`: the English one is used; give one under `scidraft: kinds:`")


# Statements


def lost_fence(words: str) -> Message:
    """A `:::` line that pandoc read as text."""
    return Message(
        f'a line of colons is printed as text: "{words}"; a fence needs a blank line before it, and attributes as '
        '{.kind #id title="…"} without spaces round `=`, commas, or a leading space in a value'
    )


def example_list(words: str) -> Message:
    """pandoc's numbered example list, which a line that begins with a reference becomes by accident."""
    return Message(
        f'"{words}" is one of pandoc\'s numbered examples, since a line begins with "(@id)" or "@id."; '
        "if a reference is meant, let another word begin the line"
    )


def curly_fence(words: str) -> Message:
    """A fence with braces round its language, as computing documents have it."""
    return Message(
        f'"{words} …" is read as code in a line: begin such a block with ```name or ``` {{.name}}, not with ```{{name}}'
    )


def heading_inside(statement: str, heading: str) -> Message:
    """A heading inside a statement, which most often means a missing closing fence."""
    return Message(f'heading "{heading}" stands inside {statement}: is the closing `:::` missing?')


def duplicate_id(identifier: str, first: str, second: str) -> Message:
    """Two things with one id."""
    return Message(
        f"id `{identifier}` is used twice, by {first} and by {second}: references go to the first, the second has none"
    )


def several_kinds(words: str, kinds: Iterable[str], chosen: str) -> Message:
    """A div whose classes name more than one kind."""
    return Message(f"{words} has the classes of several kinds ({', '.join(kinds)}): it is set as `{chosen}`")


def raw_environment(environment: str, reason: str = "") -> Message:
    """A LaTeX environment that only LaTeX can show: one that is no statement, or whose text pandoc cannot read."""
    why = f" (it cannot be read: {reason})" if reason else ""
    return Message(f"LaTeX environment `{environment}` appears in LaTeX output only{why}")


def bad_markup(text: str, reason: str) -> Message:
    """A title or other attribute that pandoc cannot read as Markdown."""
    return Message(f'"{text}" cannot be read as Markdown ({reason}): it is printed as it stands')


def suspicious_title(title: str) -> Message:
    """A formula in a title that has probably lost its backslashes."""
    return Message(
        f'the formula in the title "{title}" may have lost backslashes (pandoc removes one before each sign in an attribute): '
        "double them, or write the title as a heading inside the div"
    )


# References


def unknown_reference(identifier: str) -> Message:
    """A reference to an id that nothing in the note has."""
    return Message(f"reference to `{identifier}`, but nothing in this note has that id; it is printed as ?{identifier}")


def unknown_proof_target(proof: str, identifier: str) -> Message:
    """A proof of something that is not in the note."""
    return Message(f'{proof} says of="{identifier}", but nothing in this note has that id')


def unknown_restatement(identifier: str, words: str) -> Message:
    """Something is to be said again that is not in the note."""
    where = f' (in the div "{words}")' if words else ""
    return Message(f'restate="{identifier}", but no statement in this note has that id{where}')


def unnumbered_target(identifier: str) -> Message:
    """A bare number was asked of something that has none."""
    return Message(f"reference to the number of `{identifier}`, which has none; its name is printed")


def untitled_target(identifier: str) -> Message:
    """The title was asked of something that has none."""
    return Message(f"reference to the title of `{identifier}`, which has none; its name and number are printed")


def raw_label(identifier: str) -> Message:
    """A reference to a label that only raw LaTeX has."""
    return Message(f"`{identifier}` is a label inside raw LaTeX: it has a number in LaTeX output only")


def no_pages(identifier: str) -> Message:
    """A page number was asked where there are no pages."""
    return Message(f"\\pageref{{{identifier}}}: this output has no pages; its name is printed as a link")


def after_citeproc() -> Message:
    """citeproc ran before this filter and marked our references as unknown citations."""
    return Message("references were given to citeproc first: put `--filter scidraft-statements` before `--citeproc`")


# Equations


def rows_and_number(identifier: str) -> Message:
    """A label after a display whose lines are numbered one by one."""
    return Message(
        f"`{identifier}` labels a display whose lines are numbered one by one: it stands for the first; use \\label in a line"
    )


# Building


def from_pandoc(text: str) -> Message:
    """A warning of pandoc's."""
    return Message(f"pandoc says: {text}")


def pandoc_failed(reason: str) -> Message:
    """pandoc could not read or write the note."""
    return Message(f"pandoc gives up: {reason}", "error")


def system_error(error: OSError) -> Message:
    """The system refuses to read or write a file, or to start a program."""
    name = f"{error.filename}: " if error.filename else ""
    return Message(f"{name}{error.strerror or error}", "error")


def missing_picture(name: str) -> Message:
    """A picture that is not where the note says."""
    return Message(f"picture `{name}` is not there; names are looked up beside the note")


def unusable_picture(name: str, reason: str) -> Message:
    """A picture that LaTeX cannot take and that could not be turned into one that it can."""
    return Message(f"picture `{name}` cannot be converted for LaTeX: {reason}")


def from_printing(text: str) -> Message:
    """A warning of WeasyPrint's."""
    return Message(f"WeasyPrint says: {text}")


def no_libraries(command: str) -> Message:
    """WeasyPrint's system libraries are missing."""
    return Message(f"PDF needs system libraries: {command}", "error")


def died() -> Message:
    """The process that built a note is gone."""
    return Message("the process that built this note died (too little memory?); nothing was written", "error")


def unexpected(error: BaseException) -> Message:
    """A fault of scidraft's own."""
    reason = f"{type(error).__name__}: {error}".rstrip(": ").splitlines()[0]
    return Message(f"this is a fault in scidraft ({reason}); SCIDRAFT_DEBUG=1 in the environment shows where", "error")


# Maths


def bad_formula(tex: str, reason: str) -> Message:
    """A formula that the maths engine refuses."""
    source = " ".join(tex.split())
    shown = source if len(source) <= 60 else source[:57] + "…"
    return Message(f"formula `{shown}` cannot be set ({reason}); its source is printed")


def undefined_command(command: str, tex: str) -> Message:
    """A TeX command that nothing defines; told for the first formula that has it."""
    return Message(
        f"`{command}` is not defined: formulas that use it, first `{' '.join(tex.split())}`, are printed as their source; "
        "define it with \\newcommand or under `macros:` in the metadata"
    )


def no_maths() -> Message:
    """The maths engine's files are missing."""
    return Message(
        "formulas cannot be drawn, MathJax is not there: run `python tools/assets.py`; pandoc shows them in its own way"
    )


# Diagrams


def broken_diagram(words: str, reason: str, line: int | None) -> Message:
    """A diagram that cannot be drawn; `words` are its first ones, `line` counts within it."""
    where = f", line {line}" if line else ""
    return Message(f'diagram "{words}"{where}: {reason}; its source is printed instead')


def no_diagrams(reason: str) -> Message:
    """Nothing to draw diagrams with."""
    return Message(f"diagrams cannot be drawn ({reason}): their source is printed instead; pip install mermaid-render==0.14.1")


# Lists, graphs and other notes


def unknown_kind(name: str, place: str) -> Message:
    """A list or graph of a kind that there is not."""
    return Message(f"`{place}` asks for the kind `{name}`, which there is not; it is left out")


def empty_list(name: str) -> Message:
    """A list, index or graph with nothing in it."""
    return Message(f"`{name}` has nothing to show")


def unknown_see(term: str, other: str) -> Message:
    """A term that sends the reader to another one, which the note does not define."""
    return Message(f'the term "{term}" says see="{other}", but no term of the note is called that')


def unknown_used(identifier: str) -> Message:
    """A "Used in" list of something that is no statement of the note."""
    return Message(f'`used-in` says of="{identifier}", but no statement of the note has that id')


def unused(identifier: str) -> Message:
    """A "Used in" list of a statement that nothing uses."""
    return Message(f"nothing in the note uses `{identifier}`: its `used-in` is left out")


def circular_proofs(names: Iterable[str]) -> Message:
    """Proofs that use each other in a circle; the first name is the last again."""
    first, *others = names
    return Message(f"the proofs go in a circle: {first} uses {', which uses '.join(others)}")


def uses_later(user: str, used: str) -> Message:
    """A proof that uses what is stated later."""
    return Message(f"the proof of {user} uses {used}, which comes later")


def unknown_elsewhere(identifier: str) -> Message:
    """A reference to another note, which has nothing of that id."""
    note, _, own = identifier.partition(":")
    return Message(
        f"reference to `{identifier}`, but nothing in the note `{note}` has the id `{own}`; it is printed as ?{identifier}"
    )


def nothing_in_library(place: str) -> Message:
    """A place of other notes where there is no file."""
    return Message(f"`scidraft: library:` names `{place}`, but there is no such file; names are looked up beside the note")


def no_index(name: str) -> Message:
    """A file that should be an index of notes and is not one."""
    return Message(f"`{name}` is no index of notes; write one with  scidraft index NOTE.md … --json -o {name}")


# Dialects


def declarations_disagree(first: str, second: str) -> Message:
    """Two declarations of another tool's that cannot both hold."""
    return Message(f"`{first}` and `{second}` ask for different numbers: the first is followed")


def needs_conversion(source: str) -> Message:
    """A syntax that pandoc does not read, and that `scidraft fmt` can convert."""
    command = f"scidraft fmt --from {source.lower()}"
    return Message(f"the note has directives of {source}, which pandoc prints as text: convert it with `{command}`")


def left_as_comment(source: str) -> Message:
    """What a converter cannot say in pandoc's Markdown."""
    return Message(f"`{' '.join(source.split())}` has no counterpart here: it is left as a comment")


def left_as_code(directive: str) -> Message:
    """A directive of MyST's that has no counterpart."""
    return Message(f"the directive `{directive}` has no counterpart here: it is left as a block of code")


# Classes of LaTeX


def class_has_own_numbers(document_class: str, noun: str) -> Message:
    """A document class that writes the numbers of headings or tables its own way."""
    return Message(
        f"LaTeX's class `{document_class}` numbers each {noun} its own way (I, II): references there differ from other outputs"
    )


# LaTeX engines, numbers compared and locked


def no_engine(engine: str, command: str) -> Message:
    """The TeX engine, or latexmk, is not installed."""
    return Message(f"{engine} with latexmk is not installed: {command}", "error")


def latex_error(what: str, line: int | None, file: str, near: str) -> Message:
    """LaTeX stops at an error; `line` is the note's, `file` one that the note reads, `near` the words before the error."""
    where = f", line {line}" if line else ""
    place = f" (in {file})" if file else f' (after "{near}")' if near else ""
    return Message(f"LaTeX stops{where}: {what}{place}", "error")


def latex_failed(engine: str, reason: str) -> Message:
    """The engine, or the program that writes the PDF after it, ended without an error in the log."""
    return Message(f"{engine} makes no PDF: {reason}", "error")


def latex_too_long(engine: str, seconds: int) -> Message:
    """The engine was stopped."""
    return Message(f"{engine} was stopped after {seconds} seconds: does a macro call itself?", "error")


def missing_letters(letters: Iterable[tuple[str, int | None]], engine: str) -> Message:
    """Letters that no font has in LaTeX, each with the first line of the note it is in."""
    named = ", ".join(f"{letter}{f' (line {line})' if line else ''}" for letter, line in letters)
    other = "--engine lualatex and " if engine == "pdflatex" else ""
    return Message(f"no font in LaTeX has {named}: use {other}`mainfont:` or `CJKmainfont:` in the metadata", "error")


def latex_label(what: str, identifier: str, line: int | None, *, twice: bool) -> Message:
    """A label that LaTeX does not find, or finds twice; `what` it is: a reference, a citation or a label."""
    where = f" (line {line})" if line else ""
    wrong = "stands there twice" if twice else "leads nowhere"
    return Message(f"the {what} `{identifier}`{where} {wrong} in LaTeX", "error")


def number_differs(what: str, wanted: str, place: str, found: str | None) -> Message:
    """Something has another number in one output than in the others; None when it has none there."""
    shown = f"is {found}" if found else "has no number"
    return Message(f"{what} is {wanted} in the note, but {shown} {place}", "error")


def cannot_compare(place: str, command: str) -> Message:
    """A program is missing that reads what was printed."""
    return Message(f"the numbers {place} cannot be read: {command}", "error")


def number_changed(what: str, identifier: str, now: str) -> Message:
    """A number that was given out has changed."""
    return Message(f"{what} (`{identifier}`) is now {now}")


def number_gone(what: str, identifier: str) -> Message:
    """Something that was given a number is no longer there, or has none any more."""
    return Message(f"{what} (`{identifier}`), whose number was given out, is gone")


def no_lock(name: str) -> Message:
    """A file of numbers that cannot be read."""
    return Message(f"`{name}` is no file of numbers; write it again with  scidraft lock")


# Variants


def unknown_variant(name: str, known: Iterable[str]) -> Message:
    """A variant is asked for that the note does not describe."""
    return Message(f"there is no variant `{name}`; those of this note are {', '.join(sorted(known))}", "error")


def bad_space(statement: str, space: str) -> Message:
    """A `space=` that is no height and asks for no lines."""
    return Message(f'`space="{space}"` of {statement} should be a height such as 4cm, a number of lines, `lines` or `blank`')


def no_points() -> Message:
    """A total is asked for where nothing says what it is worth."""
    return Message("there is nothing to add up for `.points-total`: no exercise that is shown has `points=`")


def no_line_numbers() -> Message:
    """Lines are to be counted where nobody knows them before they are printed."""
    return Message("`line-numbers` are for LaTeX alone: scidraft's own PDF cannot count its lines")


def no_pikepdf() -> Message:
    """What puts pages on sheets is not installed."""
    return Message("pikepdf is not installed: pip install 'scidraft[print]' brings it", "error")


def not_a_pdf(name: str, reason: str) -> Message:
    """A file whose pages are to be put on sheets cannot be read."""
    return Message(f"`{name}` is no PDF that can be read: {reason}", "error")
