"""Shared by tests: builders and generators of models, checkers, scripts for boards."""
