"""Runs the model of the web page. MicroPython runs this in the browser; page.mjs calls it.

Each function returns JSON; {"error": why} where the package refused something.
"""

import json
from binascii import hexlify
from hashlib import sha256

import tflm

WINDOW, STEP = 480, 320  # samples of sound that a front end takes at a time, and between two
REFUSED = (ValueError, TypeError, OverflowError, OSError, MemoryError, tflm.StateError)


def answering(function):
    """Return *function* whose result, or whose error, comes as JSON."""

    def answer(*arguments):
        try:
            return json.dumps(function(*arguments))
        except REFUSED as error:
            return json.dumps({"error": str(error) or type(error).__name__})

    return answer


class Session:
    """One model, and what makes its inputs of sound."""

    interpreter = None
    front = None
    fit = None
    asked = None  # what `fit` was made for
    detector = None  # None, too, where the outputs' shapes tell none
    sought = None  # what `detector` was made for
    taken = ()  # bytes that each input was filled with, as runs overwrite inputs


@answering
def load(path):
    """Load the model *path*; return what it takes and gives."""
    Session.interpreter = interpreter = tflm.Interpreter(path)
    Session.fit = Session.asked = Session.detector = Session.sought = None
    Session.taken = [bytes(len(tensor.data)) for tensor in interpreter.inputs]
    return {
        "inputs": [_facts(tensor) for tensor in interpreter.inputs],
        "outputs": [_facts(tensor) for tensor in interpreter.outputs],
        "arena_bytes": interpreter.arena_used_bytes(),
    }


def _facts(tensor):
    return {
        "name": tensor.name,
        "type": tensor.dtype,
        "shape": list(tensor.shape),
        "elements": len(tensor),
        "bytes": len(tensor.data),
        "has_scale": bool(tensor.scales),
    }


def _keep(which):
    """Keep what an input was filled with for all runs to come."""
    Session.taken[which] = bytes(Session.interpreter.inputs[which].data)


@answering
def put_bytes(which, path):
    """Fill an input with the bytes of file *path*."""
    with open(path, "rb") as file:
        data = file.read()
    tensor = Session.interpreter.inputs[which]
    if len(data) != len(tensor.data):
        raise ValueError(f"{len(data)} bytes, the input takes {len(tensor.data)}")
    tensor.data[:] = data
    _keep(which)


@answering
def put_numbers(which, values):
    """Fill an input with the numbers of the JSON *values*, as `tflm run` does."""
    values = json.loads(values)
    tensor = Session.interpreter.inputs[which]
    if len(values) != len(tensor):
        raise ValueError(f"{len(values)} numbers, the input takes {len(tensor)}")
    if tensor.scales:
        tensor.quantize(values)
    elif tensor.dtype == "float32":
        tensor.assign(values)
    elif [value for value in values if value != int(value)]:
        raise ValueError("the input has no scale, so it takes only integers")
    else:
        tensor.assign([int(value) for value in values])
    _keep(which)


@answering
def look(which, width, height, options, path):
    """Fit the frame in file *path*, RGB888, into an input; return the bytes of the input.

    options  of tflm.image.Fit, as JSON
    """
    from tflm.image import Fit

    tensor = Session.interpreter.inputs[which]
    asked = which, width, height, options
    if Session.asked != asked:
        chosen = json.loads(options)
        Session.fit = Fit(Session.interpreter, width, height, "rgb888", input=which, **chosen)
        Session.asked = asked
    with open(path, "rb") as file:
        Session.fit(file.read())
    _keep(which)
    return {"hex": hexlify(tensor.data).decode()}


@answering
def find(which, labels):
    """Return what a detector finds in the last run, in pixels of the last frame.

    "things" is None where the outputs' shapes tell no detector.
    labels  names of the classes, as JSON
    """
    sought = which, labels, Session.fit
    if Session.sought != sought:
        Session.detector = _detector(which, json.loads(labels))
        Session.sought = sought
    if Session.detector is None:
        return {"things": None}
    return {"things": [_thing(thing) for thing in Session.detector]}


def _detector(which, labels):
    """Return the detector that the outputs' shapes tell, or None."""
    import tflm.detect as detect
    from tflm_host.model.told import NONE, TOLD, detector_of

    interpreter = Session.interpreter
    shapes = [tuple(tensor.shape) for tensor in interpreter.outputs]
    name = detector_of(shapes, interpreter.inputs[which].shape[1:3])
    if name == NONE:
        return None
    options = {"labels": labels} if labels else {}
    return getattr(detect, TOLD[name])(interpreter, fit=Session.fit, **options)


def _thing(thing):
    box = thing.x, thing.y, thing.width, thing.height
    return {"text": str(thing), "kind": thing.kind, "box": box, "points": thing.points}


@answering
def digest(path):
    """Return the SHA-256 of the file *path*."""
    with open(path, "rb") as file:
        return {"hex": hexlify(sha256(file.read()).digest()).decode()}


@answering
def load_front(path):
    """Load the model *path* as the front end: a window of int16 samples in, loudnesses out."""
    front = tflm.Interpreter(path)
    taken = front.inputs[0]
    if (taken.dtype, len(taken)) != ("int16", WINDOW):
        raise ValueError(f"a front end takes int16 [1, {WINDOW}]")
    Session.front = front


@answering
def put_sound(which, path):
    """Fill an input with what the front end makes of the int16 samples in file *path*."""
    with open(path, "rb") as file:
        samples = file.read()
    front, tensor = Session.front, Session.interpreter.inputs[which]
    front.reset()
    made = 0
    while made < len(tensor.data):
        start = made // len(front.outputs[0].data) * STEP * 2
        window = samples[start : start + WINDOW * 2]
        front.inputs[0].data[:] = window + bytes(WINDOW * 2 - len(window))
        front.invoke()
        features = front.outputs[0].data[: len(tensor.data) - made]
        tensor.data[made : made + len(features)] = features
        made += len(features)
    _keep(which)


@answering
def run():
    """Run the model; return the bytes and values of each output."""
    for i, data in enumerate(Session.taken):
        Session.interpreter.inputs[i].data[:] = data
    Session.interpreter.invoke()
    return {"outputs": [shown(tensor) for tensor in Session.interpreter.outputs]}


def shown(tensor):
    """Return the bytes and the values of *tensor*."""
    values = tensor.dequantize() if tensor.scales else tensor
    return {"hex": hexlify(tensor.data).decode(), "values": [_number(v) for v in values]}


def _number(value):
    """Return *value* as JSON has it: neither an infinity nor NaN."""
    return value if value == value and abs(value) != float("inf") else str(value)
