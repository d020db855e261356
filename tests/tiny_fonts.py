"""Tiny fonts for tests: a box for every letter, so that nothing need be downloaded and every machine has the same."""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen


def make_font(
    path: Path, letters: str, family: str = "Test", *, weight: int = 400, italic: bool = False, varies: bool = False
) -> Path:
    """Write a TrueType font whose glyphs for `letters` are boxes one em wide; its weight may vary."""
    names = [".notdef", *(f"u{ord(letter):04X}" for letter in letters)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): f"u{ord(letter):04X}" for letter in letters})
    builder.setupGlyf(dict.fromkeys(names, _box()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    style = {(400, False): "Regular", (400, True): "Italic", (700, False): "Bold", (700, True): "Bold Italic"}[weight, italic]
    builder.setupNameTable({"familyName": family, "styleName": style, "psName": f"{family}-{style}".replace(" ", "")})
    builder.setupOS2(
        usWeightClass=weight, fsSelection=italic | (weight > 400) << 5, sTypoAscender=800, sTypoDescender=-200, achVendID="TEST"
    )
    builder.setupPost()
    if varies:
        builder.setupFvar([("wght", 100, weight, 900, "Weight")], [])
        builder.setupGvar({name: [] for name in names})
    # The same letters give the same bytes, whenever they are made.
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
    return path


def _box() -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    pen.lineTo((100, 700))
    pen.lineTo((900, 700))
    pen.lineTo((900, 0))
    pen.closePath()
    return pen.glyph()
