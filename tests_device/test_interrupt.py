"""Ctrl-C stops an invoke between two nodes or within a long one, which can be repeated.

The runner of `make test-device` defines CTRL_C and presses Ctrl-C when it reads CUE. Without it,
the tests that need a real Ctrl-C are skipped.
"""

import gc
from binascii import a2b_base64

import tflm
from tflm.base.clock import ticks_diff, ticks_us
from tflm_tests import TestCase, answers, main, pattern

try:
    import micropython
except ImportError:  # CPython, which schedules no callbacks
    micropython = None

# Written by tests_host/make_device_tests.py:
CHAIN = a2b_base64(
    "EAAAAFRGTDMAAAAAAAAAAJr///8cBwAAEAAAAFAAAAAoAAAAAwAAABIAAABlaWdodCBjb252b2x1dGlvbnMAAAAA"
    "AAAAAAAAAQAAABAAAAAMABAADwAAAAgABAAMAAAAAwAAAAEAAAAAAAADAQAAABQAAAAAAA4AGAAUABAADAAIAAQA"
    "DgAAABQAAAAsAAAAGAAAABwAAACQAgAABAAAAG1haW4AAAAAAQAAAAgAAAABAAAAAAAAAAgAAAAYAgAAtAEAAGwB"
    "AAAkAQAA3AAAAJQAAABMAAAABAAAABb+//8oAAAAAAAAAQwAAAAQAAAAAAAAAAEAAAAIAAAAAgAAAAcAAAAJAAAA"
    "CP7//wEAAAABAAAAAQAAAAEAAAAAAAAAWv7//ygAAAAAAAABDAAAABAAAAAAAAAAAQAAAAcAAAACAAAABgAAAAkA"
    "AABM/v//AQAAAAEAAAABAAAAAQAAAAAAAACe/v//KAAAAAAAAAEMAAAAEAAAAAAAAAABAAAABgAAAAIAAAAFAAAA"
    "CQAAAJD+//8BAAAAAQAAAAEAAAABAAAAAAAAAOL+//8oAAAAAAAAAQwAAAAQAAAAAAAAAAEAAAAFAAAAAgAAAAQA"
    "AAAJAAAA1P7//wEAAAABAAAAAQAAAAEAAAAAAAAAJv///ygAAAAAAAABDAAAABAAAAAAAAAAAQAAAAQAAAACAAAA"
    "AwAAAAkAAAAY////AQAAAAEAAAABAAAAAQAAAAAAAABq////KAAAAAAAAAEMAAAAEAAAAAAAAAABAAAAAwAAAAIA"
    "AAACAAAACQAAAFz///8BAAAAAQAAAAEAAAABAAAAAAAAAK7///84AAAAAAAAAQwAAAAQAAAAAAAAAAEAAAACAAAA"
    "AgAAAAEAAAAJAAAAEAAWABUAEAAMAAAACAAEABAAAAABAAAAAQAAAAEAAAABAAAAAAAOABgAFAAQAAwACwAEAA4A"
    "AAA4AAAAAAAAAQwAAAAQAAAAAAAAAAEAAAABAAAAAgAAAAAAAAAJAAAAEAAYABcAEAAMAAAACAAEABAAAAABAAAA"
    "AQAAAAEAAAABAAAAAAAAAAoAAACUAwAAJAMAAMACAABcAgAA+AEAAJQBAAAwAQAAzAAAAGgAAAAEAAAApPz//wAA"
    "AAAwAAAAEAAAAAEAAAAAAAAJDAAAAAIAAAB0OQAABAAAAAYAAAADAAAAAwAAAAYAAACS/P//AAAAAAgAAAAUAAAA"
    "AQAAAAAAAAAAAAAAAAAAAAEAAAAK1yM8BP3//wAAAAAwAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0OAAABAAAAAEA"
    "AAAMAAAADAAAAAYAAADy/P//AAAAAAgAAAAUAAAAAQAAAP3/////////AAAAAAEAAADNzEw9ZP3//wAAAAAwAAAA"
    "EAAAAAAAAAAAAAAJDAAAAAIAAAB0NwAABAAAAAEAAAAMAAAADAAAAAYAAABS/f//AAAAAAgAAAAUAAAAAQAAAP3/"
    "////////AAAAAAEAAADNzEw9xP3//wAAAAAwAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0NgAABAAAAAEAAAAMAAAA"
    "DAAAAAYAAACy/f//AAAAAAgAAAAUAAAAAQAAAP3/////////AAAAAAEAAADNzEw9JP7//wAAAAAwAAAAEAAAAAAA"
    "AAAAAAAJDAAAAAIAAAB0NQAABAAAAAEAAAAMAAAADAAAAAYAAAAS/v//AAAAAAgAAAAUAAAAAQAAAP3/////////"
    "AAAAAAEAAADNzEw9hP7//wAAAAAwAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0NAAABAAAAAEAAAAMAAAADAAAAAYA"
    "AABy/v//AAAAAAgAAAAUAAAAAQAAAP3/////////AAAAAAEAAADNzEw95P7//wAAAAAwAAAAEAAAAAAAAAAAAAAJ"
    "DAAAAAIAAAB0MwAABAAAAAEAAAAMAAAADAAAAAYAAADS/v//AAAAAAgAAAAUAAAAAQAAAP3/////////AAAAAAEA"
    "AADNzEw9RP///wAAAAAwAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MgAABAAAAAEAAAAMAAAADAAAAAYAAAAy////"
    "AAAAAAgAAAAUAAAAAQAAAP3/////////AAAAAAEAAADNzEw9pP///wAAAAAwAAAAEAAAAAAAAAAAAAAJDAAAAAIA"
    "AAB0MQAABAAAAAEAAAAMAAAADAAAAAYAAACS////AAAAAAgAAAAQAAAAAQAAAP3/////////AQAAAM3MTD0QABwA"
    "GAAXABAADAAIAAcAEAAAAAAAAABEAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MAAABAAAAAEAAAAMAAAADAAAAAYA"
    "AAAAABIAEAAAAAAADAAIAAAAAAAEABIAAAAAAAAACAAAABAAAAABAAAA/f////////8BAAAAzcxMPQIAAABoAQAA"
    "DAAAAAAABgAIAAQABgAAAAQAAABEAQAAht1XeG5JhC5ch2+6PO4OlCemwk3Ea0Azpvol4x5FOLnXkPtowfrYwWMK"
    "dLcrTjXCRIjlQwCEfojWPcM+qJXaonlZBdBW1zi8562QfzcKq1oGmHZq4g3/hjZsTroqU5udcIeX9kou1zd7Tj1P"
    "ZJA4ixhDPbSlhIpUSyv0hBi2HRMGajq7d189xhHs6f+kf/rdhHDVNITjcLC+yKnAn8FJuvDK8XfYNrfsTE+DtdN5"
    "3dSIRzXfepYLpxur+yW9eheIwK1tNgDuEd6D9nJpIu2s+hDg+A4c4EvFyzh1WYCX8KDgX6RqGgBEd6J9yh+PXK65"
    "WUBWvmpEkyPEl0fDTfa9U6oY62MPB7FUUlhlWOo0LctTaH4zP9ZSUxU3Q21EEBVqaSMDUcAFVJGlccw2pN+w51kt"
    "KN4Ohi9oUn+mOtOGWTT+W10KAAAAAAQABAAEAAAA"
)
CHAIN_OUTPUTS = a2b_base64(
    "gH9/gH+Af4CAan9/f4B/gIB/gH+Af4CAf3Lff4Ayf4CAgIB//H+AgH9UO2qAvX+AgOV/gH+AgIDJf3+AgIB/gG6A"
    "gIB/f4CAgH+Qf3+AiIB/gICAf4Cuf4B/f3+AgH/zgJGAgH/ZgIB/BH9/4X9/f4CAb39/f4A6f4CAf4B/f39/gICA"
    "f4CAgIAqf4CAgMN/f3+AgICAf4CAgK9/gICAf4CAgH9/f4CAgH9/f4CAf+iAf4Dof3+AgH9/7YCAgH9/f39/gH+u"
    "f4CAgH8HgIB/fyCAgH9/f3+Af3+AgK6Af7KA+4B/f39/gH+Af3+AgH9/tNKAgH9/gICAf3+AgH9/f4CAgIB/f4CA"
    "839/f4B/f3+Af4CAf3+AgIB/f4CAgH9/gH+Af4CAcS9/f4CAgICAf4CAgIB/f4DbdH9/f4APf3+AgIB/f3+AgIN/"
    "f+eAgH+Af4CAin+Af4B/gH9/gICAf3+AgH9/f3+Af3+AgH9+f4CAgH9/gH+AgH+AgH+AgIC6f4CAgH+Af4CAfw9K"
    "f39/83+Af39/gIB/f39/gIB/f4AdgIB/gH9/gH9/f66AgH9/gH9/f4ARgH9/f4CAf39/gIB/f39/gA9/f39/gNiA"
    "f4CAf4CAgICAEn9/gICAf4B/f4CAf4CAgIB/f38lgIB/f39/gC9/f39/CX+AgID7f4CASX9/04CAf4A8f4AEfyd/"
    "f39Lf4B/f4Ddf39/oYCAgH9/f3+tgH9/f9+AgH+AgICAgPaAgIB/gH+AgICAf39/f39/f39/f3+ANFedf39/gH9/"
    "f38wgH9/gH+AXwp/gKx/f4CAgIB/f4CAgIB/f6d/gIB/f4B/gIB/gIB/gH9/gICAgICAQFh/wH+Af3/Tf39/gH+A"
    "gIB/f4CqgLt/f4B/f39/f4B/f3+sgMd/f4CAgH9/gICAgH/rgICAf3+AgICAf39/gICAf3/kgH9/f3+df39/gICA"
    "f4CAf4B/gIB/gH+AgICAgX/egMl/gH+AgIAuf4CAgH9/f4CAf39/joB/f39pgH9/f4CAgLGAf3+AgH+Af4CAgIBT"
    "gIBJf3+AgIB/f3+AgH1lf3+AUX9/gL6Af3+AgICAFYCAgH9/IICAH39/qYCAf39/f3/gf2KAXIB/f4CAgIB/f4CA"
    "gIB/f4B/h39wfzqAgICAgH+AgICAf4B/gH9/f3+AgIB/f4CAgH+AgIB/f6wiIYCA7ICAf4B/gH9/2X9/f4b0f3+A"
    "fz6AfxcNf3+AgICAf4CAgH9/2X+AgH+At4B/gA2Af4CAE4CAgICAgH9/f3+AgH9/f39/gH+AgH9/gH9VgH+Af4A/"
    "f39/f4CAf4CAf4CASH9/f3+AgHJ/1n9/f39/gH9/f4B/gH+BgIB/gICAgICqf4CAgH9/f4CAf4B/f4CAgMR/f4B/"
    "gH9/gH9/f3+AgH+ef3+AgH9/DVuAgH+AgICAf4B/gH80f0OAf4CAf4Cvf39/f39/f39/gH9/fyqAgH9/f4CAgH+A"
    "gICAf39/gICAf39/f4B/f4CAgH9/f4CTgH9/f4B/f39/gH94f3+AgH9/IICAgH9/f4CAf3+AgIB/f4CAgH9/f4CA"
    "f4B/f4Ccf39/gICAf3+AgLAnf4CAgH9/gICAgH9/gPSAf3+AgDp/f4CAF39/f4CAf39/cYDff39/gICAan+AgIB/"
    "gH+AgIB/f4CAf3+Af4B/f39/gH+4f39/f39/fyKAcH9/f4B/f3+AgICAf3+AgH9/BrOAf39/f4CAfzd/f4Buf4Bu"
    "gH9/f6F/f39ef4B/f3+AgICAf3+AgH+AgIiAgICAgICAgH9/gICAf39/f39/f3+Af3+Af4B/f3+AgJqAf3+AgIDA"
    "f3+AgH9/gH+AgH/9f4B5dH9/f4B/f4B/gH9/f39/gH9/f39/gH+AgLiAf3++gEF/f4CAgIB/gIB/f39/f39/f4CA"
    "gIB2f4B/OH8Cf4Aof39/gIB/f4CAgIB/f4CAgH9/gICAgH9/gH+A/n9/f39/gH+AgH9/f3+AgLB/f3+Af39/gH9q"
    "f1CAgAJ/4vGAgH+AgL1GgH+AgICAf39/gIB/f3+AgIB/f4CAgH9/f39/f3+AgIB/f4CAgH9/in+AgH9/f4CAgJl/"
    "gIB/f4CzgH9/f4CAf39/f4B/f39KWYB0f3+AgIDBf4CAgICAgICA8n9/gIB/gH8KgIB/f3+AgH9/f4CAgH9/DX9/"
    "f39/DIB/f3+AgH9/f4CAgH9/gICAf39/gIBNf39/dX9/f3/EgIB/f3+AgH9/8ICAf3+AgICAf4CAgIB/iYCAgH9/"
    "gICAeX9/f4CAf39/gICAf2J/gH9/f4CAgDg5f4D5f3+Af39/f4CAgH9/Zn97R39/gPeAgH9/gH+/gH+Ah3Z/f4CA"
    "gIB/f7z5UX+Af4B/f3+Of39/f3+AgH9/f4CAgH9/LYCAgH9/f3+AgH+Af4B/f2EPgH9/f4CAgHKAf4CAf39/gIB/"
    "f4CAgIB/f9eAgH9/f3+AgDV/f4CAgIB/gICAfyh/gH9/f4CAf39/f4CAf39/gIB/f4CAgIB/WH+AgDF/gH+AgH+A"
    "gICAf3+AgIB/f3+AgH9/f3+AgH9/f4CAgH9/f4CAMH+ggH+Af3+AgEZ/gICAgH9/gICAf3+AgIB/f4CAgH9/fyt/"
    "f3+Af4B/f3+AgICAf4CAgICAf4CAzYB/f4CAgIB/f4CAgIB/gID/f4Dzf4B/f4B/gH9/KoCAf3+AgIAPf4CAgH9/"
    "gICAKH+AgH+AdX/0f39/f3+AgIB/f3+PgIB/f3+AgH9/gH+Af39/gH+AyICAgH+AgFl/gH+AgMV/f39/gICAf3+A"
    "f4B/f4CAf39/gH+Af4qAgIB/f4B/gIB/f4CA5YDxtn+AgH+Af4CppYB/f4CAf4B/f39/f4CAf4CAf4B/xH+ygH+A"
    "gICAgICAgICAgH9/gIB/f3+Ao4B/f4CAgIB/f3+Af39/gH+Af39/gIWAwX9/gH9XgH88gICAOoCAgFZ/gH9/f3+A"
    "gH9/f4B/gICA639/f390gH+Af3+AgH/wf4CAgH9/f4BO3ICAgIB/f4DVgIB/f4DzgH9/f4CAkLx/IoB/f39/f3+A"
    "f4CAgGN/gICAgH9/gH/lf3+Af4C4f1N/gIB/f4B/f39/f4CAf39/gICAgBx/gICAgH+kgH+Ac3+AgH+Af3+AgH+A"
    "iYCAgIB/gYDgf4CAf39/f4B/f4CAgNl/gH+AgH+AgICAIH9/gICAIn+AgICAf4CAgIB/f4CSO39/f4B/f39tyX+A"
    "f3+AgIBDf39/gH+AxH5/gH9/gICtf3+AgH9/f4CAf39/f4B/f39/f4CAf39/gDeAf39/gH+Af4DHgH+AgICAGH+O"
    "gH+AgH+Af39/f3+Af4B/f4B/gIB/f4CABH9/6uiAgIDbgH9/gICAf39/gICAf39/IYB/f4B/oYB/f4B/gOp/f4CA"
    "un9/gIDYf3+AgIB/f4CAgIB/"
)
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
POOL = a2b_base64(
    "CAAAAFRGTDOa////9AEAABAAAABQAAAAKAAAAAMAAAAQAAAAb25lIGxvbmcgcG9vbGluZwAAAAAAAAAAAAAAAAEA"
    "AAAQAAAADAAQAA8AAAAIAAQADAAAAAEAAAABAAAAAAAAAQEAAAAUAAAAAAAOABgAFAAQAAwACAAEAA4AAAAUAAAA"
    "LAAAABgAAAAcAAAAiAAAAAQAAABtYWluAAAAAAEAAAABAAAAAQAAAAAAAAABAAAAFAAAAAAADgAYABQAEAAMAAsA"
    "BAAOAAAANAAAAAAAAAUMAAAAEAAAAAAAAAABAAAAAQAAAAEAAAAAAAAAAAAOABgAFwAQAAwACAAEAA4AAAD/fwAA"
    "/38AAAEAAAABAAAAAAAAAAIAAAB0AAAABAAAAKT///8AAAAAMAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDEAAAQA"
    "AAABAAAAKAAAACgAAAABAAAAkv///wAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAADNzEw9EAAcABgAFwAQAAwA"
    "CAAHABAAAAAAAAAARAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAQAAAABAAAAKAAAACgAAAABAAAAAAASABAA"
    "AAAAAAwACAAAAAAABAASAAAAAAAAAAgAAAAQAAAAAQAAAAAAAAAAAAAAAQAAAM3MTD0BAAAACAAAAAQABAAEAAAA"
)
# End of what is written.

CUE = "press Ctrl-C"
PATIENCE = 60 * 1000 * 1000  # microseconds
INTERRUPTS = 10  # of runs that Python and C do in turns
LEAST_CALLS = 15  # of callbacks, one a poll
VIPER_HEAP = 80 * 1024  # that viper kernels take, when they are not in flash, and models


def schedule_again(job):
    """Note which node runs, run another model, and schedule this to be done once more."""
    calls, graph, other = job
    calls.append(graph.current_operator if calls else None)
    other.inputs[0].data[:] = pattern(other.inputs[0].nbytes, 0)
    other.invoke()
    if len(calls) <= LEAST_CALLS:
        micropython.schedule(schedule_again, job)


def keep_set(interp):
    """Take the data of all inputs, which counts as a write before each run."""
    for tensor in interp.inputs:
        tensor.data  # noqa: B018


def invoke_until_ctrl_c(interp):
    """Ask for Ctrl-C and run *interp* again and again until it comes."""
    keep_set(interp)
    start = ticks_us()
    print(CUE)
    try:
        while ticks_diff(ticks_us(), start) < PATIENCE:
            interp.invoke()
        raise AssertionError("Ctrl-C did not arrive")
    except KeyboardInterrupt:
        pass


class InterruptTest(TestCase):
    def setUp(self):
        gc.collect()

    def need_ctrl_c(self):
        if "CTRL_C" not in globals():
            self.skipTest("nobody presses Ctrl-C")

    def test_ctrl_c_while_c_kernels_run(self):
        self.need_ctrl_c()
        interp = tflm.Interpreter(CHAIN)
        invoke_until_ctrl_c(interp)
        self.assertTrue(0 <= interp.graph.current_operator < 8)
        self.assertEqual(answers(interp), CHAIN_OUTPUTS)

    def long_nodes(self):
        """Yield an interpreter of one long node with each backend."""
        for backend in tflm.backends():
            if backend == "viper" and gc.mem_free() < VIPER_HEAP:  # only MicroPython comes here
                continue
            interp = tflm.Interpreter(POOL, backend=backend)
            data = interp.inputs[0].data
            data[:] = bytes([9]) * len(data)
            yield interp

    def assert_all_nine(self, interp):
        self.assertEqual(bytes(interp.outputs[0].data), bytes([9]) * interp.outputs[0].nbytes)

    def test_ctrl_c_within_one_node(self):
        self.need_ctrl_c()
        for interp in self.long_nodes():
            invoke_until_ctrl_c(interp)
            interp.inputs[0].data[:] = bytes([9]) * interp.inputs[0].nbytes
            interp.invoke()
            self.assert_all_nine(interp)

    def test_callbacks_run_within_one_node(self):
        if micropython is None:
            self.skipTest("CPython schedules no callbacks")
        for interp in self.long_nodes():
            calls = []
            other = tflm.Interpreter(CHAIN, backend=interp.backend)
            schedule_again((calls, interp.graph, other))
            interp.invoke()
            self.assertEqual(calls, [None] + [0] * LEAST_CALLS)
            answer = bytes(other.outputs[0].data)
            self.assertEqual(answer, CHAIN_OUTPUTS[: len(answer)])
            self.assert_all_nine(interp)

    def test_ctrl_c_within_one_invoke(self):
        self.need_ctrl_c()
        invokes = []

        def wait(_context, _node):
            invokes.append(1)
            if len(invokes) == 1:
                start = ticks_us()
                print(CUE)
                while ticks_diff(ticks_us(), start) < PATIENCE:
                    pass
                raise AssertionError("Ctrl-C did not arrive")

        resolver = tflm.default_resolver()
        resolver.add_custom("Wait", tflm.Registration(invoke=wait))
        interp = tflm.Interpreter(CUSTOM, resolver=resolver)
        keep_set(interp)
        try:
            interp.invoke()
            raise AssertionError("invoke() was not interrupted")
        except KeyboardInterrupt:
            pass
        self.assertEqual(interp.graph.current_operator, 1)
        interp.invoke()
        self.assertEqual(len(invokes), 2)

    def test_run_after_ctrl_c_is_whole(self):
        self.need_ctrl_c()
        resolver = tflm.default_resolver()
        resolver.add_custom("Wait", tflm.Registration(invoke=lambda _context, _node: None))
        interp = tflm.Interpreter(CUSTOM, resolver=resolver)
        for i in range(INTERRUPTS):
            interp.on_node = (lambda _node: None) if i % 2 else None
            invoke_until_ctrl_c(interp)
        interp.invoke()

    def test_keyboard_interrupt_at_any_node_can_be_repeated(self):
        interp = tflm.Interpreter(CHAIN)
        for last in range(8):

            def hook(node, last=last):
                if node == last:
                    raise KeyboardInterrupt

            interp.on_node = hook
            try:
                interp.invoke()
                raise AssertionError("invoke() was not interrupted")
            except KeyboardInterrupt:
                pass
            interp.on_node = None
            self.assertEqual(answers(interp), CHAIN_OUTPUTS)


if __name__ == "__main__":
    main()
