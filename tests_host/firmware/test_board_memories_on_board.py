"""What `tflm arena --board` says to write for an arena beyond the heap runs on that board."""

import json
import struct
import zlib

from click.testing import CliRunner

from support.models.model_builder import ModelBuilder, Quant
from tflm import Interpreter
from tflm_host.__main__ import main
from tflm_host.targets.boards import load_board
from tflm_host.targets.open_target import open_target

BOARD = "MPS2_AN386"
QUANT = Quant(0.1, 0)
FED = bytes(range(4))
RUN = """
import gc, tflm
from binascii import crc32
from uctypes import bytearray_at
arena = %s
interp = tflm.Interpreter(%r, arena)
interp.inputs[0].data[:] = %r
interp.invoke()
print(arena.used_in_each(), crc32(interp.outputs[0].data))
"""
ENDS = """
memory = bytearray_at(%d, %d)
memory[:16] = memory[-16:] = bytes(range(16))
print(memory[:16] == memory[-16:] == bytes(range(16)), gc.mem_alloc() < %d)
"""


def wide(width):
    """Return a model of small inputs with two tensors of *width* bytes at once, one its output."""
    b = ModelBuilder()
    x = b.tensor([1, 4, 1, 1], "INT8", QUANT)
    pads = b.tensor([4, 2], "INT32", data=struct.pack("<8i", 0, 0, 2, width - 6, 0, 0, 0, 0))
    padded, kept, y = (b.tensor([1, width, 1, 1], "INT8", QUANT) for _ in range(3))
    b.op("PAD", [x, pads], [padded])
    b.op("RELU", [padded], [kept])
    b.op("ADD", [padded, kept], [y])
    return b.build([x], [y])


def runs_as_told(board, data, folder, keep=lambda _: None):
    """Run the model *data* on *board* in the arena that the tool prints, and return its bytes.

    keep  a function that has the target afterwards
    """
    path = folder / "wide.tflite"
    path.write_bytes(data)
    done = CliRunner().invoke(main, ["arena", str(path), "--board", board, "--json"])
    assert done.exit_code == 0
    facts = json.loads(done.stdout)
    need = tuple(memory["bytes"] for memory in facts["memories"])
    interp = Interpreter(data)
    interp.inputs[0].data[:] = FED
    interp.invoke()
    with open_target(board, models=[("wide", data)]) as device:
        made = RUN % (facts["in_a_program"], device.path("wide"), FED)
        assert device.exec(made) == f"{need} {zlib.crc32(bytes(interp.outputs[0].data))}\n"
        # All of the memory that memories.csv names is there, and its bytes take no heap.
        (memory,) = load_board(board).memories
        ends = ENDS % (memory.start, memory.nbytes, load_board(board).heap_size)
        assert device.exec(ends) == "True True\n"
        keep(device)
    return need


def test_arena_beyond_the_heap_runs_in_heap_and_psram(tmp_path):
    heap = load_board(BOARD).heap_size
    near, far = runs_as_told(BOARD, wide(heap + 4096), tmp_path)
    assert near < heap < far
