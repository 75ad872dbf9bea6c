"""More arenas than are remembered: a script of its own, because they leave the heap in pieces."""

import gc

import tflm
from tflm_tests import TestCase, main


class Test(TestCase):
    def test_arena_of_long_ago_is_summed_and_not_copied(self):
        if not hasattr(gc, "mem_alloc"):
            self.skipTest("this Python does not tell")
        size = 8000  # other objects of three arenas are smaller
        old = tflm.Arena(bytearray(size))
        others = [bytearray(64) for _ in range(33)]  # one more than are remembered
        arenas = [tflm.Arena(memory) for memory in others[:-3]]
        gc.collect()
        gc.disable()
        try:
            before = gc.mem_alloc()
            arenas += [tflm.Arena(memory) for memory in others[-3:]]
            taken = gc.mem_alloc() - before
        finally:
            gc.enable()
        self.assertEqual((len(arenas), old.size <= size), (33, True))
        self.assertLess(taken, size)


if __name__ == "__main__":
    main()
