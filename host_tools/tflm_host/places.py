"""Where this package finds files that are not Python: in its clone, or in the wheel.

Firmware is built and measured in a clone only; the rest works from a wheel, too.
"""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]  # of the clone, where this is one
IN_CLONE = (ROOT / "firmware" / "tflm").is_dir()
SOURCES = ROOT / "firmware" / "tflm" if IN_CLONE else PACKAGE / "firmware"
BOARDS = ROOT / "boards" if IN_CLONE else PACKAGE / "boards_data"
MODULES = ROOT / "mp_modules" if IN_CLONE else PACKAGE.parent
MODELS = ROOT / "models" if IN_CLONE else PACKAGE / "models_data"
SAMPLE = MODELS / "sine.tflite"
# What the scripts beside it share:
TESTS = (ROOT / "tests_device" if IN_CLONE else PACKAGE / "tests_data") / "tflm_tests.py"
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("TFLM_CACHE") or Path.home() / ".cache" / "tflm")


def here(in_clone, outside):
    """Return the one of two texts, or of other values, that is true of this package's place."""
    return in_clone if IN_CLONE else outside
