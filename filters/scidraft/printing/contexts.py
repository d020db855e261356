"""Lets pieces of text of one style share what Pango needs to know of it, which WeasyPrint works out for each piece, twice.

A formula in a line cuts its text in two, so a page of mathematics has many pieces. The one private thing of WeasyPrint here is
`Layout.setup`; what it makes is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

#: All of a style that `Layout.setup` looks at.
_LOOKED_AT = (
    *("direction", "lang", "font_language_override", "font_family", "font_size", "font_style", "font_stretch", "font_weight"),
    *("font_kerning", "font_variant_ligatures", "font_variant_position", "font_variant_caps", "font_variant_numeric"),
    *("font_variant_alternates", "font_variant_east_asian", "font_feature_settings", "font_variation_settings"),
)
_FEATURES = _LOOKED_AT[8:16]
_KEPT = "_scidraft_context"


class _Shared(NamedTuple):
    context: Any
    description: Any
    language: Any
    features: Any


@contextmanager
def shared() -> Iterator[None]:
    """Share them as long as this lasts. Raises AttributeError or ImportError when WeasyPrint is another one."""
    from weasyprint.text.line_break import Layout

    own = Layout.setup

    def setup(layout: Any, style: Any) -> None:
        if style["text_decoration_line"] == "none":
            _set_up(layout, style)
        else:
            own(layout, style)

    Layout.setup = setup
    try:
        yield
    finally:
        Layout.setup = own


def _set_up(layout: Any, style: Any) -> None:
    from weasyprint.text.ffi import ffi, gobject, pango

    known = style.__dict__.get(_KEPT)
    if known is None:
        # The fonts are those of one document, so what is kept goes with it.
        table = style.font_config.__dict__.setdefault(_KEPT, {})
        key = tuple(str(style[name]) for name in _LOOKED_AT)
        known = table.get(key) or table.setdefault(key, _made(style))
        style.__dict__[_KEPT] = known
    layout.style = style
    layout.first_line_direction = 0
    layout.language = known.language
    layout.layout = ffi.gc(pango.pango_layout_new(known.context), gobject.g_object_unref)
    pango.pango_layout_set_auto_dir(layout.layout, False)
    pango.pango_layout_set_font_description(layout.layout, known.description)
    layout.ascent = layout.underline_position = layout.strikethrough_position = None
    if known.features is not None:
        # A list for each: WeasyPrint adds the spaces of a justified line to it.
        attributes = pango.pango_attr_list_new()
        pango.pango_attr_list_insert(attributes, known.features)
        pango.pango_layout_set_attributes(layout.layout, attributes)


def _made(style: Any) -> _Shared:
    from weasyprint.text.constants import LST_TO_ISO, PANGO_DIRECTION
    from weasyprint.text.ffi import ffi, gobject, pango, unicode_to_char_p
    from weasyprint.text.fonts import font_features, get_font_description

    context = ffi.gc(pango.pango_font_map_create_context(style.font_config.font_map), gobject.g_object_unref)
    pango.pango_context_set_round_glyph_positions(context, False)
    pango.pango_context_set_base_dir(context, PANGO_DIRECTION[style["direction"]])
    code = style["font_language_override"]
    code = style["lang"] if code == "normal" else LST_TO_ISO.get(code.lower(), code)
    if code:
        text, _kept = unicode_to_char_p(code)
        language = pango.pango_language_from_string(text)
        pango.pango_context_set_language(context, language)
    else:
        language = pango.pango_language_get_default()
    found = font_features(*(style[name] for name in _FEATURES))
    features = None
    if found:
        names = ",".join(f"{name} {value}" for name, value in found.items()).encode()
        features = style.font_config.font_features.setdefault(names, pango.pango_attr_font_features_new(names))
    return _Shared(context, get_font_description(style), language, features)
