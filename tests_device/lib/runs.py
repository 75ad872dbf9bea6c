"""The inputs on which TFLM answered what the scripts hold, and a model's answers to them."""

RUNS = 3  # of a model


def pattern(count, run):
    """Return the input of run number *run*: make_device_tests.py has the same formula."""
    found = bytearray(count)
    for i in range(count):
        found[i] = (i * 37 + 11 + 91 * run) & 0xFF
    return found


def answer(interp, run):
    interp.input(0).data[:] = pattern(interp.input(0).nbytes, run)
    interp.invoke()
    return bytes(interp.output(0).data)


def answers(interp):
    """Return the outputs of all runs, joined."""
    return b"".join([answer(interp, run) for run in range(RUNS)])
