"""Requests for memory, and the plan of the arena: for models that are not prepared."""
