"""The messages that firmware keeps in C: texts.h.

They are packed as in squeeze/messages.py. Who squeezes for firmware gives the same list of
messages, in which a message's place is its number.
"""

from .squeeze import SERVICES
from .squeeze.messages import END, LOWEST, pack

HEAD = """// Generated from mp_modules/tflm by tflm_host.generate: do not edit.
// The messages of the frozen package; see squeeze/messages.py there.
#ifndef TFLM_TEXTS_H
#define TFLM_TEXTS_H

#include <stdint.h>
"""
ROW = 19  # numbers


def texts_h(texts, of_services=()):
    """Return the text of texts.h; firmware that picks no service lacks texts *of_services*."""
    pairs, packed = pack([*texts, *of_services])
    ends = [i for i, code in enumerate(packed) if code == END]
    end = ends[len(texts) - 1] if of_services else len(packed)
    arrays = [_array("tflm_text_pairs", pairs), _array("tflm_texts", packed[:end], packed[end:])]
    first = f"enum {{ TFLM_FIRST_TEXT = {LOWEST} }};\n"
    return "\n".join([HEAD, first, *arrays, "#endif\n"])


def _array(name, values, of_services=b""):
    lines = _lines(values)
    if of_services:
        picked = " || ".join([f"defined(TFLM_HAS_{name.upper()})" for name in SERVICES])
        has_all = "!defined(TFLM_HAS_DEFAULT) || TFLM_HAS_DEFAULT"
        lines += [f"#if {has_all} || {picked}", *_lines(of_services), "#endif"]
    return f"static const uint8_t {name}[] = {{\n" + "\n".join(lines) + "\n};\n"


def _lines(values):
    rows = [values[i : i + ROW] for i in range(0, len(values), ROW)]
    return ["    " + " ".join([f"{value}," for value in row]) for row in rows]
