"""Fuzzers, and the broken files and calls that they try."""
