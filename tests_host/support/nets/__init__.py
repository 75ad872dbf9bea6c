"""Random models: each is drawn from a seed."""
