"""Runs on the target: models of one operator out of one file, whose outputs must be TFLM's.

The file is what exact_batch.pack() made: words of 32 bits, then bytes.
"""

import struct
from binascii import crc32

import tflm


def check(path, backend):
    """Run all models of the file *path*; print a line for each that fails, then how many ran."""
    with open(path, "rb") as file:
        try:
            data = memoryview(file)  # in flash
        except TypeError:
            data = memoryview(file.read())
    (count,) = struct.unpack_from("<I", data)
    for i in range(count):
        model, size, vectors, invokes = struct.unpack_from("<4I", data, 4 + 16 * i)
        try:
            failure = run(data[model : model + size], data[vectors:], invokes, backend)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        if failure:
            print("!", i, failure)
    print("=", count)


def run(model, vectors, invokes, backend):
    """Invoke *model* on what stands in *vectors*, inputs and outputs in turns.

    Returns what differs, "" where nothing does.
    """
    before = crc32(model)
    interp = tflm.Interpreter(model, backend=backend, prepared=True)
    wrong = []
    for i in range(invokes):
        for tensor in interp.inputs:
            tensor.data[:] = vectors[: tensor.nbytes]
            vectors = vectors[tensor.nbytes :]
        interp.invoke()
        for tensor in interp.outputs:
            if tensor.data != vectors[: tensor.nbytes]:
                wrong.append(i)
            vectors = vectors[tensor.nbytes :]
    if crc32(model) != before:
        return "a kernel wrote into the model"
    return f"invokes {wrong} differ" if wrong else ""
