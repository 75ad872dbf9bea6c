"""Preparing the operators of a model that is not prepared."""
