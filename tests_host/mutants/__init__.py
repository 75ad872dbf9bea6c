"""Mutation tests: one changed guard or bound at a time, which some test must notice."""
