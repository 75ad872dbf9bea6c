"""New constants in RAM: the bytes of a file that has them, and the same arena on every board."""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, answers, main

# Written by tests_host/make_device_tests.py:
IMAGE = a2b_base64(
    "EAAAAFRGTDMAAAAAAAAAAGL///98BQAAEAAAAIgAAAAkAAAAAwAAAA0AAABmb3IgYW55IGltYWdlAAAAAAAAAAAA"
    "AAAEAAAATAAAACwAAAAYAAAABAAAAND///8oAAAAAQAAAAAAACjg////EQAAAAEAAAAAAAAR8P///wQAAAABAAAA"
    "AAAABAwAEAAPAAAACAAEAAwAAAADAAAAAQAAAAAAAAMBAAAAFAAAAAAADgAYABQAEAAMAAgABAAOAAAAFAAAACwA"
    "AAAYAAAAHAAAAIABAAAEAAAAbWFpbgAAAAABAAAABQAAAAEAAAAAAAAABAAAAAQBAACYAAAARAAAAAQAAAAa////"
    "MAAAAAAAABsMAAAAEAAAAAMAAAABAAAABQAAAAIAAAADAAAABAAAAAAABgAIAAcABgAAAAAAAABW////NAAAAAAA"
    "AAUMAAAAEAAAAAIAAAABAAAAAwAAAAEAAAACAAAAAAAOABgAFwAQAAwACAAEAA4AAAACAAAAAgAAAAIAAAACAAAA"
    "AAAAAKb///88AAAAAAAAAgwAAAAQAAAAAQAAAAEAAAACAAAAAgAAAAEAAAAHAAAAAAASABoAGQAUABAADAAAAAgA"
    "BAASAAAAAQAAAAEAAAABAAAAAQAAAAEAAAAAAA4AGAAUABAADAALAAQADgAAADgAAAAAAAABDAAAABAAAAAAAAAA"
    "AQAAAAEAAAACAAAAAAAAAAYAAAAQABwAGwAUABAADwAIAAQAEAAAAAEAAAABAAAAAAAAAQIAAAACAAAAAAAAAAgA"
    "AADMAgAAXAIAAPgBAACUAQAAaAEAAPwAAACAAAAABAAAAGT9//8AAAAAMAAAABAAAAADAAAAAAAACQwAAAACAAAA"
    "dDcAAAQAAAABAAAAAwAAAAMAAAADAAAAUv3//wMAAAAIAAAAJAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAwAAAArXozwK16M8CtejPNz9//8AAAAAMAAAABAAAAACAAAAAAAACQwAAAACAAAAdDYAAAQAAAADAAAA"
    "AwAAAAMAAAACAAAAyv3//wAAAAAIAAAAJAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAArX"
    "IzwK16M8j8J1PFT+//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDUAAAIAAAABAAAAAwAAADr+//8AAAAA"
    "CAAAABQAAAABAAAA+P////////8AAAAAAQAAAArXIz0QABgAFAATAAwACAAAAAcAEAAAAAAAAAAQAAAAAQAAAAAA"
    "AAIMAAAAAgAAAHQ0AAABAAAAAgAAAOT+//8AAAAAMAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDMAAAQAAAABAAAA"
    "AgAAAAIAAAADAAAA0v7//wAAAAAIAAAAFAAAAAEAAAD4/////////wAAAAABAAAACtcjPUT///8AAAAAMAAAABAA"
    "AAAAAAAAAAAACQwAAAACAAAAdDIAAAQAAAABAAAABAAAAAQAAAADAAAAMv///wAAAAAIAAAAFAAAAAEAAAD4////"
    "/////wAAAAABAAAACtcjPaT///8AAAAAMAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDEAAAQAAAABAAAABAAAAAQA"
    "AAADAAAAkv///wAAAAAIAAAAEAAAAAEAAAAFAAAAAAAAAAEAAAAK1yM9EAAcABgAFwAQAAwACAAHABAAAAAAAAAA"
    "RAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAQAAAABAAAACAAAAAgAAAACAAAAAAASABAAAAAAAAwACAAAAAAA"
    "BAASAAAAAAAAAAgAAAAQAAAAAQAAAP3/////////AQAAAM3MTD0EAAAAqAAAAIwAAAA4AAAABAAAAIb///8EAAAA"
    "GwAAANY9wz6oldqieVkF0FbXOLznrZB/NwqrWph2agAAAAAAAAAAALb///8EAAAANgAAAIbdV3huSYQuXIdvujzu"
    "DpQnpsJNxGtAM6b6JeMeRTi515D7aMH62MFjCnS3K041wkSI5UN+iAAAAAAAAAAABgAIAAQABgAAAAQAAAAIAAAA"
    "AQAAAAIAAAAEAAQABAAAAA=="
)
IMAGE_OUTPUTS = a2b_base64("fzh/QG1Kf39B")
# End of what is written.

ARENA = 752  # bytes, of which the constants take 32 and 64


class ConstantsTest(TestCase):
    def setUp(self):
        gc.collect()

    def test_new_bytes_are_those_of_a_file_that_has_them(self):
        model = tflm.Model(IMAGE)
        graph = model.subgraphs[0]
        names = [i for i in range(graph.tensor_count) if graph.tensor(i).type_name == "int8"]
        names = [i for i in names if graph.tensor(i).data]
        self.assertEqual(len(names), 2)
        interp = tflm.Interpreter(model, constants=names)
        self.assertEqual(answers(interp), IMAGE_OUTPUTS)
        self.assertEqual(interp.arena_used_bytes(), ARENA)
        file = bytearray(IMAGE)
        for i in names:
            at, count = graph.tensor(i).data, graph.tensor(i).nbytes
            for k in range(at, at + count):
                file[k] = (file[k] + 7 * k) & 0xFF
            interp.set_constant(i, file[at : at + count])
        wanted = answers(tflm.Interpreter(file))
        self.assertEqual(answers(interp), wanted)
        self.assertEqual(wanted == IMAGE_OUTPUTS, False)
        interp.reset()
        self.assertEqual(answers(interp), wanted)

    def test_arena_of_16_bytes_less_is_too_small(self):
        names = ("t6", "t7")
        interp = tflm.Interpreter(IMAGE, ARENA, constants=names)
        self.assertEqual(answers(interp), IMAGE_OUTPUTS)
        interp = None
        with self.assertRaises(tflm.ArenaError):
            tflm.Interpreter(IMAGE, ARENA - 16, constants=names)


if __name__ == "__main__":
    main()
