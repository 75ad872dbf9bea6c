"""One interpreter and several: right bytes under all that else goes on in the heap.

No files are needed: the models are in here, with TFLM's outputs for pattern().
"""

import gc
import sys
from binascii import a2b_base64

import tflm
from tflm_tests import RUNS, TestCase, answer, answers, main, pattern

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython

    def heap_lock():
        pass

    heap_unlock = heap_lock

PSRAM = 0x21800000  # of MPS2_AN386, behind /rom

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
MEMORY = a2b_base64(
    "CAAAAFRGTDOe////RAMAABAAAABMAAAAJAAAAAMAAAAMAAAAd2l0aCBhIHN0YXRlAAAAAAAAAAAAAAAAAQAAABAA"
    "AAAMABAADwAAAAgABAAMAAAAGwAAAAEAAAAAAAAbAQAAABQAAAAAAA4AGAAUABAADAAIAAQADgAAABQAAAAsAAAA"
    "GAAAABwAAACEAAAABAAAAG1haW4AAAAAAQAAAAUAAAABAAAAAAAAAAEAAAAUAAAAAAAOABgAFAAQAAwACwAEAA4A"
    "AAA8AAAAAAAABgwAAAAQAAAAAAAAAAEAAAAFAAAABQAAAAAAAAABAAAAAgAAAAMAAAAEAAAACAAMAAgABwAIAAAA"
    "AAAAAAIAAAAGAAAA1AEAAGwBAAAQAQAAuAAAAGAAAAAEAAAAVP7//wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIA"
    "AAB0NQAAAgAAAAEAAAACAAAAQv7//wAAAAAIAAAAFAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAzczMPaz+//8AAAAB"
    "KAAAABAAAAAAAAAAAAAABwwAAAACAAAAdDQAAAIAAAABAAAADAAAAJr+//8AAAAACAAAABAAAAABAAAAAAAAAAAA"
    "AAABAAAACtcjPAD///8AAAAAJAAAABAAAAADAAAAAAAAAgwAAAACAAAAdDMAAAEAAAACAAAA6v7//wAAAAAIAAAA"
    "FAAAAAEAAAAAAAAAAAAAAAAAAAABAAAArMUnN1T///8AAAAAKAAAABAAAAACAAAAAAAABwwAAAACAAAAdDIAAAIA"
    "AAAEAAAAAwAAAEL///8AAAAACAAAABQAAAABAAAAAAAAAAAAAAAAAAAAAQAAAG8Sgzqs////AAAAACgAAAAQAAAA"
    "AQAAAAAAAAkMAAAAAgAAAHQxAAACAAAABAAAAAYAAACa////AAAAAAgAAAAQAAAAAQAAAAAAAAAAAAAAAQAAAArX"
    "ozwQABwAGAAXABAADAAIAAcAEAAAAAAAAAA8AAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MAAAAgAAAAEAAAAGAAAA"
    "AAASABAAAAAAAAwACAAAAAAABAASAAAAAAAAAAgAAAAQAAAAAQAAAAAAAAAAAAAAAQAAAM3MTD0EAAAAiAAAAFwA"
    "AAAoAAAABAAAALb///8EAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1v///wQAAAAYAAAApvol4x5FOLnXkPto"
    "wfrYwWMKdLcrTjXCAAAAAAAABgAIAAQABgAAAAQAAAAYAAAAht1XeG5JhC5ch2+6PO4OlCemwk3Ea0AzBAAEAAQA"
    "AAA="
)
MEMORY_OUTPUTS = a2b_base64("gICAf3+A")
# End of what is written.

# With the bytes of both memories; in the last two, tensors lie in the second.
TWO_MEMORIES = (
    (CNN, CNN_OUTPUTS, (432, 432)),
    (MEMORY, MEMORY_OUTPUTS, (64, 112)),
    (CNN, CNN_OUTPUTS, (272, 688)),
    (MEMORY, MEMORY_OUTPUTS, (32, 144)),
)


def churn():
    """Fill freed memory with garbage, and free it again."""
    gc.collect()
    blocks = [bytearray(b"\xa5" * size) for size in (16, 48, 200, 1000)]
    del blocks
    gc.collect()


def far(nbytes):
    """Return memory that is not the heap's: the PSRAM of an MPS2, a bytearray elsewhere."""
    if "an386" in getattr(sys.implementation, "_machine", ""):
        from uctypes import bytearray_at

        return bytearray_at(PSRAM, nbytes)
    return bytearray(nbytes)


class InterpreterTest(TestCase):
    def setUp(self):
        gc.collect()

    def test_every_backend_equals_tflm(self):
        for backend in tflm.backends():
            for model, outputs in ((CNN, CNN_OUTPUTS), (MEMORY, MEMORY_OUTPUTS)):
                self.assertEqual(answers(tflm.Interpreter(model, backend=backend)), outputs)

    def test_arena_of_needed_bytes_works_and_16_less_raises(self):
        need = tflm.Interpreter(CNN).arena_used_bytes()
        self.assertEqual(tflm.Model(CNN).arena_required(), need)
        self.assertEqual(answers(tflm.Interpreter(CNN, need)), CNN_OUTPUTS)
        with self.assertRaises(tflm.ArenaError) as caught:
            tflm.Interpreter(CNN, need - 16)
        self.assertEqual(caught.exception.missing, 16)

    def test_arena_is_used_in_place_and_nothing_beyond(self):
        need = tflm.Interpreter(CNN).arena_used_bytes()
        room = bytearray(b"\xa5" * (need + 64))
        view = memoryview(room)[16 : 16 + need + 16]
        self.assertEqual(answers(tflm.Interpreter(CNN, view)), CNN_OUTPUTS)
        self.assertEqual(bytes(room[:16]), b"\xa5" * 16)
        self.assertEqual(bytes(room[need + 32 :]), b"\xa5" * 32)

    def test_two_memories_give_same_bytes_and_both_are_exact(self):
        for model, outputs, need in TWO_MEMORIES:
            for backend in tflm.backends():
                arena = tflm.Arena(need[0], tail=far(need[1]))
                interp = tflm.Interpreter(model, arena, backend=backend)
                self.assertEqual(arena.used_in_each(), need)
                self.assertEqual(answers(interp), outputs, backend)
                interp.reset()
                interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, 0)
                heap_lock()
                try:
                    interp.invoke()
                finally:
                    heap_unlock()
                found = bytes(interp.outputs[0].data)
                self.assertEqual(found, outputs[: len(found)], backend)
            for first, second in ((16, 0), (0, 16)):
                with self.assertRaises(tflm.ArenaError) as caught:
                    small = need[0] - first, far(need[1] - second)
                    tflm.Interpreter(model, tflm.Arena(small[0], tail=small[1]))
                if second:
                    self.assertEqual(caught.exception.missing, 16)

    def test_model_at_any_alignment_gives_same_bytes(self):
        room = bytearray(len(CNN) + 8)
        for shift in range(8):
            room[shift : shift + len(CNN)] = CNN
            model = memoryview(room)[shift : shift + len(CNN)]
            for backend in tflm.backends():
                gc.collect()
                interp = tflm.Interpreter(model, backend=backend)
                self.assertEqual(answers(interp), CNN_OUTPUTS, "%s + %d" % (backend, shift))

    def test_model_in_ram_is_not_in_flash(self):
        self.assertTrue(not tflm.Model(CNN).in_flash)

    def test_two_models_in_one_arena_take_turns(self):
        arena = tflm.Arena(sum([tflm.Model(m).arena_required() for m in (CNN, MEMORY)]))
        first, second = tflm.Interpreter(CNN, arena), tflm.Interpreter(MEMORY, arena)
        cnn = memory = b""
        for run in range(RUNS):
            cnn += answer(first, run)
            memory += answer(second, run)
        self.assertEqual(cnn, CNN_OUTPUTS)
        self.assertEqual(memory, MEMORY_OUTPUTS)  # its state survived

    def test_reset_clears_state(self):
        interp = tflm.Interpreter(MEMORY)
        self.assertEqual(answers(interp), MEMORY_OUTPUTS)
        interp.reset()
        self.assertEqual(answers(interp), MEMORY_OUTPUTS)

    def test_invoke_with_heap_locked_works(self):
        for backend in tflm.backends():
            interp = tflm.Interpreter(CNN, backend=backend)
            interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, 0)
            heap_lock()
            try:
                interp.invoke()
            finally:
                heap_unlock()
            found = bytes(interp.outputs[0].data)
            self.assertEqual(found, CNN_OUTPUTS[: len(found)], backend)

    def test_gc_in_every_node_moves_and_frees_nothing(self):
        for backend in tflm.backends():
            for model, outputs in ((CNN, CNN_OUTPUTS), (MEMORY, MEMORY_OUTPUTS)):
                interp = tflm.Interpreter(model, backend=backend)
                seen = []

                def hook(node, seen=seen):
                    seen.append(node)
                    churn()

                interp.on_node = hook
                self.assertEqual(answers(interp), outputs, backend)
                nodes = interp.model.subgraphs[0].operator_count
                self.assertEqual(seen, list(range(nodes)) * RUNS)

    def test_gc_between_invokes_frees_nothing(self):
        interp = tflm.Interpreter(bytes(CNN))  # nobody else holds these bytes
        outputs = b""
        for run in range(RUNS):
            churn()
            outputs += answer(interp, run)
        self.assertEqual(outputs, CNN_OUTPUTS)

    def test_output_outlives_its_interpreter(self):
        interp = tflm.Interpreter(CNN)
        answers(interp)
        output = interp.outputs[0]
        kept = bytes(output.data)
        del interp
        churn()
        self.assertEqual(bytes(output.data), kept)

    def test_hook_sees_each_node_and_can_be_removed(self):
        interp = tflm.Interpreter(CHAIN)
        seen = []
        interp.on_node = seen.append
        self.assertEqual(answers(interp), CHAIN_OUTPUTS)
        self.assertEqual(seen, list(range(8)) * RUNS)
        interp.on_node = None
        self.assertEqual(answers(interp), CHAIN_OUTPUTS)
        self.assertEqual(len(seen), 8 * RUNS)

    def test_hook_can_remove_itself(self):
        interp = tflm.Interpreter(CHAIN)
        seen = []

        def hook(node):
            seen.append(node)
            interp.on_node = None

        interp.on_node = hook
        self.assertEqual(answers(interp), CHAIN_OUTPUTS)
        self.assertEqual(seen, [0])

    def test_inputs_that_are_kept_answer_again(self):
        for backend in tflm.backends():
            for planner in ("overlap", "greedy", "linear"):
                interp = tflm.Interpreter(CNN, backend=backend, planner=planner, keep_inputs=True)
                expected = answer(interp, 0)
                for _ in range(3):
                    interp.invoke()
                    self.assertEqual(bytes(interp.outputs[0].data), expected)
                    first = pattern(1, 0)[0]
                    self.assertEqual(interp.inputs[0][0] & 0xFF, first)

    def test_callbacks_run_other_models_but_not_this_one(self):
        try:
            from micropython import schedule
        except ImportError:  # CPython
            self.skipTest("no scheduler")
        for backend in tflm.backends():
            arena = tflm.Arena(sum([tflm.Model(m).arena_required() for m in (CHAIN, CNN)]))
            interp = tflm.Interpreter(CHAIN, arena, backend=backend)
            sharing = tflm.Interpreter(CNN, arena, backend=backend)
            other = tflm.Interpreter(CNN, backend=backend, keep_inputs=True)
            seen = []
            goes_on = [True]

            def called(_, interp=interp, sharing=sharing, other=other, seen=seen, on=goes_on):
                if interp.arena._gate[0]:  # within a run
                    for refused in (interp, sharing):
                        with self.assertRaises(tflm.StateError):
                            refused.invoke()
                        seen.append(refused)
                    other.invoke()
                if on[0]:
                    schedule(called, 0)

            schedule(called, 0)
            try:
                outputs = answers(interp)
            finally:
                goes_on[0] = False
            self.assertEqual(outputs, CHAIN_OUTPUTS, backend)
            self.assertTrue(len(seen) >= 2 * RUNS, len(seen))

    def test_import_again_works(self):
        old = [name for name in sys.modules if name.split(".")[0] == "tflm"]
        kept = {name: sys.modules.pop(name) for name in old}
        try:
            again = __import__("tflm")
            self.assertTrue(again is not tflm)
            self.assertEqual(answers(again.Interpreter(CNN)), CNN_OUTPUTS)
        finally:
            sys.modules.update(kept)
        self.assertEqual(answers(tflm.Interpreter(CNN)), CNN_OUTPUTS)


if __name__ == "__main__":
    main()
