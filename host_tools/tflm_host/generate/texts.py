"""The messages that firmware keeps in C: texts.h.

They are packed as in `squeeze/messages.py`. The minifier of firmware passes the same list of
messages, in which a message's place is its number.
"""

from .squeeze.messages import LOWEST, pack

HEAD = """// Generated from mp_modules/tflm by tflm_host.generate: do not edit.
// The messages of the frozen package; see squeeze/messages.py there.
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
