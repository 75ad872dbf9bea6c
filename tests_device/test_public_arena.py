"""Every public name of arenas does the same on any Python: see test_public.py."""

import gc

import tflm
from tflm_tests import TestCase, main, walk

ARENA = """
>>> arena = tflm.Arena(bytearray(600), tflm.Recording())
>>> arena.size in (576, 592), arena.size == len(arena.buf), arena._is_shared
(True, True, True)
>>> arena._claim_again()  # nobody had it meanwhile
>>> arena._memory == bytearray(600), list(arena._gate)[:3]
(True, [0, 0, 0])
>>> arena = tflm.Arena(592, tflm.Recording())
>>> arena.recording.rows(), arena.used_bytes()
([], 0)
>>> state = arena._position()
>>> depth = arena._allocate_persistent(20, "mine", node=(0, 1))
>>> depth, arena._offset_of(depth) == arena.size - depth, len(arena._view(depth, 20))
(32, True, 20)
>>> arena._resize_head(100)
>>> arena.head, arena._temp_end, arena.tail, arena._peak
(112, 112, 32, 144)
>>> arena._fill(0, 3, 9)
>>> bytes(arena.buf[:4])
b'\\t\\t\\t\\x00'
>>> arena._allocate_temp(10)
112
>>> arena._reset_temps()
StateError: 1 temps are still in use
>>> arena._deallocate_temp(112)
>>> arena._reset_temps()
>>> arena.used_bytes(), arena.available() == arena.size - 144
(160, True)
>>> arena.recording.rows()
[('mine', 20, 32, 1), ('temp', 10, 10, 1)]
>>> arena.recording.node_bytes((0, 1))
32
>>> arena.recording.add("other", 1, 2, None)
>>> arena.recording.rows()[-1]
('other', 1, 2, 1)
>>> arena._restore(state)
>>> arena.tail
0
>>> arena._bind()
>>> late = tflm.Arena()
>>> late._reserve(64)
>>> late._allocate_persistent(40, "mine"), late.buf
(48, None)
>>> late._bind()
>>> len(late.buf)
48
>>> two = tflm.Arena(bytearray(80), tail=bytearray(80))
>>> two._allocate_persistent(20, "mine"), two._offset_of(32) >> 28
(32, 1)
>>> two._view(32, 2)[:] = b"ab"
>>> bytes(two._at(two._offset_of(32), 2)), two._measuring().used_in_each()
(b'ab', (0, 0))
>>> two._resize_head(50)
>>> two.used_in_each(), two.used_bytes(), two.available() == two.size + len(two._tail_buf) - 96
((64, 32), 96, True)
>>> two.spilled  # bytes of a plan that lie in the second memory
0
>>> two._head_room() == two.size, two._tail_room() == len(two._tail_buf)
(True, True)
>>> two._claim_all()
>>> len(two._views())
2
"""


class ArenaTest(TestCase):
    def test_arena(self):
        gc.collect()
        wrong = walk(ARENA, {"tflm": tflm})
        self.assertEqual(wrong, [], "\n".join(wrong))


if __name__ == "__main__":
    main()
