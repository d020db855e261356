"""What the passes before `collect` leave in the tree for it: classes of headings, attributes of divs."""

from __future__ import annotations

#: Classes of the headings in which a statement's title and attribution travel.
TITLE = "scidraft-title"
ATTRIBUTION = "scidraft-attribution"

#: The attribute of a div that says a statement again; its value is the statement's id.
RESTATES = "scidraft-restates"
