"""What firmware may leave out does the same on any Python: see test_public.py.

Services are the modules that no model needs to run, such as `state`.
"""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main, walk

# Written by tests_host/make_device_tests.py:
STREAM = a2b_base64(
    "CAAAAFRGTDM29v//bBAAABAAAAAQAQAANAAAAAMAAAAcAAAAYSBzdGF0ZSwgYSBsb29wIGFuZCBhIGJyYW5jaAAA"
    "AAAAAAAAAAAAAAoAAADEAAAApAAAAJAAAAB8AAAAaAAAAFQAAABAAAAALAAAABgAAAAEAAAAcP///xIAAAABAAAA"
    "AAAAEoD///8AAAAAAQAAAAAAAACQ////kAAAAAEAAAAAAAB/oP///wIAAAABAAAAAAAAArD///92AAAAAQAAAAAA"
    "AHbA////LQAAAAEAAAAAAAAt0P///3cAAAABAAAAAAAAd+D///+PAAAAAQAAAAAAAH/w////gQAAAAEAAAAAAAB/"
    "DAAQAA8AAAAIAAQADAAAAI4AAAABAAAAAAAAfwYAAAC4CAAApAcAAOwFAAAQAwAAiAEAAAQAAABu9///FAAAACwA"
    "AAAUAAAAGAAAAFgAAAADAAAATVVMAAEAAAACAAAAAgAAAAAAAAABAAAAAQAAAAQAAABe9f//KAAAAAAAABUMAAAA"
    "EAAAAAkAAAABAAAAAgAAAAIAAAAAAAAAAQAAAMDv//8DAAAAvAAAAGAAAAAEAAAAvPH//wAAAAAoAAAAEAAAAAAA"
    "AAAAAAAJDAAAAAIAAAB0MgAAAgAAAAEAAAAEAAAAqvH//wAAAAAIAAAAFAAAAAEAAAADAAAAAAAAAAAAAAABAAAA"
    "AAAAPxTy//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDEAAAIAAAABAAAABAAAAALy//8AAAAACAAAABQA"
    "AAABAAAAAwAAAAAAAAAAAAAAAQAAAAAAAD9s8v//AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQwAAACAAAA"
    "AQAAAAQAAABa8v//AAAAAAgAAAAQAAAAAQAAAAMAAAAAAAAAAQAAAAAAAD/u+P//FAAAACwAAAAUAAAAGAAAAFgA"
    "AAADAAAAQUREAAEAAAACAAAAAgAAAAAAAAABAAAAAQAAAAQAAADe9v//KAAAAAAAAAsMAAAAEAAAAAgAAAABAAAA"
    "AgAAAAIAAAAAAAAAAQAAAEDx//8DAAAAvAAAAGAAAAAEAAAAPPP//wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIA"
    "AAB0MgAAAgAAAAEAAAAEAAAAKvP//wAAAAAIAAAAFAAAAAEAAAADAAAAAAAAAAAAAAABAAAAAAAAP5Tz//8AAAAA"
    "KAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDEAAAIAAAABAAAABAAAAILz//8AAAAACAAAABQAAAABAAAAAwAAAAAA"
    "AAAAAAAAAQAAAAAAAD/s8///AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQwAAACAAAAAQAAAAQAAADa8///"
    "AAAAAAgAAAAUAAAAAQAAAAMAAAAAAAAAAAAAAAEAAAAAAAA/cvr//xQAAAA0AAAAGAAAACAAAADUAAAABAAAAGJv"
    "ZHkAAAAAAgAAAAIAAAAEAAAAAgAAAAAAAAABAAAAAwAAAHgAAAA8AAAABAAAAHL4//8oAAAAAAAACgwAAAAQAAAA"
    "BgAAAAEAAAAEAAAAAgAAAAgAAAADAAAA7vL//wAAAACm+P//MAAAAAAAACAMAAAAEAAAAAQAAAABAAAACAAAAAQA"
    "AAABAAAABQAAAAYAAAAHAAAAEPP//974//8oAAAAAAAACwwAAAAQAAAACAAAAAEAAAACAAAAAgAAAAAAAAAAAAAA"
    "QPP//wkAAACUAQAAaAEAAAwBAADgAAAAtAAAAIgAAABcAAAAMAAAAAQAAAA49v//AAAAABAAAAAAAAAAAAAABgwA"
    "AAACAAAAdDgAAAEAAAACAAAAYPb//wAAAAAQAAAAEQAAAAAAAAIMAAAAAgAAAHQ3AAABAAAAAQAAAIj2//8AAAAA"
    "EAAAABAAAAAAAAACDAAAAAIAAAB0NgAAAQAAAAEAAACw9v//AAAAABAAAAAPAAAAAAAAAgwAAAACAAAAdDUAAAEA"
    "AAABAAAA2Pb//wAAAAAQAAAAAAAAAAAAAAYMAAAAAgAAAHQ0AAABAAAAAwAAAAD3//8AAAAAEAAAAA4AAAAAAAAG"
    "DAAAAAIAAAB0MwAAAQAAAAEAAABE9v//AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQyAAACAAAAAQAAAAQA"
    "AAAy9v//AAAAAAgAAAAUAAAAAQAAAAMAAAAAAAAAAAAAAAEAAAAAAAA/gPf//wAAAAAQAAAAAAAAAAAAAAYMAAAA"
    "AgAAAHQxAAABAAAAAwAAAMT2//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAIAAAABAAAABAAAALL2"
    "//8AAAAACAAAABQAAAABAAAAAwAAAAAAAAAAAAAAAQAAAAAAAD9K/f//FAAAADQAAAAcAAAAIAAAAGgAAAAJAAAA"
    "Y29uZGl0aW9uAAAAAQAAAAUAAAACAAAAAAAAAAEAAAABAAAABAAAAEL7//8wAAAAAAAAIAwAAAAQAAAABAAAAAEA"
    "AAAFAAAABAAAAAEAAAACAAAAAwAAAAQAAACs9f//BgAAAOAAAAC0AAAAiAAAAFwAAAAwAAAABAAAAJj4//8AAAAA"
    "EAAAAAAAAAAAAAAGDAAAAAIAAAB0NQAAAQAAAAEAAADA+P//AAAAABAAAAANAAAAAAAAAgwAAAACAAAAdDQAAAEA"
    "AAABAAAA6Pj//wAAAAAQAAAADAAAAAAAAAIMAAAAAgAAAHQzAAABAAAAAQAAABD5//8AAAAAEAAAAAsAAAAAAAAC"
    "DAAAAAIAAAB0MgAAAQAAAAEAAAA4+f//AAAAABAAAAAAAAAAAAAABgwAAAACAAAAdDEAAAEAAAADAAAAfPj//wAA"
    "AAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MAAAAgAAAAEAAAAEAAAAavj//wAAAAAIAAAAEAAAAAEAAAADAAAA"
    "AAAAAAEAAAAAAAA//v7//xQAAAAkAAAAGAAAABgAAACUAAAABAAAAG9uY2UAAAAAAAAAAAAAAAACAAAANAAAAAQA"
    "AADq/P//JAAAAAAAAHEMAAAADAAAAAcAAAAAAAAAAgAAAAAAAAABAAAASPf//xb9//8gAAAAAAAAbwwAAAAQAAAA"
    "AAAAAAEAAAAAAAAAAAAAAAj9//8IAAAAEAAAAAUAAABmbGFncwAAAAAAAAAAAAAAAgAAADAAAAAEAAAAaPr//wAA"
    "AAAQAAAACgAAAAAAAAYMAAAAAgAAAHQxAAABAAAAAwAAAJD6//8AAAAAEAAAAAAAAAAAAAANDAAAAAIAAAB0MAAA"
    "AAAAAAAADgAYABQAEAAMAAgABAAOAAAAFAAAACwAAAAYAAAAHAAAAIQCAAAEAAAAbWFpbgAAAAABAAAAAgAAAAEA"
    "AAAAAAAACgAAABQCAADQAQAAoAEAAGABAAAkAQAA5AAAAKgAAABsAAAANAAAAAQAAAAi/v//JAAAAAAAAHEMAAAA"
    "DAAAAAcAAAAAAAAAAgAAAAUAAAAOAAAAgPj//07+//8oAAAAAAAACgwAAAAQAAAABgAAAAEAAAAOAAAAAgAAABIA"
    "AAANAAAAyvj//wAAAACC/v//MAAAAAAAACAMAAAAEAAAAAQAAAABAAAAEgAAAAQAAAADAAAADwAAABAAAAARAAAA"
    "7Pj//7r+//8wAAAAAAAAIAwAAAAQAAAABAAAAAEAAAANAAAABAAAAAMAAAAKAAAACwAAAAwAAAAk+f//8v7//ywA"
    "AAAAAABcDAAAABAAAAAFAAAAAQAAAAIAAAADAAAACQAAAAEAAAAAAAAA8P7//wUAAAAEAAAALv///zAAAAAAAAAg"
    "DAAAABAAAAAEAAAAAQAAAAkAAAAEAAAAAwAAAAYAAAAHAAAACAAAAJj5//9m////LAAAAAAAAF0MAAAAFAAAAAMA"
    "AAACAAAAAQAAAAQAAAACAAAAAAAAAAMAAABk////AwAAAAIAAACi////JAAAAAAAAHAMAAAAEAAAAAIAAAABAAAA"
    "AwAAAAEAAAAFAAAAAPr//87///8kAAAAAAAAZwwAAAAMAAAAAQAAAAAAAAAAAAAAAAAGAAoABAAGAAAAAQAAAAAA"
    "DgAYABQAEAAMAAsABAAOAAAAKAAAAAAAAG8MAAAAEAAAAAAAAAABAAAABQAAAAAAAAAIAAwACAAEAAgAAAAIAAAA"
    "EAAAAAUAAABmbGFncwAAAAAAAAAAAAAAEwAAAJQDAAAsAwAA0AIAAKQCAABoAgAAQAIAABQCAADoAQAAvAEAAJAB"
    "AABkAQAAOAEAAAwBAADgAAAAtAAAAIgAAABcAAAAMAAAAAQAAACs/f//AAAAABAAAAAAAAAAAAAABgwAAAADAAAA"
    "dDE4AAEAAAACAAAA1P3//wAAAAAQAAAACQAAAAAAAAIMAAAAAwAAAHQxNwABAAAAAQAAAPz9//8AAAAAEAAAAAgA"
    "AAAAAAACDAAAAAMAAAB0MTYAAQAAAAEAAAAk/v//AAAAABAAAAAHAAAAAAAAAgwAAAADAAAAdDE1AAEAAAABAAAA"
    "TP7//wAAAAAQAAAAAAAAAAAAAAYMAAAAAwAAAHQxNAABAAAAAwAAAHT+//8AAAAAEAAAAAAAAAAAAAAGDAAAAAMA"
    "AAB0MTMAAQAAAAEAAACc/v//AAAAABAAAAAGAAAAAAAAAgwAAAADAAAAdDEyAAEAAAABAAAAxP7//wAAAAAQAAAA"
    "BQAAAAAAAAIMAAAAAwAAAHQxMQABAAAAAQAAAOz+//8AAAAAEAAAAAQAAAAAAAACDAAAAAMAAAB0MTAAAQAAAAEA"
    "AAAU////AAAAABAAAAAAAAAAAAAABgwAAAACAAAAdDkAAAEAAAABAAAAPP///wAAAAAQAAAAAwAAAAAAAAIMAAAA"
    "AgAAAHQ4AAABAAAAAQAAAGT///8AAAAAEAAAAAIAAAAAAAACDAAAAAIAAAB0NwAAAQAAAAEAAACM////AAAAABAA"
    "AAABAAAAAAAAAgwAAAACAAAAdDYAAAEAAAABAAAAtP///wAAAAAQAAAAAAAAAAAAAA0MAAAAAgAAAHQ1AAAAAAAA"
    "2P///wAAAAAQAAAAAAAAAAAAAAYMAAAAAgAAAHQ0AAABAAAAAwAAABAAGAAUABMADAAIAAAABwAQAAAAAAAAABAA"
    "AAAAAAAAAAAABgwAAAACAAAAdDMAAAEAAAADAAAAVP///wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MgAA"
    "AgAAAAEAAAAEAAAAQv///wAAAAAIAAAAFAAAAAEAAAADAAAAAAAAAAAAAAABAAAAAAAAP6z///8AAAAAKAAAABAA"
    "AAAAAAAAAAAACQwAAAACAAAAdDEAAAIAAAABAAAABAAAAJr///8AAAAACAAAABAAAAABAAAAAwAAAAAAAAABAAAA"
    "AAAAPxAAHAAYABcAEAAMAAgABwAQAAAAAAAAADwAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQwAAACAAAAAQAAAAQA"
    "AAAAABIAEAAAAAAADAAIAAAAAAAEABIAAAAAAAAACAAAABAAAAABAAAAAwAAAAAAAAABAAAAAAAAPxIAAABwAQAA"
    "VAEAADABAAAcAQAACAEAAPQAAADgAAAAzAAAALgAAACkAAAAkAAAAHwAAABoAAAAVAAAAEAAAAAsAAAAGAAAAAQA"
    "AAD2/v//BAAAAAQAAAABAAAABv///wQAAAAEAAAAAwAAABb///8EAAAABAAAAAEAAAAm////BAAAAAEAAAAAAAAA"
    "Nv///wQAAAAEAAAAAQAAAEb///8EAAAABAAAAAEAAABW////BAAAAAQAAAAAAAAAZv///wQAAAADAAAAAQEAAHb/"
    "//8EAAAABAAAAAEAAACG////BAAAAAQAAAADAAAAlv///wQAAAAEAAAAAQAAAKb///8EAAAABAAAAAEAAAC2////"
    "BAAAAAQAAAABAAAAxv///wQAAAAEAAAAAAAAANb///8EAAAABAAAAAEAAADm////BAAAAAQAAAACAAAAAAAAAAAA"
    "AAAAAAYACAAEAAYAAAAEAAAABAAAAAEAAAAAAAAABAAEAAQAAAA="
)
STREAM_OUTPUTS = a2b_base64("K39/f39/f3+AyRNd")
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
SIGNED = a2b_base64(
    "HAAAAFRGTDMUABwAGAAUABAADAAIAAAAAAAEABQAAAAsAAAAXAQAABAAAABcAQAANAEAAAMAAAAOAAAAdHdvIHNp"
    "Z25hdHVyZXMAAAIAAACMAAAABAAAAIr///8BAAAADAAAABQAAAAsAAAABQAAAG90aGVyAAAAAQAAAAQAAAA8////"
    "AgAAAAQAAAADAAAAc3VtAAIAAAAgAAAABAAAAFz///8BAAAABAAAAAUAAAByaWdodAAAAHT///8AAAAABAAAAAQA"
    "AABsZWZ0AAAOABQAEAAMAAgAAAAEAA4AAAAAAAAADAAAABwAAABQAAAADwAAAHNlcnZpbmdfZGVmYXVsdAACAAAA"
    "HAAAAAQAAADM////AAAAAAQAAAABAAAAeAAAAOD///8BAAAABAAAAAUAAAB0d2ljZQAAAAEAAAAMAAAACAAMAAgA"
    "BAAIAAAAAAAAAAQAAAABAAAAeAAAAAAAAAABAAAAEAAAAAwAEAAPAAAACAAEAAwAAAAAAAAAAQAAAAAAAAACAAAA"
    "oAEAAAQAAAB2/v//FAAAADAAAAAYAAAAHAAAAFwAAAAFAAAAb3RoZXIAAAABAAAAAgAAAAIAAAAAAAAAAQAAAAEA"
    "AAAEAAAAav7//ygAAAAAAAALDAAAABAAAAAAAAAAAQAAAAIAAAACAAAAAAAAAAEAAAB4/f//AwAAALwAAABgAAAA"
    "BAAAAAz+//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDIAAAIAAAABAAAABAAAAPr9//8AAAAACAAAABQA"
    "AAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAD9k/v//AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQxAAACAAAA"
    "AQAAAAQAAABS/v//AAAAAAgAAAAUAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAA/vP7//wAAAAAoAAAAEAAAAAAA"
    "AAAAAAAJDAAAAAIAAAB0MAAAAgAAAAEAAAAEAAAAqv7//wAAAAAIAAAAFAAAAAEAAAAAAAAAAAAAAAAAAAABAAAA"
    "AAAAPwAADgAYABQAEAAMAAgABAAOAAAAFAAAACwAAAAYAAAAHAAAAGgAAAAEAAAAbWFpbgAAAAABAAAAAQAAAAEA"
    "AAAAAAAAAQAAABQAAAAAAA4AGAAUABAADAALAAQADgAAACgAAAAAAAALDAAAABAAAAAAAAAAAQAAAAEAAAACAAAA"
    "AAAAAAAAAAAc////AgAAAGwAAAAEAAAArP///wAAAAAoAAAAEAAAAAAAAAAAAAAJDAAAAAIAAAB0MQAAAgAAAAEA"
    "AAAEAAAAmv///wAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAAAAAAA/EAAcABgAFwAQAAwACAAHABAAAAAAAAAA"
    "PAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAIAAAABAAAABAAAAAAAEgAQAAAAAAAMAAgAAAAAAAQAEgAAAAAA"
    "AAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAAAAAAA/AQAAAAgAAAAEAAQABAAAAA=="
)
# End of what is written.

STATE = """
>>> interp = tflm.Interpreter(MEMORY)
>>> start = interp.save_state()
>>> interp.inputs[0][:] = (1, -20, 30, -40, 50, 60)
>>> interp.invoke()
>>> later = interp.save_state()
>>> (state,) = interp.variables
>>> state.dtype, state.shape, bytes(state.data) == later[-24:], len(later)
('int16', (1, 12), True, 40)
>>> other = tflm.Interpreter(MEMORY)
>>> other.load_state(later)
>>> other.save_state() == later, later == start
(True, False)
>>> other.reset(other.variables[0])
>>> other.save_state() == start
True
>>> other.feed(b"")
StateError: this model takes its input as a whole: see tflm prepare --feed
>>> other.reset(state)
ValueError: reset: tensor t4 is no variable of this interpreter
>>> other.load_state(later[:-1])
ValueError: load_state: 39 bytes given, 40 expected
>>> other.load_state(later[:-1] + bytes([later[-1] ^ 1]))
ValueError: load_state: the state is damaged: its checksum is wrong
>>> other.load_state(b"no state")
ValueError: load_state: these bytes are no state that save_state() returned
>>> other.load_state(tflm.Interpreter(SIGNED).save_state())
ValueError: load_state: the state is that of another model
>>> other.save_state() == start
True
"""

ONCE = """
>>> first, second = tflm.Interpreter(STREAM), tflm.Interpreter(STREAM)
>>> new = first.save_state()
>>> def run(interp):
...     interp.inputs[0][:] = [1] * len(interp.inputs[0])
...     interp.invoke()
...     return interp.outputs[0][:]
>>> one, two = run(first), run(first)
>>> one == two, len(first.graph.once)
(False, 1)
>>> first.load_state(new)
>>> run(first) == one
True
>>> second.load_state(first.save_state())
>>> run(second) == two, run(first) == two
(True, True)
"""


SIGNATURES = """
>>> model = tflm.Model(SIGNED)
>>> sorted(model.signatures)
['other', 'serving_default']
>>> index, inputs, outputs = model.signatures["serving_default"]
>>> index, inputs, sorted(outputs.items())
(0, {'x': 0}, [('twice', 1), ('x', 0)])
>>> interp = tflm.Interpreter(model, keep_inputs=True)
>>> run = interp.signature("serving_default")
>>> run.subgraph.index
0
>>> run.key, run.inputs["x"].name, sorted(run.outputs)
('serving_default', 't0', ['twice', 'x'])
>>> made = run(x=[1, -2, 3, 100])
>>> made["twice"][:], made["x"][:]
([2, -4, 6, 127], [1, -2, 3, 100])
>>> interp.signature("other")(left=[1, 2, 3, 4], right=[[5, 6, 7, 8]])["sum"][:]
[6, 8, 10, 12]
>>> run(y=[1, 2, 3, 4])
ValueError: signature serving_default: inputs ['y'] given, ['x'] expected
>>> run(x=[1, 2, 3])
ValueError: tensor t0: 3 values given for 4 elements
>>> resolver = tflm.OpResolver()
>>> resolver.add_flex("Erf", print)
>>> resolver.find_op("FlexErf")
<Registration prepare invoke>
>>> interp.signature()
ValueError: signature: None is not one of ['other', 'serving_default']
>>> def nested(node):
...     run(x=[1, 2, 3, 4])
>>> interp.on_node = nested
>>> try:
...     run(x=[1, 2, 3, 4])
... except tflm.StateError as error:
...     reason = str(error)
>>> reason[:17]
'a run is going on'
>>> interp.on_node = None
>>> run(x=[1, 2, 3, 4])["twice"][:]
[2, 4, 6, 8]
>>> tflm.Model(MEMORY).signatures
{}
"""


RESIZING = """
>>> interp = tflm.Interpreter(SIGNED)
>>> interp.resize_input(0, (1, 3))
>>> interp.allocate_tensors()
>>> interp.inputs[0][:] = [1, -2, 30]
>>> interp.invoke()
>>> interp.outputs[0].shape, interp.outputs[0][:], interp.model.sizes
((1, 3), [2, -4, 60], {0: (1, 3)})
>>> interp.resize_input(interp.inputs[0], (1, 4))
>>> interp.arena_used_bytes() > 0, interp.resize_input(0, (1, -1))
ValueError: shape (1, -1): up to 8 positive numbers expected
"""


CONSTANTS = """
>>> interp = tflm.Interpreter(MEMORY, constants=("t1",))
>>> interp.set_constant("t1", interp.tensor(1).data)
>>> weights = interp.tensor(1)
>>> weights.shape, weights.dtype, interp.model.base.path, list(interp.model.subgraphs[0].loose)
((4, 6), 'int8', '', [1])
>>> interp.set_constant(weights, [1] * 24)
>>> list(weights) == [1] * 24
True
>>> interp.set_constant("t2", bytes(24))
ValueError: set_constant: t2 is not one of the Interpreter's constants=('t1',)
>>> interp.set_constant(1, bytes(25))
ValueError: tensor t1: 25 bytes given for 24
"""


PLANNERS = """
>>> def arena(**options):
...     interp = tflm.Interpreter(STREAM, **options)
...     interp.invoke()
...     return interp.arena_used_bytes()
>>> arena()
720
>>> arena(planner="best_fit")
832
>>> arena(preserve_all_tensors=True)
976
>>> arena(planner="linear")
976
"""


LITE = """
>>> import tflm.lite as tflite
>>> def plain(values):
...     return values.tolist() if hasattr(values, "tolist") else values
>>> def array(values):
...     return tflite.numpy.array(values, "int8") if tflite.numpy else values
>>> interp = tflite.Interpreter(model_content=SIGNED, num_threads=1)
>>> interp.allocate_tensors()
>>> interp.num_subgraphs(), len(interp.get_tensor_details()), interp.get_signature_list()["other"]
(2, 2, {'inputs': ['left', 'right'], 'outputs': ['sum']})
>>> x, y = interp.get_input_details()[0], interp.get_output_details(0)
>>> plain(x["shape"]), x["quantization"], y["name"], interp.get_input_details(0)["index"]
([1, 4], (0.5, 0), 't1', 0)
>>> interp.set_tensor(0, array([[1, 2, 3, 4]]))
>>> interp.invoke()
>>> plain(interp.get_tensor(1)), interp.tensor(0)().shape, plain(interp.get_output(0))
([[2, 4, 6, 8]], (1, 4), [[2, 4, 6, 8]])
>>> interp.set_input(array([[1, 1, 1, 1]]), 0)
>>> interp.resize_tensor_input(0, [1, 4])
>>> interp.resize_tensor_input(0, [2, 3])
>>> interp.allocate_tensors()
>>> interp.set_tensor(0, array([[1, 2, 3], [4, 5, 6]]))
>>> interp.invoke()
>>> plain(interp.get_tensor(1)), plain(interp.get_output_details(0)["shape"])
([[2, 4, 6], [8, 10, 12]], [2, 3])
>>> interp.resize_tensor_input(0, [1, 4])
>>> interp.allocate_tensors()
>>> interp.reset()
>>> interp.reset_all_variables()
>>> interp.modify_graph_with_delegate(1)
TypeError: delegates[0] is int: it has no name, or no supports()
>>> same = interp.from_bytes(SIGNED)
>>> same.invoke()
>>> try:
...     interp.from_file("no such file")
... except ValueError as error:
...     reason = str(error)
>>> reason.split(":")[0]
'could not open no such file'
>>> run = interp.get_signature_runner("other")
>>> made = run(left=array([[1, 2, 3, 4]]), right=array([[1, 1, 1, 1]]))
>>> plain(made["sum"])
[[2, 3, 4, 5]]
>>> sorted(run.get_input_details()), run.get_output_details()["sum"]["index"]
(['left', 'right'], 2)
"""


PEER = """
>>> from tflm.peer import PeerDelegate, serve
>>> class End:
...     def __init__(self, here, there, serves):
...         self.here, self.there, self.serves = here, there, serves
...     def write(self, data):
...         self.there += data
...         return len(data)
...     def readinto(self, view):
...         if not self.here and self.there and self.serves:
...             serve(End(self.there, self.here, False), ready, runs=1)
...         data = bytes(self.here[: len(view)])
...         view[: len(data)] = data
...         self.here[:] = self.here[len(data) :]
...         return len(data) or None
>>> ready = tflm.Interpreter(SIGNED)
>>> peer = PeerDelegate(End(bytearray(), bytearray(), True), [0], timeout=2000)
>>> peer.name, peer.timeout
('Peer', 2000)
>>> interp, alone = tflm.Interpreter(SIGNED, delegates=[peer]), tflm.Interpreter(SIGNED)
>>> for one in (interp, alone):
...     one.inputs[0][:] = [1, -5, 30, 70]
...     one.invoke()
>>> interp.outputs[0] == alone.outputs[0]
True
>>> graph = interp.model.subgraphs[0]
>>> part = graph.parts[0]
>>> part, peer.supports(part.members[0]), peer.accept(part)
(<Part Peer #0: [0] -> [1]>, True, True)
>>> peer.prepare is None, peer.invoke is None, peer.reset is None
(False, False, False)
"""


ROOM_OF_MANY = 40_000  # bytes; QEMU's micro:bit has some 35,000 with a package in RAM


class ServicesTest(TestCase):
    def setUp(self):
        gc.collect()
        self.names = {"tflm": tflm, "MEMORY": MEMORY, "STREAM": STREAM, "SIGNED": SIGNED}

    def check(self, *texts):
        for text in texts:
            wrong = walk(text, self.names)
            self.assertEqual(wrong, [], "\n".join(wrong))

    def require_room(self):
        in_ram = getattr(tflm, "__file__", "")[:1] == "/"  # firmware's modules have no folder
        if in_ram and hasattr(gc, "mem_free") and gc.mem_free() < ROOM_OF_MANY:
            self.skipTest("too little heap beside modules in RAM")

    def test_state(self):
        self.check(STATE)

    def test_signatures(self):
        self.require_room()
        self.check(SIGNATURES)

    def test_resizing(self):
        self.check(RESIZING)

    def test_constants(self):
        self.check(CONSTANTS)

    def test_planners(self):
        self.check(PLANNERS)

    def test_lite(self):
        self.check(LITE)

    def test_peer(self):
        self.require_room()
        self.check(PEER)

    def test_call_once_is_part_of_the_state(self):
        self.check(ONCE)


if __name__ == "__main__":
    main()
