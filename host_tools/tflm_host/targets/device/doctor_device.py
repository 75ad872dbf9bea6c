"""Runs on the board for `tflm doctor`: says in one line of JSON what the board is."""

import gc
import json
import os
import sys

MARK = "tflm:"


def facts():
    found = {
        "board": getattr(sys.implementation, "_machine", sys.platform),
        "micropython": ".".join(map(str, sys.implementation.version[:3])),
        "heap_free": gc.mem_free(),
        "tflm": None,
        "backends": [],
        "rom": None,
    }
    try:
        import tflm

        found["tflm"] = tflm.__version__
        found["backends"] = tflm.backends()
    except ImportError:
        pass
    try:  # noqa: SIM105 - no contextlib on boards
        found["rom"] = sorted(os.listdir("/rom"))
    except OSError:
        pass
    return found


def say_facts():
    print(MARK + json.dumps(facts()))
