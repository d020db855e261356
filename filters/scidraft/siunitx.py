r"""Writes the commands of siunitx out as plain TeX, for engines that do not know them: \num, \unit, \qty, \ang and their kin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from scidraft.tables import table
from scidraft.tex import group

#: How many arguments each command has.
_COMMANDS = {
    **dict.fromkeys(("num", "unit", "si", "ang", "numlist", "numproduct"), 1),
    **dict.fromkeys(("qty", "SI", "numrange", "qtylist", "SIlist", "qtyproduct"), 2),
    **dict.fromkeys(("qtyrange", "SIrange"), 3),
}
#: The commands, also for those who look for them in text.
COMMANDS = frozenset(_COMMANDS)
_COMMAND = re.compile(rf"\\({'|'.join(sorted(_COMMANDS, key=len, reverse=True))})(?![A-Za-z])\s*")
_SETUP = re.compile(r"\\sisetup\s*(?=\{)")
_OWN_UNIT = re.compile(r"\\DeclareSIUnit\s*(?:\[[^\]]*\])?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?=\{)")
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d*)(?:[.,](?P<decimals>\d*))?(?:\((?P<digits>\d+)\)|(?:\+-|±|\\pm)(?P<spread>[\d.,]+))?"
    r"(?:[eEdD](?P<exponent>[+-]?\d{1,9}))?"
)
_UNIT_TOKEN = re.compile(r"\\([A-Za-z]+)\s*|(\d+|[A-Za-zµ°%Å]+|[./~^_{}-])\s*|(\S)")
_POWERS = {"square": 2, "cubic": 3, "squared": 2, "cubed": 3}
_OPTION = re.compile(r"\s*([a-z-]+)\s*(?:=\s*(\{[^{}]*\}|[^,]*))?\s*(?:,|$)")
_MODES = ("power", "symbol", "fraction", "repeated-symbol", "reciprocal", "fraction-or-symbol")


class UnitError(ValueError):
    """A number or unit that cannot be understood; the text is for its author."""


@dataclass(frozen=True)
class Style:
    """How numbers and units are written: the options of siunitx that we know, and the units of the note's own."""

    per_mode: str = "power"
    decimal_marker: str = "."
    group_separator: str = r"\,"
    group_minimum_digits: int = 5
    exponent_product: str = r"\times"
    inter_unit_product: str = r"\,"
    separate_uncertainty: bool = False
    language: str = "en"
    units: Mapping[str, str] = field(default_factory=dict)


def read_style(header: str, language: str) -> Style:
    r"""What \sisetup and \DeclareSIUnit of the text before a note say. Raises UnitError for options we do not know."""
    units = {}
    for match in _OWN_UNIT.finditer(header):
        body, _ = group(header, match.end())
        units[match[1]] = body or ""
    style = Style(language=language.partition("-")[0], units=units)
    for match in _SETUP.finditer(header):
        body, _ = group(header, match.end())
        style = _with_options(style, body or "")
    return style


def uses(text: str) -> bool:
    """Whether a text may have a command of siunitx."""
    return _COMMAND.search(text) is not None


def written_out(text: str, style: Style, own: Iterable[str] = ()) -> str:
    """TeX in which the commands are written out; `own` names are the note's and not siunitx's. Raises UnitError."""
    done: list[str] = []
    place = 0
    for match in _COMMAND.finditer(text):
        if match.start() < place or match[1] in own:
            continue
        options, end = _bracketed(text, match.end())
        arguments = []
        for _ in range(_COMMANDS[match[1]]):
            argument, end = group(text, re.compile(r"\s*").match(text, end).end())  # type: ignore[union-attr]
            if argument is None:
                raise UnitError(f"\\{match[1]} lacks an argument in braces")
            arguments.append(argument.strip())
        done += [text[place : match.start()], "{", _command(match[1], arguments, _with_options(style, options)), "}"]
        place = end
    return "".join([*done, text[place:]])


def _bracketed(text: str, place: int) -> tuple[str, int]:
    found = re.compile(r"\[((?:[^\[\]{}]|\{[^{}]*\})*)\]\s*").match(text, place)
    return (found[1], found.end()) if found else ("", place)


def _with_options(style: Style, options: str) -> Style:
    changes: dict[str, Any] = {}
    for name, given in _OPTION.findall(options):
        value = given.strip().removeprefix("{").removesuffix("}") or "true"
        if name == "locale" and value in table("units.yaml")["locales"]:
            changes.update(_known(table("units.yaml")["locales"][value].items()))
        else:
            changes.update(_known([(name, value)]))
    return replace(style, **changes)


def _known(options: Iterable[tuple[str, str]]) -> Iterator[tuple[str, Any]]:
    for name, value in options:
        if name == "per-mode" and value in _MODES:
            yield "per_mode", {"reciprocal": "power", "fraction-or-symbol": "fraction"}.get(value, value)
        elif name == "output-decimal-marker":
            yield "decimal_marker", value
        elif name in ("group-separator", "exponent-product", "inter-unit-product"):
            yield name.replace("-", "_"), value
        elif name == "group-minimum-digits" and value.isdigit():
            yield "group_minimum_digits", int(value)
        elif name == "group-digits" and value in ("none", "false"):
            yield "group_minimum_digits", 10**6
        elif name == "separate-uncertainty" or (name == "uncertainty-mode" and value in ("separate", "compact")):
            yield "separate_uncertainty", value in ("true", "separate")
        elif name not in ("mode", "detect-all", "detect-weight", "detect-family", "group-digits"):
            raise UnitError(f"the option {name}={value} of siunitx is not known here")


def _command(name: str, arguments: list[str], style: Style) -> str:
    first, last = arguments[0], arguments[-1]
    unit = "" if name.startswith(("num", "ang")) else last
    if name in ("unit", "si"):
        return _unit(last, style)
    if name == "ang":
        return _angle(first, style)
    if name in ("num", "qty", "SI"):
        return _quantity(first, unit, style)
    between, until = table("units.yaml")["words"].get(style.language, table("units.yaml")["words"]["en"])
    if "product" in name:
        return r"\times ".join(_quantity(part, unit, style) for part in re.split(r"\s*x\s*", first))
    if "range" in name:
        return f"{_quantity(first, unit, style)}\\text{{ {until} }}{_quantity(arguments[1], unit, style)}"
    *parts, end = [_quantity(part, unit, style) for part in first.split(";")]
    return r"\text{, }".join(parts) + (rf"\text{{ {between} }}" if parts else "") + end


def _quantity(number: str, unit: str, style: Style) -> str:
    written = _number(number, style)
    if not unit:
        return written
    if r"\pm" in written and not written.startswith("("):
        written = f"({written})"
    close = unit.strip().removeprefix("\\") in table("units.yaml")["close"]
    return written + ("" if close else r"\,") + _unit(unit, style)


# Numbers


def _number(text: str, style: Style) -> str:
    bare = re.sub(r"\s|\\,|~|\{\}", "", text)
    match = _NUMBER.fullmatch(bare)
    if match is None or not bare:
        raise UnitError(f"{text} is no number that \\num knows")
    whole, decimals, exponent = match["whole"] or "", match["decimals"] or "", int(match["exponent"] or 0)
    parts = []
    if whole or decimals:
        zero = not (whole + decimals).strip("0")
        sign = "-" if match["sign"] == "-" and not zero else ""
        parts.append(sign + _digits(whole.lstrip("0") or "0", decimals, style) + _uncertainty(match, len(decimals), style))
    if exponent or not parts:
        parts.append(f"10^{{{_digits(str(abs(exponent)), '', style, sign='-' if exponent < 0 else '')}}}")
        parts[0] = f"({parts[0]})" if len(parts) > 1 and r"\pm" in parts[0] else parts[0]
    return f" {style.exponent_product} ".join(parts)


def _uncertainty(match: re.Match[str], decimals: int, style: Style) -> str:
    """The uncertainty as digits in brackets that belong to the last ones, or after ±."""
    digits = match["digits"]
    if match["spread"]:
        whole, _, rest = match["spread"].replace(",", ".").partition(".")
        if len(rest) > decimals:
            raise UnitError("the uncertainty has more decimals than the number")
        digits = (whole + rest.ljust(decimals, "0")).lstrip("0") or "0"
    if not digits:
        return ""
    if not style.separate_uncertainty:
        return f"({digits})"
    padded = digits.rjust(decimals + 1, "0")
    return r" \pm " + _digits(padded[: len(padded) - decimals], padded[len(padded) - decimals :] if decimals else "", style)


def _digits(whole: str, decimals: str, style: Style, sign: str = "") -> str:
    """Digits in groups of three where they are many, outward from the decimal marker, which is no punctuation."""
    if len(whole) >= style.group_minimum_digits:
        whole = style.group_separator.join(re.findall(r"\d{1,3}(?=(?:\d{3})*$)", whole))
    if len(decimals) >= style.group_minimum_digits:
        decimals = style.group_separator.join(re.findall(r"\d{1,3}", decimals))
    marker = style.decimal_marker if style.decimal_marker == "." else f"{{{style.decimal_marker}}}"
    return sign + whole + (marker + decimals if decimals else "")


def _angle(text: str, style: Style) -> str:
    values = [value.strip() for value in text.split(";")]
    if len(values) > 3 or not any(values):
        raise UnitError(f"{text} is no angle")
    signs = (r"^{\circ}", "'", "''")
    return "".join(_number(value, style) + sign for value, sign in zip(values, signs, strict=False) if value)


# Units


def _unit(text: str, style: Style) -> str:
    if "\\" not in text:
        return _literal(text, style)
    above: list[str] = []
    below: list[str] = []
    powers: list[str] = []
    for symbol, power, under in _factors(text, style):
        (below if under else above).append(f"{symbol}^{{{power}}}" if power != "1" else symbol)
        powers.append(f"{symbol}^{{{'-' if under else ''}{power}}}" if power != "1" or under else symbol)
    join = style.inter_unit_product.join
    if not below or style.per_mode == "power":
        return join(powers)
    if style.per_mode == "fraction":
        return rf"\frac{{{join(above) or '1'}}}{{{join(below)}}}"
    if style.per_mode == "repeated-symbol":
        return "/".join([join(above) or "1", *below])
    return f"{join(above) or '1'}/{f'({join(below)})' if len(below) > 1 else below[0]}"


def _factors(text: str, style: Style) -> Iterator[tuple[str, str, bool]]:
    r"""Each unit of \metre\per\second\squared with its power, and whether it stands below."""
    units = table("units.yaml")
    prefix, power, under = "", "1", False
    waiting: tuple[str, str, bool] | None = None
    place = 0
    while place < len(text):
        match = re.compile(r"\s*(?:\\([A-Za-z]+)|(\\?[^\\\s]))\s*").match(text, place)
        name = match[1] if match else None
        if match is None or (name is None and match[2] not in (".", "~")):
            raise UnitError(f"{text.strip()} is neither made of unit commands nor of letters")
        place = match.end()
        argument = ""
        if name in ("tothe", "raiseto", "of"):
            found, place = group(text, place)
            argument = (found or "").strip()
            if not argument:
                raise UnitError(f"\\{name} lacks an argument in braces")
        if name in ("squared", "cubed", "tothe", "of"):
            if waiting is None:
                raise UnitError(f"\\{name} has no unit before it")
            symbol, known, below = waiting
            waiting = (f"{symbol}_{{\\mathrm{{{argument}}}}}", known, below) if name == "of" else None
            if waiting is None:
                waiting = (symbol, argument or str(_POWERS[str(name)]), below)
        elif name in ("square", "cubic", "raiseto"):
            power = argument or str(_POWERS[str(name)])
        elif name == "per":
            under = True
        elif name in units["prefixes"]:
            prefix += units["prefixes"][name]
        elif name is not None:
            if waiting:
                yield waiting
            waiting, prefix, power, under = (_symbol(name, prefix, style), power, under), "", "1", False
    if waiting:
        yield waiting
    if prefix or under or power != "1":
        raise UnitError(f"{text.strip()} ends before its unit")


def _symbol(name: str, prefix: str, style: Style) -> str:
    units = table("units.yaml")
    if name in style.units:
        others = {other: body for other, body in style.units.items() if other != name}
        inner = _unit(style.units[name], replace(style, units=others))
        return f"\\mathrm{{{prefix}}}{inner}" if prefix else inner
    if name in units["signs"]:
        return str(units["units"][name])
    if name in units["units"] or name in _short():
        return f"\\mathrm{{{prefix}{units['units'].get(name) or _short()[name]}}}"
    raise UnitError(f"\\{name} is no unit that is known; define it with \\DeclareSIUnit in `header-includes`")


@cache
def _short() -> Mapping[str, str]:
    """The short names of units, km and the like, with what they print."""
    units = table("units.yaml")
    return {**{name: name for group_ in units["short"] for name in group_}, **units["aliases"]}


def _literal(text: str, style: Style) -> str:
    """A unit as an author writes it: kg.m/s^2."""
    written = []
    for match in _UNIT_TOKEN.finditer(text.strip()):
        _, token, other = match.groups()
        if other and other not in "()Ω‰'":
            raise UnitError(f"{text} is no unit")
        token = token or other
        if token in (".", "~"):
            written.append(style.inter_unit_product)
        elif re.fullmatch(r"[^\W\d_]+|[°%‰Ω]+", token):
            letters = token.replace("%", r"\%")
            written.append(f"\\mathrm{{{letters}}}")
        else:
            written.append(token)
    return "".join(written)
