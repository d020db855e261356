"""Makes WeasyPrint fast: formulas as characters of one font, page numbers without a second layout."""
