"""Modules that every part of the runtime uses: errors, the arena, the layout of tables."""
