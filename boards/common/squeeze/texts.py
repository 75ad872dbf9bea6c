"""The messages that firmware keeps in C: firmware/tflm/texts.h, which `make layout` writes.

They are packed as in messages.py. Who squeezes for firmware reads there which number a message
has; as long as one is missing there, all are packed into the Python part.
"""

import re

from .messages import LOWEST, pack, unpack

HEAD = """// Generated from mp_modules/tflm by host_tools/tflm_host/gen_layout.py: do not edit.
// The messages of the frozen package; see boards/common/squeeze/messages.py.
#ifndef TFLM_TEXTS_H
#define TFLM_TEXTS_H

#include <stdint.h>
"""
ROW = 19  # numbers


def texts_h(texts):
    """Return the text of texts.h."""
    pairs, packed = pack(texts)
    arrays = [_array("tflm_text_pairs", pairs), _array("tflm_texts", packed)]
    first = f"enum {{ TFLM_FIRST_TEXT = {LOWEST} }};\n"
    return "\n".join([HEAD, first, *arrays, "#endif\n"])


def _array(name, values):
    rows = [values[i : i + ROW] for i in range(0, len(values), ROW)]
    lines = ["    " + " ".join([f"{value}," for value in row]) for row in rows]
    return f"static const uint8_t {name}[] = {{\n" + "\n".join(lines) + "\n};\n"


def texts_in(path):
    """Return the messages in texts.h."""
    with open(path) as file:
        arrays = re.findall(r"\{\n([^}]*)\}", file.read())
    return unpack(*[bytes([int(value) for value in re.findall(r"\d+", part)]) for part in arrays])
