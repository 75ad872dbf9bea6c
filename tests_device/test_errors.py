"""What cannot run raises the right exception, leaves the heap as it was and crashes nothing."""

import gc
from binascii import a2b_base64
from io import BytesIO

import tflm
from tflm.run.tensor import Tensor
from tflm_tests import TestCase, main

try:
    from uctypes import addressof
except ImportError:  # CPython: no bytearray in use is resized

    def addressof(_memory):
        return None


# Written by tests_host/make_device_tests.py:
CNN = a2b_base64(
    "CAAAAFRGTDNO////RAYAABAAAACcAAAAJAAAAAMAAAAPAAAAYSBzbWFsbCBuZXR3b3JrAAAAAAAAAAAABQAAAGAA"
    "AABAAAAALAAAABgAAAAEAAAAwP///xkAAAABAAAAAAAAGdD///8JAAAAAQAAAAAAAAng////EQAAAAEAAAAAAAAR"
    "8P///wQAAAABAAAAAAAABAwAEAAPAAAACAAEAAwAAAADAAAAAQAAAAAAAAMBAAAAFAAAAAAADgAYABQAEAAMAAgA"
    "BAAOAAAAFAAAACwAAAAYAAAAHAAAAKgBAAAEAAAAbWFpbgAAAAABAAAABQAAAAEAAAAAAAAABQAAACwBAADAAAAA"
    "bAAAADgAAAAEAAAA9v7//yQAAAAAAAAJDAAAABAAAAAEAAAAAQAAAAUAAAABAAAABAAAAO75//8AAIA/Jv///ygA"
    "AAAAAAAIDAAAABAAAAADAAAAAQAAAAQAAAACAAAAAwAAAAgAAADI+f//Vv///zQAAAAAAAAFDAAAABAAAAACAAAA"
    "AQAAAAMAAAABAAAAAgAAAAAADgAYABcAEAAMAAgABAAOAAAAAgAAAAIAAAACAAAAAgAAAAAAAAGm////PAAAAAAA"
    "AAIMAAAAEAAAAAEAAAABAAAAAgAAAAIAAAABAAAABwAAAAAAEgAaABkAFAAQAAwAAAAIAAQAEgAAAAEAAAABAAAA"
    "AQAAAAIAAAACAAAAAAAOABgAFAAQAAwACwAEAA4AAAA4AAAAAAAAAQwAAAAQAAAAAAAAAAEAAAABAAAAAgAAAAAA"
    "AAAGAAAAEAAcABsAFAAQAA8ACAAEABAAAAABAAAAAQAAAAAAAAEBAAAAAQAAAAAAAAAJAAAAWAMAAOgCAACEAgAA"
    "IAIAAMQBAABoAQAA5AAAAGAAAAAEAAAA3Pz//wAAAAAoAAAAEAAAAAMAAAAAAAAJDAAAAAIAAAB0OAAAAgAAAAoA"
    "AAAQAAAAwvz//wAAAAAIAAAAFAAAAAEAAAAAAAAAAAAAAAAAAAABAAAACtejPDT9//8AAAAAMAAAABAAAAACAAAA"
    "AAAACQwAAAACAAAAdDcAAAQAAAABAAAAAwAAAAMAAAAEAAAAIv3//wMAAAAIAAAAKAAAAAQAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAK16M8CtejPArXozwK16M8tP3//wAAAAAwAAAAEAAAAAEAAAAAAAAJ"
    "DAAAAAIAAAB0NgAABAAAAAQAAAADAAAAAwAAAAIAAACi/f//AAAAAAgAAAAoAAAABAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAABAAAAArXIzwK16M8j8J1PI/C9Tw0/v//AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAA"
    "AgAAAHQ1AAACAAAAAQAAAAoAAAAa/v//AAAAAAgAAAAUAAAAAQAAAID/////////AAAAAAEAAAAAAIA7jP7//wAA"
    "AAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0NAAAAgAAAAEAAAAKAAAAcv7//wAAAAAIAAAAFAAAAAEAAAABAAAA"
    "AAAAAAAAAAABAAAAzczMPeT+//8AAAAAMAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDMAAAQAAAABAAAAAgAAAAIA"
    "AAAEAAAA0v7//wAAAAAIAAAAFAAAAAEAAAD4/////////wAAAAABAAAACtcjPUT///8AAAAAMAAAABAAAAAAAAAA"
    "AAAACQwAAAACAAAAdDIAAAQAAAABAAAABAAAAAQAAAAEAAAAMv///wAAAAAIAAAAFAAAAAEAAAD4/////////wAA"
    "AAABAAAACtcjPaT///8AAAAAMAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDEAAAQAAAABAAAACAAAAAgAAAAEAAAA"
    "kv///wAAAAAIAAAAEAAAAAEAAAAFAAAAAAAAAAEAAAAK1yM9EAAcABgAFwAQAAwACAAHABAAAAAAAAAARAAAABAA"
    "AAAAAAAAAAAACQwAAAACAAAAdDAAAAQAAAABAAAACAAAAAgAAAACAAAAAAASABAAAAAAAAwACAAAAAAABAASAAAA"
    "AAAAAAgAAAAQAAAAAQAAAP3/////////AQAAAM3MTD0EAAAAWAEAAPwAAAC4AAAABAAAABb///8EAAAAoAAAAGSQ"
    "OIsYQz20pYSKVEsr9IQYth0TBmo6u3dfPcYR7On/pH/63YRw1TSE43CwvsipwJ/BSbrwyvF32Da37ExPg7XTed3U"
    "iEc133qWC6cbq/slvXoXiMCtbTYA7hHeg/ZyaSLtrPoQ4PgOHOBLxcs4dVmAl/Cg4F+kahoARHeifcofj1yuuVlA"
    "Vr5qRJMjxJdHw032vVOqGOtjDwexVFJYZVgAAAAAxv///wQAAAAkAAAA562QfzcKq1oGmHZq4g3/hjZsTroqU5ud"
    "cIeX9kou1zd7Tj1PAAAAAAAAAAAAAAYACAAEAAYAAAAEAAAASAAAAIbdV3huSYQuXIdvujzuDpQnpsJNxGtAM6b6"
    "JeMeRTi515D7aMH62MFjCnS3K041wkSI5UMAhH6I1j3DPqiV2qJ5WQXQVtc4vAQABAAEAAAA"
)
CNN_OUTPUTS = a2b_base64("gP+AgICAg4CA/4DVgICAgNWAgNWA1YCAgICA1YDV")
CUSTOM = a2b_base64(
    "DAAAAFRGTDMAAAAAZv////ACAAAQAAAAhAAAACwAAAADAAAAFgAAAHdpdGggYSBjdXN0b20gb3BlcmF0b3IAAAAA"
    "AAAAAAAAAgAAAEAAAAAQAAAADAAUABMADAAIAAQADAAAACAAAAABAAAACAAAAAAAACAEAAAAV2FpdAAAAAAMABAA"
    "DwAAAAgABAAMAAAAEwAAAAEAAAAAAAATAQAAABQAAAAAAA4AGAAUABAADAAIAAQADgAAABQAAAAsAAAAGAAAABwA"
    "AACoAAAABAAAAG1haW4AAAAAAQAAAAMAAAABAAAAAAAAAAMAAABgAAAALAAAAAQAAAC4////AAAAAAwAAAAQAAAA"
    "AAAAAAEAAAADAAAAAQAAAAIAAADc////AAAAAAwAAAAQAAAAAQAAAAEAAAACAAAAAQAAAAEAAAAMABQAEAAMAAgA"
    "BwAMAAAAAAAAAAwAAAAQAAAAAAAAAAEAAAABAAAAAQAAAAAAAAAEAAAAJAEAALwAAABgAAAABAAAAPz+//8AAAAA"
    "KAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDMAAAIAAAABAAAACAAAAOr+//8AAAAACAAAABQAAAABAAAAAAAAAAAA"
    "AAAAAAAAAQAAAM3MzD1U////AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQyAAACAAAAAQAAAAgAAABC////"
    "AAAAAAgAAAAUAAAAAQAAAAAAAAAAAAAAAAAAAAEAAADNzMw9rP///wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIA"
    "AAB0MQAAAgAAAAEAAAAIAAAAmv///wAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAADNzMw9EAAcABgAFwAQAAwA"
    "CAAHABAAAAAAAAAAPAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAIAAAABAAAACAAAAAAAEgAQAAAAAAAMAAgA"
    "AAAAAAQAEgAAAAAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAADNzMw9AQAAAAgAAAAEAAQABAAAAA=="
)
# End of what is written.

STEP = 29  # bytes between two places where the model is cut, a prime
FLIPS = range(0, 400, 3)


class ErrorTest(TestCase):
    def setUp(self):
        gc.collect()

    def test_cut_model_raises_model_error(self):
        for size in range(0, len(CNN) - 16, STEP):
            with self.assertRaises(tflm.ModelError):
                tflm.Interpreter(CNN[:size])

    def test_flipped_bytes_raise_or_run(self):
        data = bytearray(CNN)
        for at in FLIPS:
            data[at] ^= 0x80
            try:
                tflm.Interpreter(data, 8192).invoke()
            except (tflm.ModelError, tflm.ArenaError):
                pass
            data[at] ^= 0x80
            gc.collect()

    def test_not_a_model_raises(self):
        for data in (b"", b"TFL3", bytes(64), b"\xff" * 64):
            with self.assertRaises(tflm.ModelError):
                tflm.Model(data)

    def test_missing_file_raises_os_error_that_names_it(self):
        with self.assertRaises(OSError) as caught:
            tflm.Interpreter("/no/such/model.tflite")
        self.assertTrue("/no/such/model.tflite" in str(caught.exception), str(caught.exception))
        self.assertTrue(caught.exception.errno > 0)

    def test_what_is_no_model_and_no_arena_is_named(self):
        with self.assertRaises(TypeError) as caught:
            tflm.Interpreter(42)
        self.assertTrue("a model is a path or its bytes, not int" in str(caught.exception))
        for make in (tflm.Interpreter, lambda: tflm.Model(None)):
            with self.assertRaises(TypeError) as caught:
                make()
            told = str(caught.exception)
            self.assertEqual("the model is missing: give its path or its bytes", told)
        with self.assertRaises(ValueError) as caught:
            tflm.Interpreter(CNN, -5)
        self.assertEqual("an arena of -5 bytes", str(caught.exception))

    def test_missing_operator_is_named(self):
        with self.assertRaises(tflm.UnsupportedOpError) as caught:
            tflm.Interpreter(CUSTOM)
        self.assertTrue("Wait" in str(caught.exception), str(caught.exception))

    def test_small_arena_says_what_is_missing(self):
        for size in (0, 1, 16, 160):
            with self.assertRaises(tflm.ArenaError) as caught:
                tflm.Interpreter(CNN, size)
            error = caught.exception
            self.assertEqual(error.requested - error.available, error.missing)
            self.assertEqual(error.requested, tflm.Model(CNN).arena_required())

    def test_full_heap_says_what_is_needed_and_what_is_there(self):
        if not hasattr(gc, "mem_free"):
            self.skipTest("this Python does not tell")
        nbytes = gc.mem_free()

        def prepare(context, node):
            context.request_scratch_buffer(node, nbytes)

        resolver = tflm.default_resolver()
        resolver.add_custom("Wait", tflm.Registration(prepare=prepare, invoke=prepare))
        with self.assertRaises(tflm.ArenaError) as caught:
            tflm.Interpreter(CUSTOM, resolver=resolver)
        error = caught.exception
        self.assertTrue("arena in one piece" in str(error), str(error))
        self.assertTrue(error.requested >= nbytes > error.available > 0, str(error))
        self.assertEqual(len(bytearray(error.available - error.available // 8)) > 0, True)

    def test_unknown_backend_raises_value_error(self):
        with self.assertRaises(ValueError):
            tflm.Interpreter(CNN, backend="none")

    def test_call_out_of_turn_raises_state_error(self):
        interp = tflm.Interpreter(CNN, allocate=False)
        with self.assertRaises(tflm.StateError):
            interp.reset()
        interp.invoke()  # allocates
        interp.close()
        with self.assertRaises(tflm.StateError):
            interp.invoke()

        for call in (interp.allocate_tensors, interp.profile, lambda: interp.tensor(0)):
            with self.assertRaises(tflm.StateError):
                call()

    def test_two_interpreters_in_one_bytearray_take_turns_or_say_so(self):
        for backend in tflm.backends():
            memory = bytearray(8192)
            first = tflm.Interpreter(CNN, memory, backend=backend)
            second = tflm.Interpreter(CNN, memory, backend=backend)
            with self.assertRaises(tflm.StateError) as caught:
                first.invoke()
            self.assertTrue("share" in str(caught.exception) or "Arena" in str(caught.exception))
            with self.assertRaises(tflm.StateError):
                first.inputs[0][0] = 1
            self.expect_outputs(second)
            self.expect_outputs(tflm.Interpreter(CNN, memory, backend=backend))

    def test_bytearray_that_was_resized_raises_state_error(self):
        for backend in tflm.backends():
            for name in ("arena", "model"):
                arena, model = bytearray(4096), bytearray(CNN)
                interp = tflm.Interpreter(model, arena, backend=backend)
                self.expect_outputs(interp)
                memory = arena if name == "arena" else model
                before = addressof(memory)
                try:
                    memory.extend(bytes(8000))
                except Exception as error:  # CPython forbids it, and a small heap may be full
                    self.assertTrue(type(error).__name__ in ("BufferError", "MemoryError"))
                    self.expect_outputs(interp)
                    continue
                if addressof(memory) == before:  # it grew into free memory, and stays in use
                    self.expect_outputs(interp)
                    continue
                gc.collect()
                blocks = [bytes(200) for _ in range(20)]
                with self.assertRaises(tflm.StateError) as caught:
                    interp.invoke()
                self.assertTrue("resized" in str(caught.exception))
                del blocks

    def expect_outputs(self, interp):
        found = b""
        for run in range(3):
            data = interp.inputs[0].data
            data[:] = bytes([(i * 37 + 11 + 91 * run) & 255 for i in range(len(data))])
            interp.invoke()
            found += bytes(interp.outputs[0].data)
        self.assertEqual(found, CNN_OUTPUTS)

    def test_input_is_used_up_by_invoke(self):
        interp = tflm.Interpreter(CNN)
        interp.inputs[0][0] = 7
        self.assertEqual(interp.inputs[0][0], 7)
        interp.invoke()
        with self.assertRaises(tflm.StateError) as caught:
            interp.inputs[0][0]
        self.assertTrue("keep_inputs" in str(caught.exception), str(caught.exception))
        interp.inputs[0][0] = 7
        self.assertEqual(interp.inputs[0][0], 7)

    def expect_refusal(self, call, *texts):
        with self.assertRaises(tflm.StateError) as caught:
            call()
        for text in texts:
            self.assertTrue(text in str(caught.exception), str(caught.exception))

    def test_each_run_wants_its_inputs(self):
        values = bytes(range(128))
        for backend in tflm.backends():
            interp = tflm.Interpreter(CNN, backend=backend)
            interp.invoke()  # on zeros
            for write in (
                lambda t: t.assign(values),
                lambda t: t.quantize([0.5] * 128),
                lambda t: t.__setitem__(3, 7),
            ):
                for _ in range(2):
                    self.expect_refusal(interp.invoke, "last invoke()", "keep_inputs")
                write(interp.inputs[0])
                interp.invoke()
            interp.profile(2)
            self.expect_refusal(interp.invoke, "last invoke()")
            view = interp.inputs[0].data
            found = []
            for _ in range(2):
                view[:] = values
                interp.invoke()
                found.append(bytes(interp.outputs[0].data))
            self.assertEqual(found[0], found[1])
            kept = tflm.Interpreter(CNN, backend=backend, keep_inputs=True)
            kept.inputs[0].assign(values)
            for _ in range(3):
                kept.invoke()
                self.assertEqual(bytes(kept.outputs[0].data), found[0])

    def test_file_may_be_read_into_an_input(self):
        values = bytes(range(128))
        interp = tflm.Interpreter(CNN)
        if not hasattr(Tensor, "__buffer__"):  # in C: a buffer everywhere
            for _ in range(2):
                BytesIO(values).readinto(interp.inputs[0])
                interp.invoke()
                self.assertEqual(interp.outputs[0].argmax() >= 0, True)

    def test_models_in_one_arena_do_not_read_each_others_bytes(self):
        for backend in tflm.backends():
            arena = tflm.Arena(8192)
            first, second = [tflm.Interpreter(CNN, arena, backend=backend) for _ in range(2)]
            first.inputs[0].assign(bytes(range(128)))
            first.invoke()
            answer = bytes(first.outputs[0].data)
            second.inputs[0].assign(bytes(128))
            for act in (list, second.invoke):
                act()
                self.expect_refusal(first.outputs[0].argmax, "another interpreter", "own")
                self.expect_refusal(first.outputs[0].nested, "another interpreter")
                answers = tflm.Interpreter(CNN, backend=backend).outputs[0]
                for take in (bytes, answers.assign):
                    self.expect_refusal(
                        lambda t=first.outputs[0], f=take: f(t), "another interpreter"
                    )
                self.expect_refusal(first.inputs[0].nested, "another interpreter")
                self.expect_refusal(first.invoke, "another interpreter")
            first.inputs[0].assign(bytes(range(128)))
            self.expect_refusal(second.invoke, "another interpreter")
            self.expect_refusal(first.outputs[0].nested, "another interpreter")
            first.invoke()
            self.assertEqual(bytes(first.outputs[0].data), answer)

    def test_error_in_hook_leaves_interpreter_usable(self):
        interp = tflm.Interpreter(CNN)
        interp.invoke()
        expected = bytes(interp.outputs[0].data)
        for node in range(interp.model.subgraphs[0].operator_count):

            def hook(i, last=node):
                if i == last:
                    raise KeyError(i)

            interp.on_node = hook
            interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
            with self.assertRaises(KeyError):
                interp.invoke()
            interp.on_node = None
            interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
            interp.invoke()
            interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
            interp.invoke()
            self.assertEqual(bytes(interp.outputs[0].data), expected)

    def test_refused_models_leave_no_memory_behind(self):
        if not hasattr(gc, "mem_alloc"):
            self.skipTest("this Python does not tell")
        tflm.Interpreter(CNN)
        before = self.allocated()
        for size in (100, 500, 900):
            for arena in (None, 160):
                try:
                    tflm.Interpreter(CNN[:size] if arena is None else CNN, arena)
                except (tflm.ModelError, tflm.ArenaError):
                    pass
        self.assertLess(self.allocated() - before, 512)

    def allocated(self):
        gc.collect()
        return gc.mem_alloc()


if __name__ == "__main__":
    main()
