"""Programs for boards: every other file here is MicroPython code, sent there as text."""

from pathlib import Path

FOLDER = Path(__file__).parent


def script(name):
    """Return the text of *name*.py, for a board to run."""
    return (FOLDER / (name + ".py")).read_text()
