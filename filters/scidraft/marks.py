"""What the passes before `collect` leave in the tree for it: classes of headings, attributes of divs."""

from __future__ import annotations

#: Classes of the headings in which a statement's title and attribution travel.
TITLE = "scidraft-title"
ATTRIBUTION = "scidraft-attribution"

#: The attribute of a div that says a statement again; its value is the statement's id.
RESTATES = "scidraft-restates"

#: The class of a div whose displays share a number, as 1a and 1b.
SUBEQUATIONS = "subequations"

#: Classes of divs that ask for a list, or for a graph: such a div becomes a block of Mermaid with its class.
LIST_OF_STATEMENTS = "list-of-statements"
INDEX_OF_TERMS = "index-of-terms"
USED_IN = "used-in"
STATEMENT_GRAPH = "statement-graph"
REQUESTS = {LIST_OF_STATEMENTS, INDEX_OF_TERMS, USED_IN, STATEMENT_GRAPH}
