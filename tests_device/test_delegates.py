"""Delegates on a board: the bytes of the plain run, no heap in what C runs.

Other tests of them run on the PC.
"""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython

    def heap_lock():
        pass

    heap_unlock = heap_lock

# Written by tests_host/make_device_tests.py:
SINES = a2b_base64(
    "DAAAAFRGTDMAAAAAcv///0ADAAAQAAAAeAAAACgAAAADAAAAEgAAAHNpbiB4ICsgeCArIHNpbiAyeAAAAAAAAAAA"
    "AAADAAAAOAAAABgAAAAEAAAA4P///xIAAAABAAAAAAAAEvD///8AAAAAAQAAAAAAAAAMABAADwAAAAgABAAMAAAA"
    "QgAAAAEAAAAAAABCAQAAABQAAAAAAA4AGAAUABAADAAIAAQADgAAABQAAAAsAAAAGAAAABwAAAAwAQAABAAAAG1h"
    "aW4AAAAAAQAAAAUAAAABAAAAAAAAAAUAAADoAAAAqAAAAGAAAAA4AAAABAAAAHb///8oAAAAAAAACwwAAAAQAAAA"
    "AQAAAAEAAAAFAAAAAgAAAAIAAAAEAAAAmP3//2j///8AAAAADAAAABAAAAAAAAAAAQAAAAQAAAABAAAAAwAAAMr/"
    "//8sAAAAAAAAFQwAAAAQAAAAAgAAAAEAAAADAAAAAgAAAAAAAAAGAAAABAAGAAQAAAAAAA4AGAAUABAADAALAAQA"
    "DgAAACgAAAAAAAALDAAAABAAAAABAAAAAQAAAAIAAAACAAAAAQAAAAAAAAAw/v//DAAUABAADAAIAAcADAAAAAAA"
    "AAAMAAAAEAAAAAAAAAABAAAAAQAAAAEAAAAAAAAABwAAADQBAAD0AAAAxAAAAJQAAABkAAAANAAAAAQAAAD4/v//"
    "AAAAABAAAAABAAAAAAAAAAwAAAACAAAAdDYAAAIAAAABAAAABAAAACT///8AAAAAEAAAAAAAAAAAAAAADAAAAAIA"
    "AAB0NQAAAgAAAAEAAAAEAAAAUP///wAAAAAQAAAAAAAAAAAAAAAMAAAAAgAAAHQ0AAACAAAAAQAAAAQAAAB8////"
    "AAAAABAAAAAAAAAAAAAAAAwAAAACAAAAdDMAAAIAAAABAAAABAAAAKj///8AAAAAEAAAAAAAAAAAAAAADAAAAAIA"
    "AAB0MgAAAgAAAAEAAAAEAAAA1P///wAAAAAQAAAAAAAAAAAAAAAMAAAAAgAAAHQxAAACAAAAAQAAAAQAAAAQABgA"
    "FAATAAwACAAAAAcAEAAAAAAAAAAQAAAAAAAAAAAAAAAMAAAAAgAAAHQwAAACAAAAAQAAAAQAAAACAAAAOAAAAAwA"
    "AAAAAAYACAAEAAYAAAAEAAAAEAAAAAAAAEAAAABAAAAAQAAAAEAAAAAAAAAAAAQABAAEAAAA"
)
SINE = a2b_base64(
    "CAAAAFRGTDOm////RAEAABAAAABEAAAAHAAAAAMAAAAFAAAAc2luIHgAAAAAAAAAAAAAAAEAAAAQAAAADAAQAA8A"
    "AAAIAAQADAAAAEIAAAABAAAAAAAAQgEAAAAUAAAAAAAOABgAFAAQAAwACAAEAA4AAAAUAAAALAAAABgAAAAcAAAA"
    "WAAAAAQAAABtYWluAAAAAAEAAAABAAAAAQAAAAAAAAABAAAAEAAAAAwAFAAQAAwACAAHAAwAAAAAAAAADAAAABAA"
    "AAAAAAAAAQAAAAEAAAABAAAAAAAAAAIAAABEAAAABAAAANT///8AAAAAEAAAAAAAAAAAAAAADAAAAAIAAAB0MQAA"
    "AgAAAAEAAAAEAAAAEAAYABQAEwAMAAgAAAAHABAAAAAAAAAAEAAAAAAAAAAAAAAADAAAAAIAAAB0MAAAAgAAAAEA"
    "AAAEAAAAAQAAAAgAAAAEAAQABAAAAA=="
)
# End of what is written.

VALUES = ([1.25, -0.5, 3.0, 100.0], [0.0, 7.5, -2.25, 0.125])


class Sines:
    """Runs each SIN by an interpreter of its own; takes no heap once it has run."""

    name = "Sines"

    def __init__(self):
        # Not in prepare: the stack of a small board is too short for a model that loads there.
        self.ready = [tflm.Interpreter(SINE), tflm.Interpreter(SINE)]

    def supports(self, operator):
        return operator.name == "SIN"

    def prepare(self, _context, node):
        self.ready.reverse()
        node.user_data = self.ready[:1]

    def invoke(self, context, node):
        interp = node.user_data[0]
        if len(node.user_data) == 1:
            views = interp.inputs[0].data, context.input_data(node, 0)
            node.user_data += views + (context.output_data(node, 0), interp.outputs[0].data)
        _, x, data, output, y = node.user_data
        for i in range(len(x)):
            x[i] = data[i]
        interp.invoke()
        for i in range(len(y)):
            output[i] = y[i]


class Copies:
    """Lets the kernel `copy` run each SIN, so that a run needs no Python."""

    name = "Copies"

    def supports(self, operator):
        return operator.name == "SIN"

    def prepare(self, context, node):
        from tflm.memory.allocator import tensor_arg

        operator = node.operator
        args = [tensor_arg(operator.inputs[0]), tensor_arg(operator.outputs[0])]
        context.set_record(node, "copy", args, [node.output(0).nbytes])


def answers(interp, locked=False):
    """Return the outputs for VALUES; *locked*: without heap."""
    found = []
    for values in VALUES:
        interp.inputs[0].quantize(values)
        if locked:
            heap_lock()
        try:
            interp.invoke()
        finally:
            if locked:
                heap_unlock()
        found.append(interp.outputs[0].dequantize())
    return found


class DelegatesTest(TestCase):
    def setUp(self):
        gc.collect()
        try:
            tflm.Interpreter(SINES)
        except tflm.UnsupportedOpError:
            self.skipTest("no kernel for SIN in this build")

    def test_bytes_are_those_of_the_plain_run(self):
        interp = tflm.Interpreter(SINES, delegates=[Sines()])
        graph = interp.model.subgraphs[0]
        names = [operator.name for operator in graph.operators()]
        self.assertEqual(names, ["Sines", "ADD", "MUL", "Sines", "ADD"])
        expected = answers(tflm.Interpreter(SINES))
        self.assertEqual(answers(interp), expected)
        self.assertEqual(answers(interp, locked=True), expected)
        self.assertEqual([row[1] for row in interp.profile()], names)

    def test_part_that_c_runs_takes_no_heap(self):
        interp = tflm.Interpreter(SINES, delegates=[Copies()])
        expected = [[4 * value for value in values] for values in VALUES]
        self.assertEqual(answers(interp, locked=True), expected)
        if interp.backend == "c":
            interp.inputs[0].data  # noqa: B018 - from now on the input counts as set
            self.assertEqual(interp.graph.runners[0].run(), 0)

    def test_arena_of_16_bytes_less_is_too_small(self):
        need = tflm.Interpreter(SINES, delegates=[Sines()]).arena_used_bytes()
        tflm.Interpreter(SINES, need, delegates=[Sines()])
        with self.assertRaises(tflm.ArenaError):
            tflm.Interpreter(SINES, need - 16, delegates=[Sines()])


if __name__ == "__main__":
    main()
