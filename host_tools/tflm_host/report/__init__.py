"""Reports for people: arenas, models, remedies, errors, and their layout on a terminal."""
