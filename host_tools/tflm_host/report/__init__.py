"""What is shown to people: arenas, models, remedies, errors, and how a terminal shows them."""
