"""Every warning and error, defined and worded once, in the author's terms.

Each function of a module here returns a `Message`; a pass adds it to the draft's `Messages`, which keeps each one
once and in order.
"""

from __future__ import annotations

from scidraft.messages import building, dialects, drawings, fonts, latex, lists, references, settings, statements, variants
from scidraft.messages.message import Message, Messages

__all__ = [
    "Message",
    "Messages",
    "building",
    "dialects",
    "drawings",
    "fonts",
    "latex",
    "lists",
    "references",
    "settings",
    "statements",
    "variants",
]
