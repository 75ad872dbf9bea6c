"""What shows a model from inside: the printed plan and state, the profiler."""

import re
import sys

import pytest
from click.testing import CliRunner

import _tflm
import tflm
from support.models.small_models import branch, chain, svdf
from support.nets.memory_graphs import graph
from tflm.base import clock as real_clock
from tflm.extra import printed, profiler
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

PLAN = """\
arena 160 bytes: head 64, tail 96
  node table: 8 bytes used, 8 requested, 1 times
  records: 80 bytes used, 80 requested, 1 times
  variables: 8 bytes used, 6 requested, 1 times
16 bytes a column; * scratch, ! shared, . free
a 16 bytes at 48, moments 0 to 1: t0
b 16 bytes at 32, moments 1 to 1: t5
* 16 bytes at 16, moments 1 to 1: scratch 0 of node 0
* 16 bytes at 0, moments 1 to 1: scratch 1 of node 0
  0                      ...a 16
  1 0 SVDF               **ba 64
"""
STATE = """\
Interpreter made by a test: int8[1, 4] -> int8[1, 2], 1 ops, arena 160, c
subgraph 0 main: 6 tensors, 1 nodes
  inputs [0], outputs [5]
  tensor   0 int8     1x4                 4 plan 48          t0
  tensor   1 int8     2x4                 8 model ...        t1
  tensor   2 int8     2x3                 6 model ...        t2
  tensor   3 int32    2                   8 model ...        t3
  tensor   4 int8     1x6                 6 variable 64      t4
  tensor   5 int8     1x2                 2 plan 32          t5
  node   0 SVDF v1 by svdf_s8: [0, 1, 2, 3, 4] -> [5]
bytes of tensors: model 22, plan 6, variable 6
"""
IN_PLACE = """\
  0                      a 16
  1 0 RELU               ! 16
  2 1 RELU               ! 16
"""
EVENTS = "event,tag,microseconds\n0,out,9\n1,in,2\n2,in,2\n"
TOTALS = "tag,microseconds,events\nout,9,1\nin,4,2\n"


def test_plan_and_state_of_a_model_are_golden(capsys):
    interp = tflm.Interpreter(svdf(), backend="c")
    print(interp.plan())
    assert capsys.readouterr().out == PLAN
    assert repr(interp.plan()) == str(interp.plan()) == PLAN[:-1]
    print(interp.places())
    assert re.sub(r"model \d{3} ", "model ... ", capsys.readouterr().out) == STATE


def test_output_over_its_input_is_shown_as_shared():
    assert (str(tflm.Interpreter(chain(2)).plan(8)) + "\n").endswith(IN_PLACE)


def test_nodes_of_subgraphs_have_their_moments():
    text = str(tflm.Interpreter(branch(2)).plan())
    for label in ("0 IF", "1:0 RELU", "2:0 RELU6"):
        assert f" {label} " in text


def test_interpreter_without_memory_has_only_a_plan():
    assert str(tflm.Interpreter(svdf(), measure=True).plan()) + "\n" == PLAN
    with pytest.raises(tflm.StateError, match=r"places\(\)"):
        tflm.Interpreter(svdf(), allocate=False).places()


@pytest.mark.parametrize("seed", range(12))
def test_each_character_of_the_picture_is_what_the_report_says(seed):
    interp = tflm.Interpreter(graph(seed))
    facts = interp.arena_report()
    width = 1 + seed * 7
    lines = list(printed.plan_lines(interp, width))
    moments = 1 + max(row["last_used"] for row in facts["buffers"])
    step = int(next(line for line in lines if " a column;" in line).split()[0])
    for moment, line in enumerate(lines[-moments:]):
        live = [b for b in facts["buffers"] if b["first_used"] <= moment <= b["last_used"]]
        count = [0] * facts["head_bytes"]
        for row in live:
            for i in range(row["offset"], row["offset"] + row["size"]):
                count[i] += 1
        picture, used = line[25:].split()
        assert len(picture) <= width
        assert int(used) == sum(n > 0 for n in count)
        for i, c in enumerate(picture):
            most = max(count[i * step : (i + 1) * step])
            assert (c == "!", c == ".") == (most > 1, most == 0)


@pytest.mark.parametrize("name", ["sine", "digits_gated"])
def test_places_hold_the_bytes_of_the_tensors(name):
    interp = tflm.Interpreter(str(ROOT / "models" / f"{name}.tflite"), planner="linear")
    interp.inputs[0].data[:] = bytes(range(interp.inputs[0].nbytes))
    interp.invoke()
    rows = [line.split() for line in printed.place_lines(interp) if "  tensor " in line]
    assert len(rows) == interp.model.subgraphs[0].tensor_count
    for row in rows:
        if row[5] == "nowhere":
            continue
        tensor, position = interp.tensor(int(row[1])), int(row[6])
        buf = interp.model.buf if row[5] == "model" else interp.arena.buf
        assert bytes(buf[position : position + tensor.nbytes]) == bytes(tensor.data)


def test_prepared_model_shows_kernels_and_places(digits_prepared):
    interp = tflm.Interpreter(digits_prepared, prepared=True)
    lines = list(printed.place_lines(interp))
    assert any(line.endswith("CONV_2D v3 by conv_2d_s8: [0, 7, 6] -> [8]") for line in lines)
    assert lines[-1] == "bytes of tensors: model 2008, plan 852"
    rows = [line.split() for line in lines if "  tensor " in line]
    for row in rows:
        if row[5] == "plan":
            view = interp.arena.buf[int(row[6]) :][: int(row[4])]
            assert view == interp.tensor(int(row[1])).data


@pytest.fixture
def digits_prepared():
    import _tflm
    from tflm_host.prepare import prepare

    data = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
    return prepare(data, _tflm.isa, by_rows=False)


def test_inspect_prints_the_same_places():
    path = ROOT / "models" / "sine.tflite"
    interp = tflm.Interpreter(path.read_bytes())
    result = CliRunner().invoke(main, ["inspect", str(path), "--places"])
    assert result.exit_code == 0
    assert result.stdout.endswith(f"{interp.plan()}\n{interp.places()}\n")


@pytest.fixture
def clock(monkeypatch):
    """Let time pass by one microsecond for each look at it."""
    now = [real_clock.ticks_us()]

    def ticks():
        now[0] += 1
        return now[0]

    monkeypatch.setattr(profiler, "ticks_us", ticks)
    return now


def test_profiler_times_what_is_nested(clock):
    timer = tflm.Profiler()
    with timer("out"):
        clock[0] += 2
        for _ in range(2):
            with timer("in"):
                clock[0] += 1
    assert timer.events() == [("out", 9), ("in", 2), ("in", 2)]
    assert timer.csv() == EVENTS
    assert timer.csv(totals=True) == TOTALS
    assert len(timer) == 3


def test_profiler_counts_what_it_has_no_room_for(clock):
    timer = tflm.Profiler(2)
    for tag in "aba":
        with timer(tag):
            clock[0] += 4
    assert timer.totals() == [("a", 5, 1), ("b", 5, 1)]
    assert (len(timer), timer.lost) == (2, 1)
    with pytest.raises(tflm.StateError, match="room"), timer("a"), timer("b"), timer("c"):
        pass
    timer.clear()
    assert (timer.csv(), timer.lost) == ("event,tag,microseconds\n", 0)


@pytest.mark.usefixtures("clock")
def test_event_that_an_exception_ends_is_timed():
    timer = tflm.Profiler()
    with pytest.raises(KeyError), timer("bad"):
        raise KeyError
    assert timer.events() == [("bad", 1)]


def test_profile_of_several_runs_adds_up_and_fills_a_profiler():
    interp, timer = tflm.Interpreter(branch(2)), tflm.Profiler()
    interp.inputs[0].data[:] = b"\0"
    rows = interp.profile(runs=3, profiler=timer)
    assert [row[:2] for row in rows[:2]] == [("2:0", "RELU6"), (0, "IF")]
    events = timer.events()
    assert len(events) == 3 * 5
    assert sum(row[2] for row in rows) == sum(row[1] for row in events)
    assert {tag for tag, _, _ in timer.totals()} == {row[1] for row in rows}
    assert sum(count for _, _, count in timer.totals()) == len(events)
    assert interp.on_node is None


def test_build_for_prepared_models_alone_says_where_its_arena_is_shown(monkeypatch):
    interp = tflm.Interpreter(prepare(chain(), _tflm.isa), prepared=True)
    assert interp.arena_report()["buffers"]
    monkeypatch.setitem(sys.modules, "tflm.memory.lifetime", None)  # which such a build leaves out
    with pytest.raises(ImportError, match="prepared models only .* tflm arena does"):
        interp.arena_report()
