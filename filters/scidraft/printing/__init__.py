"""What printing needs of WeasyPrint 70.0 beyond its documented interface; each private touch has a module of its own here."""
