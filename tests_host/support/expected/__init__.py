"""Random calls and models with their expected results."""
