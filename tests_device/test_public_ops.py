"""Every public name that operators written in Python meet does the same on any Python.

Like test_public.py. The examples of the README and of docstrings are here, too.
"""

import gc
import os
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main, walk

# Written by tests_host/make_device_tests.py:
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

FOLDERS = ("/rom", "models", "../models")

RESOLVER = """
>>> nothing = tflm.Registration()
>>> nothing.init, nothing.prepare, nothing.invoke, nothing.reset, nothing.free
(None, None, None, None, None)
>>> resolver = tflm.OpResolver()
>>> resolver.add_builtin(19, nothing, min_version=2, max_version=3)
>>> resolver.find_op(19, 2) is nothing, resolver.find_op(19), resolver.find_op(20)
(True, None, None)
>>> resolver.add_builtin(19, nothing, 3, 2)
ValueError: versions 3..2 are no range
>>> resolver.add_custom("", nothing)
ValueError: a custom operator needs a name
>>> model = tflm.Model(PUBLIC)
>>> relu, quantize, double, add, reshape = model.subgraphs[0].operators()
>>> resolver.find(relu), resolver.find_code((19, "", 3)) is nothing
(None, True)
>>> resolver.why_missing(relu)
'version 1, this build has 2 to 3'
>>> resolver.why_missing(double), resolver.why_missing(add)
('no custom operator of this name was added', 'not in this build')
>>> try:
...     tflm.default_resolver().check_all(model)
... except tflm.UnsupportedOpError as error:
...     missing = "Double" in str(error)
>>> missing
True
>>> resolver.knows(19), resolver.knows(20)
(True, False)
>>> resolver.add_all(tflm.default_resolver())
>>> resolver.add_custom("Double", nothing)
>>> len(resolver.check_all(model)), resolver.check_all(model)[double.code] is nothing
(5, True)
>>> tflm.OpResolver().counts(), tflm.OpResolver(), nothing, tflm.Registration(invoke=print)
((0, 0), <OpResolver 0 builtin, 0 custom>, <Registration of nothing>, <Registration invoke>)
>>> model
<Model for every public name: float32[1, 4] -> int8[2, 2], 5 ops>
>>> model.path, double
('', <Operator Double #2: [2] -> [3]>)
>>> model.subgraphs[1], model.subgraphs[0].tensor(2)
(<SubGraph twice: int8[1, 4] -> int8[1, 4], 1 ops>, <TensorInfo 2 t2 int8[1, 4]>)
>>> tflm.Arena(), tflm.Arena(160)
(<Arena 0 of any number of bytes>, <Arena 0 of 160 bytes>)
"""

OPERATOR = """
>>> called = []
>>> seen = {}
>>> def init(context, node):
...     called.append("init")
...     node.user_data = context.allocate_persistent_buffer(node, 4)
>>> def prepare(context, node):
...     called.append("prepare")
...     temp = context.allocate_temp_buffer(8)
...     temp[0] = 1
...     context.deallocate_temp_buffer(temp)
...     node.expect_counts(1, 1)
...     node.expect(node.required(0).shape == node.output(0).shape, "its shapes differ")
...     seen["constant"] = context.constant(node, 0), context.external
...     seen["tensors"] = node.input(0).name, node.output(0).name, node.input(1)
...     seen["node"] = node.index, node.operator.name, node.subgraph.index
...     seen["free"] = node.registration.invoke is double
...     context.write_persistent(node.user_data, b"mine")
...     seen["same node"] = context.node is node
...     seen["shown"] = str(node)
...     node.user_data = node.user_data, context.request_scratch_buffer(node, 4)
...     context.allow_overlap(node, 0)
>>> def double(context, node):
...     handle, scratch = node.user_data
...     seen["kept"] = bytes(context.persistent_buffer(handle))
...     context.scratch_buffer(scratch)[:] = context.input_data(node, 0)
...     seen["same"] = context.tensor_data(node, 2) == context.scratch_buffer(scratch)
...     twice = context.subgraph(1)
...     context.subgraph_input(twice, 0)[:] = context.scratch_buffer(scratch)
...     before = context.graph.current_operator
...     context.graph.invoke_subgraph(1)
...     seen["graph"] = before, context.graph.current_subgraph, len(context.graph.runners)
...     context.output_data(node, 0)[:] = context.subgraph_output(twice, 0)
>>> def reset(context, node):
...     called.append("reset")
>>> def free(context, node):
...     called.append("free")
>>> resolver = tflm.default_resolver()
>>> resolver.add_custom("Double", tflm.Registration(init, prepare, double, reset, free))
>>> interp = tflm.Interpreter(PUBLIC, resolver=resolver, external="mine")
>>> seen["constant"]
(None, 'mine')
>>> interp.context.state, seen["tensors"], seen["node"], seen["free"]
(3, ('t2', 't3', None), (2, 'Double', 0), True)
>>> interp.inputs[0].quantize([1.0, -2.0, 5.5, 3.0])
>>> interp.invoke()
>>> interp.outputs[0].nested(), seen["kept"], seen["same"], seen["same node"], seen["graph"]
([[1, 1], [7, 2]], b'mine', True, True, (2, 0, 2))
>>> interp.context.in_blocks
True
>>> interp.context.set_record(None, "copy", [], [])
StateError: set_record is not allowed during invoke, only during prepare
>>> interp.context.resources()
StateError: resources is not allowed during invoke, only during prepare
>>> seen["shown"]
'<Node Double #2: [2] -> [3]>'
>>> str(interp).split(", arena")[0]
'<Interpreter for every public name: float32[1, 4] -> int8[2, 2], 5 ops'
>>> interp.context.start(interp.graph)
>>> interp.reset()
>>> interp.close()
>>> called
['init', 'prepare', 'reset', 'reset', 'free']
>>> def stop(context, node):
...     return tflm.ABORT
>>> resolver.add_custom("Double", tflm.Registration(invoke=stop))
>>> interp = tflm.Interpreter(PUBLIC, resolver=resolver)
>>> interp.answered
True
>>> interp.invoke()
>>> interp.graph.current_operator, interp.answered, interp.graph.answered
(2, False, False)
>>> interp.graph.run(), interp.graph.run_subgraph(0)
(-5, -5)
>>> interp.graph.turns.keeps = True
>>> interp.graph.turns.turn = interp.arena._gate[1]
>>> interp.graph.run(), interp.graph.run_subgraph(0)
(0, 0)
>>> interp.graph.set_hook(None)
>>> interp.graph.hook
>>> interp.graph.refuse(-3)
StateError: the arena or the model is a bytearray that was resized: make a new interpreter
>>> def refuse(context, node):
...     node.check_shapes()
...     sorted(node.forget_tensors())
...     node.expect(node.index == 7, "is number %d, 7 expected", node.index)
>>> resolver.add_custom("Double", tflm.Registration(refuse))
>>> interp = tflm.Interpreter(PUBLIC, resolver=resolver)
ModelError: Double #2: is number 2, 7 expected
>>> resolver.add_custom("Double", tflm.Registration())
>>> interp = tflm.Interpreter(PUBLIC, resolver=resolver)
ModelError: Double #2: its registration has neither a kernel nor invoke
"""

DELEGATE = """
>>> class Doubles:
...     name = "Doubles"
...     def supports(self, operator):
...         return operator.name in ("QUANTIZE", "Double")
...     def accept(self, part):
...         return len(part.members) > 1
...     def prepare(self, context, node):
...         node.user_data = context.allocate_hidden(node)
...     def invoke(self, context, node):
...         context.output_data(node, 0)[:] = bytes([1, 2, 3, 4])
>>> interp = tflm.Interpreter(PUBLIC, delegates=(Doubles(),))
>>> interp.invoke()
>>> interp.outputs[0].nested()
[[1, 2], [3, 1]]
>>> graph = interp.model.subgraphs[0]
>>> part = graph.parts[0]
>>> part, list(part.nodes), part.members[1]
(<Part Doubles #1: [1] -> [3]>, [1, 2], <Operator Double #2: [2] -> [3]>)
>>> part.inputs, part.outputs, part.hidden, part.subgraph is graph, part.index
((1,), (3,), (2,), True, 1)
>>> part.name, part.delegate.name, part.code, part.builtin, part.version, part.custom_name
('Doubles', 'Doubles', (51, '', 1), 51, 1, '')
>>> part.options(11), part.attributes, part.intermediates
(None, None, ())
>>> part.fail("is not wanted")
ModelError: Doubles #1: is not wanted
"""

README = """
>>> import tflm
>>> interp = tflm.Interpreter("/rom/digits_cnn.tflite")
>>> interp.inputs[0].quantize(pixels)
>>> interp.invoke()
>>> interp.outputs[0].argmax()
8
>>> len(interp.outputs[0].dequantize())
10
>>> def check(context, node):
...     node.expect_counts(1, 1)
>>> def double(context, node):
...     context.output_data(node, 0)[:] = context.input_data(node, 0)
>>> resolver = tflm.default_resolver()
>>> resolver.add_custom("Double", tflm.Registration(prepare=check, invoke=double))
>>> interp = tflm.Interpreter(model, resolver=resolver)
"""


class PublicOpsTest(TestCase):
    def setUp(self):
        gc.collect()
        self.names = {"tflm": tflm, "PUBLIC": PUBLIC}

    def check(self, text, where=None):
        wrong = walk(text, self.names, where)
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_resolver(self):
        self.check(RESOLVER)

    def test_operator(self):
        self.check(OPERATOR)

    def test_delegate(self):
        self.check(DELEGATE)

    def test_readme(self):
        for folder in globals().get("MODELS", FOLDERS):
            try:
                os.stat(folder + "/digits_cnn.tflite")
            except OSError:
                continue
            self.names["pixels"] = [i * 6 % 17 / 16 for i in range(64)]
            self.names["model"] = PUBLIC
            self.check(README, folder)
            return
        self.skipTest("no model in /rom")


if __name__ == "__main__":
    main()
