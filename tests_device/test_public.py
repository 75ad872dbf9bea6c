"""Every public name of interpreters, tensors and models does the same on any Python.

test_public_arena.py has those of arenas, test_public_printed.py the texts of an interpreter,
test_public_ops.py the names that operators meet.
test_public_names.py of tests_host runs the same on CPython, and fails for a public name that no
example here uses.
"""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main, walk

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython
    heap_lock = heap_unlock = gc.collect

# Written by tests_host/make_device_tests.py:
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
PUBLIC = a2b_base64(
    "IAAAAFRGTDMAAAAAAAASABwAGAAUABAADAAIAAAABAASAAAAOAAAAAgGAAAQAAAA5AAAAFAAAAADAAAAFQAAAGZv"
    "ciBldmVyeSBwdWJsaWMgbmFtZQAAAAAAAAABAAAADAAAAAgADAAIAAQACAAAAAEAAAAEAAAABAAAAG5vdGUAAAAA"
    "BQAAAHwAAABcAAAAOAAAABgAAAAEAAAApP///xYAAAABAAAAAAAAFrT///8AAAAAAQAAAAAAAAAMABQAEwAMAAgA"
    "BAAMAAAAIAAAAAEAAAAIAAAAAAAAIAYAAABEb3VibGUAAPD///9yAAAAAQAAAAAAAHIMABAADwAAAAgABAAMAAAA"
    "EwAAAAEAAAAAAAATAgAAADABAAAEAAAA5v7//xQAAAAsAAAAGAAAABwAAABMAAAABQAAAHR3aWNlAAAAAQAAAAEA"
    "AAABAAAAAAAAAAEAAAAEAAAA5P3//wAAAAAMAAAAEAAAAAAAAAABAAAAAQAAAAEAAAAAAAAAAgAAAGAAAAAEAAAA"
    "PPz//wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MQAAAgAAAAEAAAAEAAAAKvz//wAAAAAIAAAAFAAAAAEA"
    "AAD//////////wAAAAABAAAAAAAAP5T8//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAIAAAABAAAA"
    "BAAAAIL8//8AAAAACAAAABAAAAABAAAA//////////8BAAAAAAAAPwAADgAYABQAEAAMAAgABAAOAAAAFAAAACwA"
    "AAAYAAAAHAAAAEwBAAAEAAAAbWFpbgAAAAABAAAABwAAAAEAAAAAAAAABQAAAAQBAADIAAAAiAAAADgAAAAEAAAA"
    "Vv///ygAAAAAAAARDAAAABAAAAAEAAAAAQAAAAcAAAACAAAABQAAAAYAAAAo/P//hv///zAAAAAAAAALDAAAABAA"
    "AAADAAAAAQAAAAUAAAACAAAAAwAAAAQAAAAAAAYACAAHAAYAAAAAAAABEAAYABQAEAAMAAsAAAAEABAAAAAkAAAA"
    "AAAAAAwAAAAQAAAAAgAAAAEAAAADAAAAAQAAAAIAAAABAAAABwAOABgAFAAQAAwACwAEAA4AAAAkAAAAAAAAWQwA"
    "AAAQAAAAAQAAAAEAAAACAAAAAQAAAAEAAADc/P//DAAUABAADAAIAAcADAAAAAAAAAAMAAAAEAAAAAAAAAABAAAA"
    "AQAAAAEAAAAAAAAACAAAAFgCAAAYAgAArAEAAEQBAADoAAAAjAAAAGAAAAAEAAAAfP7//wAAAAAoAAAAEAAAAAAA"
    "AAAAAAAJDAAAAAIAAAB0NwAAAgAAAAIAAAACAAAAav7//wAAAAAIAAAAFAAAAAEAAAAAAAAAAAAAAAAAAAABAAAA"
    "AACAPzD+//8AAAAAEAAAAAMAAAAAAAACDAAAAAIAAAB0NgAAAQAAAAIAAAD8/v//AAAAACgAAAAQAAAAAAAAAAAA"
    "AAkMAAAAAgAAAHQ1AAACAAAAAQAAAAQAAADq/v//AAAAAAgAAAAUAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAIA/"
    "VP///wAAAAAoAAAAEAAAAAIAAAAAAAAJDAAAAAIAAAB0NAAAAgAAAAEAAAAEAAAAQv///wAAAAAIAAAAFAAAAAEA"
    "AAAAAAAAAAAAAAAAAAABAAAAAAAAP6z///8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDMAAAIAAAABAAAA"
    "BAAAAJr///8AAAAACAAAABAAAAABAAAA//////////8BAAAAAAAAPxAAHAAYABcAEAAMAAgABwAQAAAAAAAAADwA"
    "AAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQyAAACAAAAAQAAAAQAAAAAABIAEAAAAAAADAAIAAAAAAAEABIAAAAAAAAA"
    "CAAAABAAAAABAAAA//////////8BAAAAAAAAP9T///8AAAAAEAAAAAAAAAAAAAAADAAAAAIAAAB0MQAAAgAAAAEA"
    "AAAEAAAAEAAYABQAEwAMAAgAAAAHABAAAAAAAAAAEAAAAAAAAAAAAAAADAAAAAIAAAB0MAAAAgAAAAEAAAAEAAAA"
    "BAAAAGgAAABMAAAAKAAAAAQAAADG////BAAAAAgAAAACAAAAAgAAAAAAAAAAAAAAAAAAAOb///8EAAAABAAAAAAB"
    "Av0AAAAAAAAAAAAABgAIAAQABgAAAAQAAAADAAAAAQIDAAAAAAAEAAQABAAAAA=="
)
# End of what is written.

START = """
>>> def prepare(context, node):
...     context.allow_overlap(node, 0)
>>> def double(context, node):
...     for i, value in enumerate(context.input_data(node, 0)):
...         context.output_data(node, 0)[i] = 2 * value & 255
>>> resolver = tflm.OpResolver()
>>> resolver.add_all(tflm.default_resolver())
>>> resolver.add_custom("Double", tflm.Registration(prepare=prepare, invoke=double))
>>> interp = tflm.Interpreter(PUBLIC, resolver=resolver, planner="linear")
"""

MODULE = """
>>> tflm.__version__
'0.2.0'
>>> tflm.backends()[0] in ("c", "viper")
True
>>> tflm.cores(1)
1
>>> tflm.ABORT is tflm.ABORT
True
>>> tflm.no_such_name
AttributeError: module 'tflm' has no attribute 'no_such_name'
>>> names = "ABORT Arena ArenaError Interpreter Model ModelError OpResolver Profiler Recording"
>>> names += " Registration StateError Tensor UnsupportedOpError backends cores default_resolver"
>>> [name for name in names.split() if name not in dir(tflm)]
[]
>>> import tflm.schema
>>> tflm.schema.INT8, tflm.schema.ACTIVATION_RELU6, tflm.schema.type_name(9)
(9, 3, 'int8')
>>> from tflm.model import Model
>>> Model is tflm.Model
True
"""

ERRORS = """
>>> issubclass(tflm.ModelError, ValueError), issubclass(tflm.StateError, RuntimeError)
(True, True)
>>> issubclass(tflm.UnsupportedOpError, tflm.ModelError)
True
>>> tflm.Model(b"no model")
ModelError: not a .tflite file: bytes 4..7 must be b'TFL3'
>>> try:
...     tflm.Interpreter(MEMORY, 32)
... except tflm.ArenaError as raised:
...     error = raised
>>> isinstance(error, MemoryError), error.requested, error.available, error.missing
(True, 176, 32, 144)
>>> str(error)
'arena for this model: 176 bytes requested, 32 available, 144 missing'
"""

TENSOR = """
>>> x, y, f, q = interp.inputs[0], interp.outputs[0], interp.tensor(1), interp.tensor(2)
>>> isinstance(x, tflm.Tensor), x.name, x.index, x.shape, x.dtype, x.type, x.nbytes, len(x)
(True, 't0', 0, (1, 4), 'float32', 0, 16, 4)
>>> q.format, x.format
('b', 'f')
>>> q.scale, q.scales, q.zero_point, x.scale, x.scales, x.zero_point
(0.5, (0.5,), -1, 0.0, (), 0)
>>> x.quantize([1.5, -2.0, 0.25, 3.0])
>>> x.dequantize(), x[3], x[-1]
([1.5, -2.0, 0.25, 3.0], 3.0, 3.0)
>>> q.quantize((1.5, -70.0, 0.25, 63.5))
>>> q[:], q.dequantize(), bytes(q.data)
([2, -128, 0, 126], [1.5, -63.5, 0.5, 63.5], b'\\x02\\x80\\x00~')
>>> q.argmax()
3
>>> q[0] = -5
>>> q[1:3] = (7, 8)
>>> list(q), q[0:3], q[-3:], q[1:1]
([-5, 7, 8, 126], [-5, 7, 8], [7, 8, 126], [])
>>> q[:] = [1, 2, 3, 4]
>>> q[:] = b"\\x01\\xff\\x02\\xfe"
>>> q[:]
[1, -1, 2, -2]
>>> q.assign([[4, 3, 2, 1]])
>>> q.nested(), y.nested()
([[4, 3, 2, 1]], [[0, 0], [0, 0]])
>>> y.assign([[1, 2], [3, 4]])
>>> y.nested(), y[2]
([[1, 2], [3, 4]], 3)
>>> q.assign(b"\\x80\\x7f\\x00\\x01")
>>> [value for value in q]
[-128, 127, 0, 1]
>>> q.data[0] = 5
>>> q[0]
5
>>> q[4]
IndexError: element 4 of 4 in tensor t2
>>> q[0] = 128
ValueError: 128 does not fit int8 tensor t2: -128..127
>>> q[0:2] = [1, 2, 3]
ValueError: tensor t2: 3 values given for 2 elements
>>> q[::2]
ValueError: tensor slices have step 1
>>> q.shape = (4,)
AttributeError: the shape of tensor t2 is fixed: Interpreter.resize_input() gives an input another
>>> q.shape
(1, 4)
"""

INTERPRETER = """
>>> interp.model.description, interp.backend in tflm.backends(), interp.resolver is resolver
('for every public name', True, True)
>>> isinstance(interp.arena, tflm.Arena), interp.arena_used_bytes() == interp.arena.size
(True, True)
>>> interp.inputs[0].quantize([1.0, -2.0, 5.5, 3.0])
>>> interp.invoke()
>>> interp.outputs[0][:], interp.outputs[0].nested()
([2, 0, 12, 4], [[2, 0], [12, 4]])
>>> interp.inputs[0][:]
[1.0, -2.0, 5.5, 3.0]
>>> interp.arena._gate[1]
3
>>> interp.tensor(0).assign([[4.0, 3.0, 2.0, 1.0]])
>>> interp.tensor(0).nested()
[[4.0, 3.0, 2.0, 1.0]]
>>> seen = []
>>> def hook(node):
...     seen.append((node, interp.tensor(2)[0]))
>>> interp.on_node = hook
>>> interp.invoke()
>>> interp.graph.max_rounds, interp.graph.rounds
(65536, 0)
>>> interp.on_node is hook, seen[1:3]
(True, [(1, 7), (2, 7)])
>>> interp.on_node = None
>>> [(row[0], row[1], row[3]) for row in interp.profile()]
[(0, 'RELU', 16), (1, 'QUANTIZE', 4), (2, 'Double', 4), (3, 'ADD', 4), (4, 'RESHAPE', 4)]
>>> profiler = tflm.Profiler(12)
>>> rows = interp.profile(runs=2, profiler=profiler)
>>> [row[0] for row in rows], [(row[0], row[2]) for row in profiler.totals()]
([0, 1, 2, 3, 4], [('RELU', 2), ('QUANTIZE', 2), ('Double', 2), ('ADD', 2), ('RESHAPE', 2)])
>>> len(profiler), profiler.lost, profiler.events()[5][0], profiler.csv(totals=True)[:24]
(10, 0, 'RELU', 'tag,microseconds,events\\n')
>>> profiler.clear()
>>> def timed():
...     with profiler("outer"):
...         with profiler("inner"):
...             pass
>>> timed()
>>> profiler.clear()
>>> locked(timed)
>>> profiler.note("noted", 7), [row[0] for row in profiler.events()], profiler.csv()[-10:]
(2, ['outer', 'inner', 'noted'], '2,noted,7\\n')
>>> report = interp.arena_report()
>>> report["arena_bytes"] == interp.arena_used_bytes(), sorted(report)[:4]
(True, ['arena_bytes', 'buffers', 'groups', 'head_bytes'])
>>> interp.measure(tflm.Arena()).plan_bytes == report["head_bytes"]
True
>>> interp.reset()
>>> interp.allocate_tensors()
>>> interp.close()
>>> with tflm.Interpreter(MEMORY, allocate=False) as late:
...     empty = late.inputs
...     late.allocate_tensors()
...     late.invoke()
>>> empty, late.graph is None
((), False)
>>> tflm.Interpreter(model_path="digits.tflite")
TypeError: Interpreter has no option model_path; tflm.lite.Interpreter has tf.lite's options
>>> tflm.Interpreter(MEMORY, planer="greedy")
TypeError: Interpreter has no option planer; tflm.lite.Interpreter has tf.lite's options
>>> try:
...     tflm.Interpreter(MEMORY, 4096, resolver)
... except TypeError:
...     positional = True
>>> positional, [hasattr(late, name) for name in ("input", "output", "set_tensor", "get_tensor")]
(True, [False, False, False, False])
>>> [hasattr(late, name) for name in ("get_input_details", "get_output_details", "print_plan")]
[False, False, False]
>>> late.invoke()
StateError: this interpreter was closed
>>> late.tensor(0)
StateError: this interpreter was closed
>>> tflm.Interpreter(MEMORY, allocate=False).tensor(0)
StateError: tensor(): call allocate_tensors() before
>>> keeps = tflm.Interpreter(MEMORY, keep_inputs=True)
>>> keeps.inputs[0][0] = 5
>>> keeps.invoke()
>>> keeps.inputs[0][0]
5
"""

MODEL = """
>>> model = tflm.Model(PUBLIC)
>>> model.version, model.description, model.in_flash, model.snapshot, len(model.buf) == len(PUBLIC)
(3, 'for every public name', False, None, True)
>>> model.untrusted
False
>>> model.verify(), model.source, tflm.Model(bytearray(PUBLIC)).source == PUBLIC
(None, None, True)
>>> model.opcodes
((19, '', 1), (114, '', 1), (32, 'Double', 1), (0, '', 1), (22, '', 1))
>>> sorted(model.metadata), bytes(model.metadata["note"])
(['note'], b'\\x01\\x02\\x03')
>>> model.metadata_entry("note")[1], model.metadata_entry("none"), model.stream
(3, (0, 0), None)
>>> [operator.name for operator in model.operators()]
['RELU', 'QUANTIZE', 'Double', 'ADD', 'RESHAPE', 'RELU']
>>> model.check()
False
>>> model.buffer(1)[1], tflm.Model(MEMORY).arena_required()
(3, 176)
>>> main, twice = model.subgraphs
>>> [list(sizes) for _, sizes in model.surveys()]
[[16, 16, 4, 4, 4, 4, 8, 4], [4, 4]]
>>> main.operators_at > twice.operators_at > 0
True
>>> main.model is model, main.name, main.index, main.inputs, main.outputs, twice.index
(True, 'main', 0, (0,), (7,), 1)
>>> main.tensor_count, main.operator_count, len(main.places), main.links(3)
(8, 5, 4, (0, (3, 4), (5,)))
>>> 0 < main.verify(1000) < 1000, model.unread
(True, None)
>>> [operator.name for operator in twice.operators()]
['RELU']
>>> q, c, shape = main.tensor(2), main.tensor(4), main.tensor(6)
>>> q.index, q.name, q.type, q.type_name, q.shape, q.elements, q.nbytes
(2, 't2', 9, 'int8', (1, 4), 4, 4)
>>> q.is_variable, q.data, q.is_constant, c.is_constant, c.data > 0
(False, 0, False, True, True)
>>> q.scale(), q.scales(), q.zero_point(), q.scale_bits()
(0.5, (0.5,), -1, 1056964608)
>>> q.quantization()[1], q.quantized_dimension()
(1, 0)
>>> shape.int_data(), q.lacks_zero_points()
((2, 2), False)
>>> custom, add = main.operator(2), main.operator(3)
>>> custom.name, custom.custom_name, custom.builtin, custom.version, custom.code
('Double', 'Double', 32, 1, (32, 'Double', 1))
>>> bytes(custom.custom_options), custom.index, custom.inputs, custom.outputs, custom.pos > 0
(b'\\x07', 2, (2,), (3,), True)
>>> add.attributes is None, add.intermediates
(True, ())
>>> custom.attributes
ModelError: Double #2: custom options: a FlexBuffer of 1 bytes
>>> custom.subgraph is main, add.options(5), add.options(11).byte(0), add.options(11).word(1, 8)
(True, None, 1, 8)
>>> add.options(11).ints(1), add.options(11).real(1), add.options(11).text(1)
((), 0.0, None)
>>> add.fail("is not wanted")
ModelError: ADD #3: is not wanted
>>> add.verify([0, 0, 0, 1, 1, 0, 0, 0]) > 0
True
"""


def locked(call):
    """Call *call* with the heap locked."""
    heap_lock()
    try:
        call()
    finally:
        heap_unlock()


class PublicTest(TestCase):
    def setUp(self):
        gc.collect()
        self.names = {"tflm": tflm, "MEMORY": MEMORY, "PUBLIC": PUBLIC}
        self.names["locked"] = locked

    def check(self, *texts):
        for text in texts:
            wrong = walk(text, self.names)
            self.assertEqual(wrong, [], "\n".join(wrong))

    def test_module(self):
        self.check(MODULE)

    def test_errors(self):
        self.check(ERRORS)

    def test_tensor(self):
        self.check(START, TENSOR)

    def test_interpreter(self):
        self.check(START, INTERPRETER)

    def test_model(self):
        self.check(MODEL)


if __name__ == "__main__":
    main()
