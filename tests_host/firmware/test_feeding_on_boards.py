"""Input row by row on boards: the bytes and the arena of the host, and its errors."""

import pytest

from support.nets.row_groups import answers, chain, fed
from tflm import Interpreter
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.isa import isa_of
from tflm_host.targets.open_target import open_target

CHAINS = 8
TARGETS = ("unix", "MPS2_AN386", "M0PLUS", "MPS3_AN547")

# Runs on the board.
FED = """
import tflm
def fed(path, image, height, need):
    interp = tflm.Interpreter(path, need, prepared=True)
    size = len(image) // height
    rows = [image[y * size:(y + 1) * size] for y in range(height)]
    interp.feed(rows[0], 0)
    said = []
    for row, number in ((rows[0], 2), (rows[0], height), (b"", 1)):
        try:
            interp.feed(row, number)
        except (tflm.StateError, ValueError) as error:
            said.append(str(error))
    try:
        interp.invoke()
    except tflm.StateError as error:
        said.append(str(error))
    left = [interp.feed(row, y) for y, row in enumerate(rows)]
    assert left == list(range(height - 1, -1, -1)), left
    try:
        tflm.Interpreter(path, need - 16, prepared=True)
    except tflm.ArenaError:
        said.append("16 less")
    print(len(said), bytes(interp.outputs[0].data).hex())
"""


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_rows_give_what_the_whole_input_gives(target):
    cases, seed = [], 0
    while len(cases) < CHAINS:
        model, inputs = chain(seed)
        found = fed(model, isa_of(target), seed)
        if found and found[1].shapes[found[1].fed].height > 2:
            cases.append((f"c{seed}.tflite", model, inputs, *found))
        seed += 1
    with open_target(target, models=[(name, data) for name, _, _, data, _ in cases]) as device:
        device.exec(FED)
        for name, model, inputs, data, group in cases:
            need = Interpreter(data, measure=True, prepared=True).arena_used_bytes()
            height = group.shapes[group.fed].height
            call = f"fed({device.source(name)}, {inputs[0][0]!r}, {height}, {need})"
            said, output = device.exec(call).split()
            assert (said, output) == ("5", answers(model, inputs[:1])[0][0].hex()), name


# Runs on the board.
ONE_BY_ONE = """
import gc, tflm
fed = tflm.Interpreter({fed}, prepared=True)
whole = tflm.Interpreter({whole}, prepared=True)
height = fed.inputs[0].shape[1]
row = bytes(len(memoryview(whole.inputs[0].data)) // height)
def image():
    for _ in range(height):
        fed.feed(row)
def heap():
    gc.collect()
    before = gc.mem_alloc()
    image()
    return gc.mem_alloc() - before
image()
print(heap())
whole.inputs[0].data[:] = row * height
"""
TAKEN = 3000  # instructions for a row, beside those of the layers


@pytest.mark.firmware
def test_row_is_one_call_that_takes_no_heap():
    model, isa = (ROOT / "models" / "digits_ds_cnn.tflite").read_bytes(), isa_of("MPS2_AN386")
    files = {"fed.tflite": prepare(model, isa, feed=True), "whole.tflite": prepare(model, isa)}
    with open_target("MPS2_AN386", models=[*files.items()], icount=True) as device:
        fed, whole = map(device.source, files)
        assert device.exec(ONE_BY_ONE.format(fed=fed, whole=whole)).split() == ["0"]
        by_rows, at_once = (
            device.count_instructions("", call) for call in ("image()", "whole.invoke()")
        )
        assert by_rows <= 1.02 * at_once + TAKEN * int(device.exec("print(height)"))
