"""What matters on a real board: right bytes, no heap in invoke(), no copy of the model.

Needs the files of models/ in /rom, or in the folder that MODELS names.
"""

import gc
import json
import os
from binascii import unhexlify

import tflm
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython

    def heap_lock():
        pass

    heap_unlock = heap_lock

NAMES = ("sine", "digits_cnn", "digits_ds_cnn", "digits_gated")
VIPER_HEAP = 80 * 1024  # that viper kernels take, when they are not in flash, and a model
FOLDERS = ("/rom", "models", "../models")


def find(name):
    """Return the path of a file of models/, "" when it is not here."""
    for folder in globals().get("MODELS", FOLDERS):
        path = folder + "/" + name
        try:
            os.stat(path)
            return path
        except OSError:
            pass
    return ""


def golden(name):
    """Return the inputs and outputs that TFLM computed, each all in one."""
    with open(find(name + ".json")) as file:
        values = json.load(file)["golden"]
    return unhexlify(values["inputs"]), unhexlify(values["outputs"])


def invoke(interp, locked):
    if locked:
        heap_lock()
    try:
        interp.invoke()
    finally:
        if locked:
            heap_unlock()


class RuntimeTest(TestCase):
    def setUp(self):
        gc.collect()

    def paths(self):
        found = [(name, find(name + ".tflite")) for name in NAMES]
        found = [(name, path) for name, path in found if path]
        if not found:
            self.skipTest("no models here")
        return found

    def check_golden(self, backend, locked):
        for name, path in self.paths():
            interp = tflm.Interpreter(path, backend=backend)
            inputs, outputs = golden(name)
            size = interp.inputs[0].nbytes
            answers = b""
            for start in range(0, len(inputs), size):
                interp.inputs[0].data[:] = inputs[start : start + size]
                invoke(interp, locked)
                answers += bytes(interp.outputs[0].data)
            self.assertEqual(answers, outputs, name)

    def test_invoke_in_c_without_heap_equals_tflm(self):
        if "c" not in tflm.backends():
            self.skipTest("no C kernels in this firmware")
        self.check_golden("c", True)

    def test_invoke_in_viper_equals_tflm(self):
        if "viper" not in tflm.backends():
            self.skipTest("no viper kernels in this firmware")
        if gc.mem_free() < VIPER_HEAP:  # only MicroPython comes here
            self.skipTest("too little heap for viper kernels")
        self.check_golden("viper", False)

    def test_arena_of_needed_bytes_fits_and_16_less_raises(self):
        for name, path in self.paths():
            need = tflm.Interpreter(path).arena_used_bytes()
            self.assertEqual(tflm.Interpreter(path, need).arena_used_bytes(), need, name)
            with self.assertRaises(tflm.ArenaError) as caught:
                tflm.Interpreter(path, need - 16)
            self.assertEqual(caught.exception.missing, 16, name)

    def test_model_in_rom_takes_less_heap_than_its_size(self):
        name, path = self.paths()[-1]
        if not path.startswith("/rom/"):
            self.skipTest("no model in /rom")
        size = os.stat(path)[6]
        before = gc.mem_free()
        interp = tflm.Interpreter(path)
        gc.collect()
        taken = before - gc.mem_free() - interp.arena_used_bytes()
        self.assertLess(taken, size, name)

    def test_two_interpreters_share_an_arena(self):
        paths = [path for _, path in self.paths()][:2]
        alone = [tflm.Interpreter(path).arena_used_bytes() for path in paths]
        arena = tflm.Arena(sum(alone))
        shared = [tflm.Interpreter(path, arena) for path in paths]
        self.assertLess(arena.used_bytes(), sum(alone) + 1)
        for interp in shared:
            for tensor in interp.inputs:
                tensor.assign(bytes(tensor.nbytes))
            interp.invoke()


if __name__ == "__main__":
    main()
