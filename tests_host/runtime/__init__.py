"""The runtime on CPython: models, the interpreter, planners, arenas and tensors."""
