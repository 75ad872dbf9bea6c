"""States as bytes, and what may not happen to them while a model runs."""

import time
from binascii import crc32
from types import SimpleNamespace

import pytest

import _tflm
import tflm
from support.device import device_models
from support.models.control_models import counter
from support.models.delegates import Models
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain, run, svdf
from tflm.extra.state import constants_sum
from tflm_host.prepare import prepare

STATES = ["svdf", "stream", "counter"]


def fed(interp, seed):
    """Fill the inputs with bytes that depend on *seed*, run, and return the outputs' bytes."""
    for tensor in interp.inputs:
        tensor.data[:] = bytes((seed * 37 + 11 * i) & 0xFF for i in range(tensor.nbytes))
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]


@pytest.mark.parametrize("model", [svdf(), device_models.stream()], ids=["svdf", "stream"])
def test_stream_goes_on_from_a_state_at_any_frame(model):
    first = tflm.Interpreter(model)
    states, outputs = [first.save_state()], []
    for frame in range(6):
        outputs.append(fed(first, frame))
        states.append(first.save_state())
    assert len(set(states)) > 1
    for cut in range(6):
        other = tflm.Interpreter(model)
        fed(other, 99)  # leaves a state of its own
        other.load_state(states[cut])
        assert other.save_state() == states[cut]
        assert [fed(other, frame) for frame in range(cut, 6)] == outputs[cut:]


def test_state_says_whether_call_once_has_run_without_any_variable():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    b.op("CALL_ONCE", [], [], init_subgraph=1)
    b.op("RELU", [x], [y])
    b.bind([x], [y])
    b.subgraph("once")
    b.bind([], [])
    first, other = (tflm.Interpreter(b.build([], [])) for _ in range(2))
    before = first.save_state()
    fed(first, 1)
    after = first.save_state()
    assert (before[16:], after[16:]) == (b"\0", b"\1")
    other.load_state(after)
    assert other.save_state() == after
    other.load_state(before)
    assert other.save_state() == before


def test_bytes_that_are_no_state_of_this_model_are_refused():
    interp = tflm.Interpreter(svdf())
    fed(interp, 1)
    state = interp.save_state()
    header = 16
    damaged = bytearray(state)
    damaged[-1] ^= 1
    for data, text in (
        (b"", "no state that save_state"),
        (state[: header - 1], "no state that save_state"),
        (b"TFLx" + state[4:], "no state that save_state"),
        (b"TFLv" + state[4:], "an older version saved this state"),
        (state[:header], f"{header} bytes given, {len(state)} expected"),
        (state + b"\0", f"{len(state) + 1} bytes given, {len(state)} expected"),
        (damaged, "damaged"),
        (tflm.Interpreter(chain()).save_state(), "another model"),
    ):
        with pytest.raises(ValueError, match=text):
            interp.load_state(data)
        assert interp.save_state() == state


def retrained(model):
    """Return *model* with another byte in a constant of its SVDF layer."""
    out, info = bytearray(model), tflm.Model(model).subgraphs[0].tensor(1)
    assert info.is_constant
    out[info.data] ^= 1
    return bytes(out)


def test_state_of_a_model_with_other_constants_is_refused():
    for make in (lambda data: data, lambda data: prepare(data, _tflm.isa)):
        interp = tflm.Interpreter(make(svdf()), prepared=True)
        other = tflm.Interpreter(make(retrained(svdf())), prepared=True)
        fed(interp, 1)
        before = other.save_state()
        with pytest.raises(ValueError, match="a model with other constants"):
            other.load_state(interp.save_state())
        assert other.save_state() == before


@pytest.mark.parametrize("model", [svdf(), device_models.stream(), counter()], ids=STATES)
def test_forms_of_one_model_take_each_others_states(model):
    data = prepare(model, _tflm.isa)
    forms = [(model, None), (data, None), (data, True), (prepare(data, _tflm.isa), True)]
    states = set()
    for source, trusted in forms:
        interp = tflm.Interpreter(source, prepared=trusted)
        fed(interp, 1)
        states.add(interp.save_state())
        for state in states:
            interp.load_state(state)
    assert len(states) == 1


@pytest.mark.parametrize("model", [svdf(), device_models.stream(), counter()], ids=STATES)
def test_file_that_an_earlier_version_prepared_runs_and_has_no_states(model):
    old = prepare(model, _tflm.isa).replace(b"TFLM_CONSTANTS", b"TFLM_something")
    plain = tflm.Interpreter(model)
    expected, state = fed(plain, 1), plain.save_state()
    for source, trusted in [(old, None), (old, True), (prepare(old, _tflm.isa), True)]:
        interp = tflm.Interpreter(source, prepared=trusted)
        assert fed(interp, 1) == expected
        for call, given in ((interp.save_state, ()), (interp.load_state, (state,))):
            with pytest.raises(tflm.StateError, match="an earlier version prepared this model"):
                call(*given)


@pytest.mark.parametrize(
    ("dtype", "count", "data"),
    [
        ("INT8", 3, b"\1\2\3"),
        ("INT4", 1, b"\1"),  # two elements a byte
        ("INT4", 4, b"\x21\x43"),
        ("INT4", 5, b"\x21\x43\5"),
    ],
)
def test_sum_of_the_constants_is_that_of_their_bytes_alone(dtype, count, data):
    b = ModelBuilder()
    x = b.tensor([1, 4], "INT8", Quant(0.1, 0))
    b.tensor([count], dtype, Quant(0.1, 0), data)
    assert constants_sum(tflm.Model(b.build([x], [x]))) == crc32(data)


def test_constants_that_many_tensors_share_are_read_as_often_as_the_file_is_long():
    b = ModelBuilder()
    x = b.tensor([1, 4096], "INT8", Quant(0.1, 0))
    held = [b.tensor([1, 4096], "INT8", Quant(0.1, 0), bytes(4096)) for _ in range(2)]
    data = b.build([x], [x])
    model = tflm.Model(data)
    graph = model.subgraphs[0]
    many = SimpleNamespace(
        buf=model.buf,
        metadata_entry=model.metadata_entry,
        subgraphs=[
            SimpleNamespace(tensor_count=1 << 14, tensor=lambda _i: graph.tensor(held[0])),
        ],
    )
    start = time.process_time()
    assert constants_sum(many)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("call", ["save", "load", "resize"])
def test_state_and_sizes_stay_while_the_model_runs(call):
    interp = tflm.Interpreter(chain())
    state = interp.save_state()
    calls = {
        "save": interp.save_state,
        "load": lambda: interp.load_state(state),
        "resize": lambda: interp.resize_input(0, (2, 4)),
    }
    raised = []

    def hook(_node):
        with pytest.raises(tflm.StateError) as caught:
            calls[call]()
        raised.append(str(caught.value))

    interp.on_node = hook
    assert run(interp, [-3, 0, 5, 127]) == [0, 0, 5, 127]
    assert len(raised) == 3
    assert all("run" in text for text in raised)
    interp.on_node = None
    calls[call]()  # between two runs it may


def test_reset_of_one_variable_leaves_the_others_and_takes_no_other_tensor():
    interp = tflm.Interpreter(svdf())
    fed(interp, 3)
    (variable,) = interp.variables
    assert any(bytes(variable.data))
    other = tflm.Interpreter(svdf())
    for wrong in (interp.inputs[0], other.variables[0], "a name", (1, 2)):
        with pytest.raises(ValueError, match="is no variable of this interpreter"):
            interp.reset(wrong)
    assert any(bytes(variable.data))
    interp.reset(variable)
    zero = variable.zero_point & 0xFF if variable.type == tflm.schema.INT8 else 0
    assert bytes(variable.data) == bytes([zero]) * variable.nbytes


def test_variables_under_delegates_keep_the_order_of_the_file():
    """Two SVDF layers share a variable. The first waits for a delegate, the second does not."""
    b = ModelBuilder()
    x, early, late = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(3))
    weights = b.tensor([2, 4], "INT8", Quant(0.05, 0), bytes(range(8)))
    time = b.tensor([2, 3], "INT16", Quant(0.01, 0), bytes([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]))
    bias = b.tensor([2], "INT32", Quant(0.005, 0), bytes(8))
    variable = b.tensor([1, 6], "INT16", Quant(0.02, 0), variable=True)
    outs = [b.tensor([1, 2], "INT8", Quant(0.1, 0)) for _ in range(2)]
    b.op("RELU", [x], [early])
    b.op("RELU6", [early], [late])
    b.op("SVDF", [late, weights, time, bias, variable], outs[:1], rank=1)
    b.op("SVDF", [early, weights, time, bias, variable], outs[1:], rank=1)
    data = b.build([x], outs)
    claims = Models(data, lambda operator: operator.name == "RELU6")
    ours, plain = tflm.Interpreter(data, delegates=[claims]), tflm.Interpreter(data)
    for seed in range(5):
        assert fed(ours, seed) == fed(plain, seed)
