"""Deploy to boards: models, and the package for stock MicroPython."""
