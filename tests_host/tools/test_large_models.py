"""What `tflm arena` takes for models of many nodes, in calls of functions: the clock varies."""

import cProfile
import pstats
import random

import pytest

from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain
from tflm_host.model import flatfile
from tflm_host.prepare import constants, prepare, search
from tflm_host.prepare.groups import Group
from tflm_host.prepare.member import Images
from tflm_host.prepare.snapshot import PreparedGraph
from tflm_host.report.arena_advice import advise
from tflm_host.report.arena_report import measure


def calls_of(path, nodes):
    path.write_bytes(chain(nodes))
    profile = cProfile.Profile()
    profile.runcall(lambda: advise(measure(path)))
    return pstats.Stats(profile).total_calls


@pytest.mark.slow
def test_arena_of_four_times_the_nodes_takes_little_more_than_four_times_the_calls(tmp_path):
    calls_of(tmp_path / "first.tflite", 3)  # imports modules
    few, many = (calls_of(tmp_path / f"{n}.tflite", n) for n in (50, 200))
    assert many < 6 * few


def images(nodes, height=8):
    """Return a model of *nodes* ADDs over images, any number of which can be fused."""
    rng, b = random.Random(nodes), ModelBuilder()
    made = [b.tensor([1, height, 8, 4], "INT8", Quant(0.5, 0))]
    for _ in range(nodes):
        made.append(b.tensor([1, height, 8, 4], "INT8", Quant(0.5, 0)))
        b.op("ADD", [made[-2], rng.choice(made[-5:-1])], [made[-1]])
    return b.build(made[:1], made[-1:])


@pytest.mark.slow
def test_prepare_of_ten_times_the_rows_takes_little_more_calls_of_functions():
    def calls(height):
        profile = cProfile.Profile()
        profile.runcall(prepare, images(40, height), "portable")
        return pstats.Stats(profile).total_calls

    calls(8)  # imports modules
    assert calls(80) < 3 * calls(8)  # other groups are tried, too


@pytest.fixture
def groups(monkeypatch):
    """The groups that are tried from now on."""
    made = []
    schedule = Group.schedule

    def noted(group):
        schedule(group)
        made.append(group)

    monkeypatch.setattr(Group, "schedule", noted)
    return made


def test_prepare_tries_groups_up_to_a_number_of_calls(groups, monkeypatch):
    for name, calls in (("MAX_CALLS", 2000), ("MIN_CALLS", 16)):
        monkeypatch.setattr(search, name, calls)
    nodes = 40
    prepare(images(nodes), "portable")
    longest = nodes * 8  # calls of the longest group, one a row
    tried = sum(sum(group.calls) for group in groups)
    # Twice: with copies of tensors, and without.
    assert 0 < tried < 2 * (2000 + 2000 + 2 * longest + nodes * (16 + longest))
    assert len(groups) < 2 * 2 * nodes * 3


def test_prepare_tries_no_group_of_more_tensors_than_its_record_can_number(groups, monkeypatch):
    monkeypatch.setattr(search, "MAX_MEMBERS", 5)
    prepare(images(12), "portable")
    assert max(len(group.members) for group in groups) == 5


def test_prepare_of_more_nodes_than_most_tries_fewer_groups(groups, monkeypatch):
    for name, calls in (("MAX_CALLS_OF_MANY", 100), ("MIN_CALLS", 16)):
        monkeypatch.setattr(search, name, calls)
    prepare(images(12), "portable")
    few = len(groups)
    groups.clear()
    monkeypatch.setattr(search, "MANY", 11)
    prepare(images(12), "portable")
    assert 0 < len(groups) < few


def test_limits_of_the_search_leave_models_of_others_whole():
    assert search.MAX_CALLS >= 3_904_255  # what the greediest of the zoo takes
    assert 2 * search.MAX_MEMBERS < 255  # numbers of tensors, but NONE


def test_rows_of_copies_of_copies_are_those_of_the_image():
    b = ModelBuilder()
    shapes = [1, 4, 2, 3], [1, 24], [24], [2, 12]
    tensors = [b.tensor(list(shape), "INT8", Quant(0.5, 0)) for shape in shapes]
    for data, output in zip(tensors, tensors[1:], strict=False):
        b.op("RESHAPE", [data], [output])
    graph = PreparedGraph(b.build(tensors[:1], tensors[-1:]), "portable").model.subgraphs[0]
    found = Images(graph)
    assert (found.rows_of(3).height, found.rows_of(3).nbytes, found.rows_of(3).width) == (4, 6, 0)
    assert found.rows_of(1) == found.rows_of(2) == found.rows_of(3)
    assert found.rows_of(0).width == 2


def test_constants_of_a_layer_are_made_once(monkeypatch):
    from tflm_host.prepare.constants import armv6m  # its module is patched

    made, build = [], armv6m.build
    monkeypatch.setattr(armv6m, "build", lambda layer: made.append(layer) or build(layer))
    constants._built.cache_clear()
    b = ModelBuilder()
    x = b.tensor([1, 8], "INT8", Quant(0.5, 0))
    weights = b.tensor([4, 8], "INT8", Quant(0.1, 0), data=bytes(range(32)))
    y = b.tensor([1, 4], "INT8", Quant(0.5, 0))
    b.op("FULLY_CONNECTED", [x, weights], [y])
    data = b.build([x], [y])
    assert prepare(data, "armv6m") == prepare(flatfile.write(flatfile.read(data)), "armv6m")
    assert len(made) == 1
