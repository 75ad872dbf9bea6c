"""Which of the possible divisions into fused layers `tflm prepare` takes."""

import pytest

from support.nets.row_groups import chain
from tflm import Interpreter, Model
from tflm_host.model.flash_cache import ART_CACHE
from tflm_host.places import ROOT
from tflm_host.prepare import PreparedGraph, prepare
from tflm_host.prepare.divide import Division, choose
from tflm_host.prepare.search import ART_CYCLES, Search

WHOLE = Division((), 1000, 0.0)
DEAR = Division(("dear",), 700, 0.2)
CHEAP = Division(("cheap",), 800, 0.01)
FREE = Division(("free",), 960, 0.0)
FOUND = [WHOLE, DEAR, FREE, CHEAP]


@pytest.mark.parametrize(
    ("ram", "chosen"),
    [(2000, FREE), (999, FREE), (950, CHEAP), (700, DEAR), (1, DEAR), (None, CHEAP)],
)
def test_the_cheapest_way_that_fits_is_chosen_or_the_lowest(ram, chosen):
    assert choose(FOUND, ram) is chosen
    assert choose(FOUND[::-1], ram) is chosen


def test_a_way_that_costs_nothing_but_saves_nothing_is_not_chosen():
    assert choose([WHOLE, Division(("useless",), 1000, 0.0)], 1) is WHOLE


def test_calls_of_fused_layers_cost_an_stm32f4_more():
    data = (ROOT / "models" / "digits_ds_cnn.tflite").read_bytes()
    graph = PreparedGraph(data, "dsp")
    fast, slow = Search(graph), Search(graph, flash_cache=ART_CACHE)
    groups, height = fast.lowest(fast.height() * 9 // 10)
    assert groups and height
    assert fast.cost(groups) < slow.cost(groups) < ART_CYCLES * fast.cost(groups)


@pytest.mark.slow
def test_least_ram_is_never_more_than_what_is_taken_without_being_asked():
    lower = 0
    for seed in range(30):
        plain, _ = chain(seed)
        ways = {"by_rows": False}, {}, {"ram": 1}
        whole, usual, least = (
            Interpreter(
                Model(prepare(plain, "portable", **way), prepared=True), measure=True
            ).arena_used_bytes()
            for way in ways
        )
        assert least <= usual <= whole, seed
        lower += least < whole
    assert lower > 10  # of many of them
