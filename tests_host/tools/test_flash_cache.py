"""A model prepared for a core that reads flash through a small cache, as an RP2040 does."""

import struct
from contextlib import nullcontext

import pytest

from support.models.model_builder import VALID, ModelBuilder, Quant
from tflm import Interpreter, Model
from tflm.base.layout import PREPARED_FORMAT
from tflm_host.measure.bench import measure
from tflm_host.prepare import prepare
from tflm_host.prepare.snapshot import PreparedGraph
from tflm_host.targets import open_target
from tflm_host.targets.boards import RP2_CACHE
from tflm_host.targets.isa import Core, core_of

ROWS = 24


def wide_inside(channels):
    """Return a model of 1x1 convolutions, whose tensors inside are wider than those outside."""
    b = ModelBuilder()
    quant = Quant(0.05, 0)
    data = first = b.tensor([1, ROWS, 6, 16], "INT8", quant)
    before = 16
    for after in (*channels, 16):
        values = bytes(i * 37 % 251 for i in range(after * before))
        filters = b.tensor([after, 1, 1, before], "INT8", Quant([0.01] * after), values)
        bias = struct.pack(f"<{after}i", *range(after))
        bias = b.tensor([after], "INT32", Quant([0.01 * 0.05] * after), bias)
        output = b.tensor([1, ROWS, 6, after], "INT8", quant)
        options = {"padding": VALID, "stride_h": 1, "stride_w": 1, "activation": 0}
        inputs = [data, filters, bias]
        b.op("CONV_2D", inputs, [output], dilation_h=1, dilation_w=1, **options)
        data, before = output, after
    return b.build([first], [data])


LARGE = wide_inside((64, 192, 64))  # 26 KB of filters
SMALL = wide_inside((48, 48, 48))  # 6 KB
SLABS = wide_inside((128, 160))  # one of 20 KB


def groups(model, **options):
    return Model(prepare(model, "armv6m", **options), prepared=True).snapshot.groups()


def arena(model, **options):
    data = prepare(model, "armv6m", **options)
    return Interpreter(Model(data, prepared=True), measure=True).arena_used_bytes()


@pytest.mark.parametrize("model", [LARGE, SLABS], ids=["large", "slabs"])
def test_layers_whose_filters_a_cache_would_lose_stay_whole(model):
    """Constants gain less than the misses of fused layers cost."""
    assert groups(model, flash_cache=RP2_CACHE) == []
    assert groups(model) != []
    assert arena(model, flash_cache=RP2_CACHE) <= Model(model).arena_required()


@pytest.mark.parametrize("model", [LARGE, SMALL, SLABS], ids=["large", "small", "slabs"])
def test_layers_are_fused_with_longer_stripes_where_ram_is_asked_for(model):
    least, whole = arena(model), arena(model, by_rows=False)
    most = (least + whole) // 2
    assert least < arena(model, flash_cache=RP2_CACHE, ram=most) <= most
    assert groups(model, flash_cache=RP2_CACHE, ram=most)


def test_ram_that_is_asked_for_is_found_all_the_same():
    least = arena(LARGE)
    assert arena(LARGE, flash_cache=RP2_CACHE, ram=least) == least


@pytest.mark.firmware
@pytest.mark.parametrize("model", [LARGE, SLABS], ids=["large", "slabs"])
def test_cache_before_the_flash_of_an_rp2040_lacks_fewer_lines(model):
    most = (arena(model) + arena(model, by_rows=False)) // 2
    single, longer, whole = (
        measure("M0PLUS", "model", prepare(model, "armv6m", **options))
        for options in ({}, {"flash_cache": RP2_CACHE, "ram": most}, {"by_rows": False})
    )
    assert whole.arena > longer.arena > single.arena
    assert 4 * whole.missed < single.missed
    assert 1.9 * longer.missed < single.missed  # half of them, by some percent with the link


def dense():
    """Return a model of one FULLY_CONNECTED layer with one scale, 256 inputs, 64 outputs."""
    b = ModelBuilder()
    data = b.tensor([1, 256], "INT8", Quant(0.05, -3))
    weights = b.tensor(
        [64, 256], "INT8", Quant(0.01, 0), bytes(i * 37 % 251 for i in range(1 << 14))
    )
    output = b.tensor([1, 64], "INT8", Quant(0.4, 5))
    b.op("FULLY_CONNECTED", [data, weights, -1], [output])
    return b.build([data], [output])


def constants(model, isa, **options):
    """Return the bytes of constants that prepare adds for each node."""
    return [*PreparedGraph(model, isa, **options).constants().values()]


@pytest.mark.parametrize("isa", ["armv6m", "dsp"])
def test_layer_whose_constants_are_read_once_gets_none(isa):
    model = dense()
    assert constants(model, isa)[0] > 0
    assert constants(model, isa, flash_cache=RP2_CACHE) == [0]


def test_weights_are_packed_while_the_cache_holds_them():
    small, large = wide_inside((64,)), wide_inside((48, 256))
    for model, is_packed in ((small, True), (large, False)):
        filters = [op.inputs[1] for op in Model(model).subgraphs[0].operators()]
        nbytes = [Model(model).subgraphs[0].tensor(i).nbytes for i in filters]
        found = constants(model, "dsp", flash_cache=RP2_CACHE)
        assert (found[1] > nbytes[1]) == is_packed
        assert constants(model, "dsp")[1] > nbytes[1]


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "isa"), [("M0PLUS", "armv6m"), ("MPS2_AN386", "dsp")])
@pytest.mark.parametrize("model", [dense(), wide_inside((48, 256))], ids=["dense", "convolutions"])
def test_choice_of_constants_saves_cycles_where_flash_waits(board, isa, model):
    ways = ({}, {"flash_cache": RP2_CACHE, "by_rows": False})
    fast, slow = (measure(board, "model", prepare(model, isa, **options)) for options in ways)
    assert slow.waiting < fast.waiting
    assert slow.waiting > slow.cycles


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "isa"), [("M0PLUS", "armv6m"), ("MPS2_AN386", "dsp")])
def test_model_without_gains_takes_no_longer_than_unprepared(board, isa):
    model = dense()
    prepared = prepare(model, isa, flash_cache=RP2_CACHE)
    assert Model(prepared, prepared=True).snapshot.copied_bytes
    before, after = (measure(board, "model", data) for data in (model, prepared))
    assert after.cycles < before.cycles
    assert after.waiting < 1.01 * before.waiting  # addresses are others, and so are some misses
    assert after.arena <= before.arena


@pytest.mark.parametrize(
    ("target", "core"),
    [
        ("RPI_PICO", Core("armv6m", RP2_CACHE)),
        ("RPI_PICO2", Core("dsp", RP2_CACHE)),
        ("M0PLUS", Core("armv6m")),
        ("armv6m", Core("armv6m")),
        ("unix", Core("portable")),
    ],
)
def test_boards_with_an_rp2040_or_rp2350_read_through_a_cache(target, core):
    assert core_of(target) == core


@pytest.mark.parametrize(("port", "cache"), [("rp2", RP2_CACHE), ("stm32", 0)])
def test_board_at_a_serial_port_says_which_chip_it_has(monkeypatch, port, cache):
    class Board(nullcontext):
        def exec(self, code):
            assert code.endswith("print(_tflm.isa, _tflm.layout, sys.platform)")
            return f"dsp {PREPARED_FORMAT} {port}"

    monkeypatch.setattr(open_target, "open_target", lambda _name: Board(Board()))
    assert core_of("/dev/ttyACM0") == Core("dsp", cache)
