"""What is brought onto boards to stay: models, and the package for stock MicroPython."""
