"""Operators: each family validates and sizes its nodes in `prepare`, and names their kernels."""
