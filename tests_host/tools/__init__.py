"""The command line, plans, prepared models, reports, documents and the wheel."""
