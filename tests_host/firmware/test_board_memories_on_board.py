"""What `tflm arena --board` says to write for an arena beyond the heap runs on that board."""

import json
import zlib

from click.testing import CliRunner

from support.models.small_models import two_wide
from tflm import Interpreter
from tflm_host.__main__ import main
from tflm_host.targets.boards import load_board
from tflm_host.targets.open_target import open_target

BOARD = "MPS2_AN386"
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
    near, far = runs_as_told(BOARD, two_wide(heap + 4096, ends_small=False), tmp_path)
    assert near < heap < far
