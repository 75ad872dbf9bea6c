"""A model prepared for a core that reads flash through a small cache, as an RP2040 does."""

import struct
from contextlib import nullcontext

import numpy as np
import pytest

from support.models.model_builder import VALID, ModelBuilder, Quant
from support.nets import one_op_models
from tflm import Interpreter, Model
from tflm.base.layout import PREPARED_FORMAT
from tflm.memory.planner import PLANNERS
from tflm_host.measure.bench import measure
from tflm_host.model.flash_cache import ART_CACHE, ART_LINE, KIB, RP2_CACHE
from tflm_host.places import SOURCES
from tflm_host.prepare import _apart, prepare, snapshot
from tflm_host.prepare.constants import Layer, dsp, dsp_wide, waiting
from tflm_host.prepare.snapshot import PreparedGraph
from tflm_host.targets import open_target
from tflm_host.targets.boards import all_board_names, load_board, stm32_board_names
from tflm_host.targets.isa import Core, core_of

ROWS = 24
TRIFLE = 2200  # cycles


def test_packed_weights_of_two_channels_fill_one_line_of_flash(monkeypatch):
    found = []
    build = snapshot.constants.build
    monkeypatch.setattr(
        snapshot.constants, "build", lambda *args: found.append(build(*args)) or found[-1]
    )
    model = prepare(wide_inside((32, 24, 8)), "dsp", flash_cache=ART_CACHE)
    streams = [data for data in found if data and data[0] & dsp_wide.FLAG]
    places = {model.find(data) + dsp.WIDE_LEAD for data in streams}
    assert len(places) > 2 and all(place % ART_LINE == 0 for place in places)


@pytest.mark.parametrize(
    ("flash_cache", "is_four"), [(0, True), (ART_CACHE, True), (RP2_CACHE, False)]
)
def test_packed_weights_run_at_four_positions_except_on_an_rp2350(flash_cache, is_four):
    params = {"filter_depth": 8, "input_depth": 8, "filter_width": 1, "dilation_width": 1}
    params |= {"filter_height": 1, "batches": 1, "output_height": 9, "output_width": 9}
    layer = Layer("conv_2d_s8", params, np.zeros((8, 8), np.int8), [], [])
    layer.flash_cache = flash_cache
    assert (dsp_wide.flags(layer) & dsp_wide.FOURS != 0) == is_four


@pytest.mark.parametrize(
    ("channels", "taps", "width", "is_three"),
    [(32, 128, 8, True), (32, 128, 7, False), (16, 256, 8, True), (16, 257, 8, False)],
)
def test_filters_of_8_bits_run_at_three_positions_where_the_kernel_does(
    channels, taps, width, is_three
):
    filters = np.zeros((channels, taps), np.int8)
    layer = Layer("conv_2d_s8", {"output_width": width}, filters, [], [])
    assert (waiting._plain_works("dsp", layer) is waiting.THREES) == is_three
    kernels = SOURCES / "kernels" / "dsp"
    most = f"TFLM_THREES_TAPS_MAX = {waiting.THREES_TAPS_MAX},"
    least = f"PRODUCTS_MIN = 1 << {waiting.THREES_PRODUCTS_MIN.bit_length() - 1} "
    assert most in (kernels / "convolution.h").read_text()
    assert least in (kernels / "conv_threes.c").read_text()


def wide_inside(channels, ends=16):
    """Return a model of 1x1 convolutions, whose tensors inside are wider than those outside."""
    b = ModelBuilder()
    quant = Quant(0.05, 0)
    data = first = b.tensor([1, ROWS, 6, ends], "INT8", quant)
    before = ends
    for after in (*channels, ends):
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


@pytest.mark.parametrize(("cache", "is_apart"), [(0, False), (RP2_CACHE, True)])
def test_output_of_a_large_filter_lies_apart_from_its_input_where_that_takes_no_arena(
    cache, is_apart
):
    """A channel block then takes all positions. The second and the third layer take the arena."""
    model = wide_inside((128, 300), ends=128)
    graph, plan = PreparedGraph(model, "armv6m", flash_cache=cache), PLANNERS["overlap"]
    nbytes = graph.plan(plan)
    found = _apart(graph, plan, (), nbytes)
    assert set(found) == ({(0, 0)} if is_apart else set())
    assert graph.plan(plan, (), found) == nbytes
    assert graph.plan(plan, (), {(0, 1)}) > nbytes


def test_constants_of_a_large_filter_pay_on_an_rp2040():
    """Without them the kernel reads the filter twice: it sums up each channel before."""
    first, *_ = constants(wide_inside((128,), ends=128), "armv6m", flash_cache=RP2_CACHE)
    assert first


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


def test_on_an_stm32f4_layers_are_fused_as_far_as_packed_filters_pay_for_it():
    """Without them nothing pays, and --ram fuses them all the same."""
    made = {
        key: Model(prepare(SMALL, "dsp", **options), prepared=True).snapshot
        for key, options in {
            "fast": {"small": True},
            "packed": {"flash_cache": ART_CACHE},
            "small": {"flash_cache": ART_CACHE, "small": True},
        }.items()
    }
    assert made["fast"].groups() and made["packed"].groups()
    assert made["small"].groups() == []
    least = made["fast"].arena_bytes
    again = prepare(SMALL, "dsp", flash_cache=ART_CACHE, small=True, ram=least)
    assert Model(again, prepared=True).snapshot.arena_bytes <= least


@pytest.mark.firmware
def test_on_an_stm32f4_a_model_without_gains_takes_hardly_longer_than_unprepared():
    prepared = prepare(SMALL, "dsp", flash_cache=ART_CACHE, small=True)
    before, after = (measure("MPS2_AN386", "model", data) for data in (SMALL, prepared))
    assert after.f4_waiting < before.f4_waiting + TRIFLE


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


def test_large_filter_in_channel_blocks_has_no_constants():
    """The kernel of an RP2350 has channel blocks where it makes the constants itself."""
    assert constants(SLABS, "dsp", flash_cache=RP2_CACHE)[1] == 0
    assert constants(SLABS, "dsp")[1] > 0


@pytest.mark.firmware
def test_channel_blocks_read_a_large_filter_once_a_row():
    """Each of 72 pairs of positions read the filter of 20 KB again before."""
    lines = 128 * 160 // 8
    cost = measure("MPS2_AN386", "model", prepare(SLABS, "dsp", flash_cache=RP2_CACHE))
    assert cost.missed < ROWS * lines


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "isa"), [("M0PLUS", "armv6m"), ("MPS2_AN386", "dsp")])
@pytest.mark.parametrize("model", [dense(), wide_inside((48, 256))], ids=["dense", "convolutions"])
def test_choice_of_constants_saves_cycles_where_flash_waits(board, isa, model):
    ways = ({}, {"flash_cache": RP2_CACHE, "by_rows": False})
    fast, slow = (measure(board, "model", prepare(model, isa, **options)) for options in ways)
    assert slow.waiting < 1.005 * fast.waiting  # the link moves code: some lines more or fewer
    assert slow.missed - slow.missed_code < fast.missed - fast.missed_code
    assert slow.waiting > slow.cycles


@pytest.mark.parametrize("cache", [RP2_CACHE, ART_CACHE])
def test_3x3_filters_are_sums_of_taps_where_that_pays(cache):
    sizes = set()
    for number in (3, 7, 11):
        model = one_op_models.case_of("conv_2d_3x3", number).model
        options = ({"small": True}, {}, {"flash_cache": cache})
        least, most, found = (len(prepare(model, "dsp", **option)) for option in options)
        assert found in (least, most)
        sizes.add(found == most)
    assert True in sizes


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "isa"), [("M0PLUS", "armv6m"), ("MPS2_AN386", "dsp")])
def test_model_without_gains_takes_no_longer_than_unprepared(board, isa):
    model = dense()
    prepared = prepare(model, isa, flash_cache=RP2_CACHE)
    assert Model(prepared, prepared=True).snapshot.copied_bytes
    before, after = (measure(board, "model", data) for data in (model, prepared))
    # Kernels and parameters are equal. Python's part of a call looks up names in other tables, and
    # addresses are others, and so are some misses.
    assert after.cycles < 1.005 * before.cycles
    assert after.waiting < 1.01 * before.waiting
    assert after.arena <= before.arena


@pytest.mark.parametrize(
    ("target", "core"),
    [
        ("RPI_PICO", Core("armv6m", RP2_CACHE)),
        ("RPI_PICO2", Core("dsp", RP2_CACHE)),
        ("NUCLEO_F446RE", Core("dsp", ART_CACHE)),
        ("WEACT_F411_BLACKPILL", Core("dsp", ART_CACHE)),
        ("NUCLEO_H743ZI", Core("dsp")),
        ("M0PLUS", Core("armv6m")),
        ("armv6m", Core("armv6m")),
        ("unix", Core("portable")),
    ],
)
def test_boards_say_which_flash_they_have(target, core):
    assert core_of(target) == core


def test_every_board_with_an_stm32f4_counts_its_flash():
    found = {name for name in all_board_names() if load_board(name).flash_cache == ART_CACHE}
    stm32f4 = {name for name in stm32_board_names() if load_board(name).cpu == "Cortex-M4F"}
    assert found == stm32f4


@pytest.mark.parametrize("cache", [0, ART_CACHE, RP2_CACHE])
def test_board_at_a_serial_port_says_which_flash_it_has(monkeypatch, cache):
    class Board(nullcontext):
        def exec(self, code):
            assert "print(_tflm.isa, _tflm.layout, flash_here())" in code
            return f"dsp {PREPARED_FORMAT} {cache // KIB}"

    monkeypatch.setattr(open_target, "open_target", lambda _name: Board(Board()))
    assert core_of("/dev/ttyACM0") == Core("dsp", cache)
