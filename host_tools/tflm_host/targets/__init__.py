"""Connections to targets that run models: this PC, the unix port, emulated and real boards."""
