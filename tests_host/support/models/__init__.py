"""Models written by hand for tests, and what writes them."""
