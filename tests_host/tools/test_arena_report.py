"""`tflm arena`: moments, what would help, boards, planners side by side, several models."""

import json
from time import process_time

import pytest
from click.testing import CliRunner

import tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.plan.compare import COMPARED, compare
from tflm_host.plan.write import plan_model
from tflm_host.prepare import prepare
from tflm_host.report import room
from tflm_host.report.arena_advice import advise
from tflm_host.report.arena_report import measure
from tflm_host.targets.boards import PROGRAM_HEAP, board_facts, load_board

DIGITS = ROOT / "models" / "digits_cnn.tflite"
DS_CNN = ROOT / "models" / "digits_ds_cnn.tflite"
SINE = ROOT / "models" / "sine.tflite"
QUANT = Quant(0.1, 0)


def arena(*arguments, status=0):
    done = CliRunner().invoke(main, ["arena", *map(str, arguments)])
    assert done.exit_code == status, done.stderr
    return done.stdout


def answer(*arguments, status=0):
    return json.loads(arena(*arguments, "--json", status=status))


def residual(tmp_path, dtype="INT8"):
    """Return the file of a model whose tensor 1 waits while its branch of the graph is run."""
    b = ModelBuilder()
    t = [b.tensor([1, 4, 8, 16], dtype, QUANT if dtype == "INT8" else None) for _ in range(5)]
    b.op("RELU", [t[0]], [t[1]])
    b.op("RELU", [t[1]], [t[2]])
    b.op("RELU", [t[2]], [t[3]])
    b.op("ADD", [t[3], t[1]], [t[4]])
    path = tmp_path / "residual.tflite"
    path.write_bytes(b.build(t[:1], t[4:]))
    return path


def test_moments_count_shared_bytes_once(tmp_path):
    report = measure(residual(tmp_path))
    size = 4 * 8 * 16
    moment = report.moments()[3]  # t3 overwrites t2, t1 waits
    assert (moment.label, moment.nbytes) == ("op 2 RELU", 2 * size)
    assert [b["name"] for b in moment.live] == ["t1", "t2", "t3"]
    assert report.worst_moment().nbytes == report.details["head_bytes"] == 2 * size


def test_moments_never_exceed_the_head_and_reach_nearly_all_of_it():
    for path in sorted((ROOT / "models").glob("*.tflite")):
        report = measure(path)
        most = report.worst_moment().nbytes
        assert report.details["head_bytes"] * 0.8 <= most <= report.details["head_bytes"]


def test_overlaps_are_pairs_of_input_and_output(tmp_path):
    report = measure(residual(tmp_path))
    pairs = {(read["name"], written["name"]) for read, written in report.overlaps()}
    assert ("t2", "t3") in pairs
    assert pairs < {("t0", "t1"), ("t2", "t3"), ("t3", "t4"), ("t1", "t4")}
    facts = report.as_json()
    assert {(row["input"], row["output"]) for row in facts["overlaps"]} == pairs
    assert measure(residual(tmp_path), "greedy").overlaps() == []


def test_advice_names_what_waits_and_what_is_float(tmp_path):
    texts = [advice.text for advice in advise(measure(residual(tmp_path)))]
    assert any("op 3 ADD reads t1, which waits at op 2 RELU" in text for text in texts)
    floats = advise(measure(residual(tmp_path, "FLOAT32")))
    saved = next(advice for advice in floats if "quantize to int8" in advice.text)
    assert (saved.nbytes, saved.certain) == (2 * 2048 * 3 // 4, False)


def test_advice_to_prepare_saves_what_prepare_saves():
    advice = next(a for a in advise(measure(DS_CNN)) if "tflm prepare" in a.text)
    prepared = tflm.Model(prepare(DS_CNN.read_bytes(), "portable"), prepared=True).arena_required()
    assert advice.nbytes == tflm.Model(str(DS_CNN)).arena_required() - prepared
    assert advice.certain
    assert f"{prepared:,}" in arena(DS_CNN)


@pytest.mark.parametrize("board", [None, "RPI_PICO", "MPS3_AN547", "NETDUINOPLUS2"])
def test_advice_is_what_prepare_gives_for_that_board(board, tmp_path):
    options = ["--target", board] if board else []
    output = tmp_path / "prepared.tflite"
    command = ["prepare", str(DIGITS), "-o", str(output), *options, "--json"]
    prepared = json.loads(CliRunner().invoke(main, command).stdout)["arena_bytes"][1]
    (advice,) = [a for a in advise(measure(DIGITS), board) if "tflm prepare" in a.text]
    said = " ".join(["tflm prepare", *options])
    assert advice.text == f"{said}: an arena of {prepared:,} bytes"
    shown = ["--board", board] if board else []
    facts = answer(DIGITS, *shown, "--rows")
    assert advice.as_json() in facts["advice"]
    assert facts["prepared"][1]["arena_bytes"] == prepared


@pytest.mark.slow
def test_advice_for_a_board_counts_its_flash_cache(shared):
    """On a Pico fused layers of this model would miss the cache too often."""
    path = shared / "models" / "kws_ref_model.tflite"
    found = {}
    for board in ("RPI_PICO", "M0PLUS"):  # of one core
        (advice,) = [a for a in advise(measure(path), board) if "tflm prepare" in a.text]
        found[board] = int(advice.text.split()[-2].replace(",", ""))
    assert found == {"RPI_PICO": 8960, "M0PLUS": 7504}


def test_advice_to_plan_saves_what_plan_saves():
    wasteful = measure(DS_CNN, "linear")
    advice = next(a for a in advise(wasteful) if "tflm plan" in a.text)
    planned = tflm.Model(plan_model(DS_CNN.read_bytes()).data).arena_required()
    assert advice.nbytes == wasteful.arena_bytes - planned
    assert not any("tflm plan" in a.text for a in advise(measure(DS_CNN)))


def test_prepared_model_is_measured_as_it_is(tmp_path):
    path = tmp_path / "prepared.tflite"
    path.write_bytes(prepare(DS_CNN.read_bytes(), "portable"))
    facts = answer(path)
    assert facts["tail_bytes"] == 0
    assert facts["arena_bytes"] == facts["head_bytes"] < answer(DS_CNN)["arena_bytes"]
    assert not any("prepare" in advice["text"] for advice in facts["advice"])
    assert answer(path, "--planner", "greedy")["head_bytes"] > facts["head_bytes"]


def test_boards_count_the_heap_of_modules_and_the_size_of_the_model():
    report = measure(DS_CNN)
    board = load_board("NETDUINOPLUS2")
    heap, rom = room.left_on(report, *board_facts(["NETDUINOPLUS2"]))
    assert heap == board.free_heap - room.loading_bytes(report) - report.arena_bytes
    assert board.free_heap == board.heap_size - board.heap_size * 3 // 128 - PROGRAM_HEAP
    assert rom == board.romfs_size - DS_CNN.stat().st_size
    assert answer(DS_CNN)["room"]["NETDUINOPLUS2"] == [heap, rom]


def test_board_without_room_says_what_is_missing(tmp_path):
    b = ModelBuilder()
    t = [b.tensor([1, 60000], "INT8", QUANT) for _ in range(2)]
    b.op("CONCATENATION", [t[0], t[0]], [b.tensor([1, 120000], "INT8", QUANT)], axis=1)
    path = tmp_path / "wide.tflite"
    path.write_bytes(b.build(t[:1], [2]))
    report = measure(path)
    taken = report.arena_bytes + room.loading_bytes(report)
    missing = taken - load_board("MICROBIT").free_heap
    assert f"{missing:,} bytes of heap missing" in arena(path, "--board", "MICROBIT", status=1)


def test_ways_to_prepare_side_by_side():
    whole, by_rows, fed = answer(DS_CNN, "--rows")["prepared"]
    assert whole["groups"] == []
    assert whole["arena_bytes"] >= by_rows["arena_bytes"]
    assert fed["groups"][0]["first"] == 0
    lines = arena(DS_CNN, "--rows").splitlines()
    (line,) = [line for line in lines if line.startswith("row by row, input too")]
    picture = "[" + "=" * (fed["groups"][0]["last"] + 1) + "]"
    assert f"{fed['arena_bytes']:,}" in line
    assert picture in line


def test_planners_side_by_side():
    rows = {row.planner: row for row in compare(DS_CNN.read_bytes())}
    assert tuple(rows) == COMPARED
    best = rows["optimal"]
    assert best.head_bytes == best.bound == min(row.head_bytes for row in rows.values())
    assert rows["linear"].head_bytes == max(row.head_bytes for row in rows.values())
    for name in COMPARED:
        assert answer(DS_CNN, "--planner", name)["arena_bytes"] == rows[name].arena_bytes
    facts = answer(DS_CNN, "--planner", "all")
    assert [row["planner"] for row in facts["planners"]] == list(COMPARED)
    assert "no plan is lower" in arena(DS_CNN, "--planner", "all")


def test_planners_beside_the_plan_that_a_model_brings(tmp_path):
    path = tmp_path / "planned.tflite"
    planned = plan_model(DS_CNN.read_bytes(), overlaps=False)
    path.write_bytes(planned.data)
    rows = compare(path.read_bytes())
    assert rows[0].planner == "its own"
    assert rows[0].head_bytes == planned.height
    assert rows[1:] == compare(DS_CNN.read_bytes())


def test_preserved_inputs_and_intermediates_take_more():
    plain = answer(DS_CNN)["head_bytes"]
    inputs = answer(DS_CNN, "--preserve-inputs")["head_bytes"]
    kept = answer(DS_CNN, "--preserve-intermediates")
    assert plain < inputs < kept["head_bytes"]
    tensors = [buffer for buffer in kept["buffers"] if buffer["tensor"] >= 0]
    spans = sorted((b["offset"], b["offset"] + b["size"]) for b in tensors)
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))


def test_constants_in_ram_take_more_and_their_names_are_checked():
    plain = answer(DIGITS)["arena_bytes"]
    found = answer(DIGITS, "--constants", 3, "--constants", "sequential_1/dense_1/BiasAdd")
    assert (plain, found["arena_bytes"]) == (1168, 1840)
    assert (
        "no tensor is called none"
        in CliRunner().invoke(main, ["arena", str(DIGITS), "--constants", "none"]).stderr
    )
    arena(DIGITS, "--constants", 3, "--rows", status=2)


def test_several_models_show_sum_maximum_and_shared_arena():
    facts = answer(DS_CNN, SINE)
    alone = [model["arena_bytes"] for model in facts["models"]]
    assert (facts["sum_arena_bytes"], facts["max_arena_bytes"]) == (sum(alone), max(alone))
    assert max(alone) <= facts["shared_arena_bytes"] <= sum(alone)
    text = arena(DS_CNN, SINE)
    assert all(f"{facts[key]:,}" in text for key in ("sum_arena_bytes", "shared_arena_bytes"))


def test_folder_lists_what_cannot_run_with_the_reason(tmp_path):
    for path in (DS_CNN, SINE):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "broken.tflite").write_bytes(DS_CNN.read_bytes()[:999])
    text = arena(tmp_path, status=1)
    assert "broken.tflite: " in text
    facts = answer(tmp_path, status=1)
    assert len(facts["models"]) == 2
    assert [row["model"] for row in facts["refused"]] == [str(tmp_path / "broken.tflite")]


def test_person_detect_is_answered_within_a_second_of_cpu(zoo):
    arena(zoo / "person_detect.tflite")  # builds the host's kernels where they are not yet
    start = process_time()
    arena(zoo / "person_detect.tflite")
    assert process_time() - start < 1


def test_comparison_of_several_models_is_a_usage_error():
    done = CliRunner().invoke(main, ["arena", str(DS_CNN), str(SINE), "--planner", "all"])
    assert done.exit_code == 2  # the status of usage errors
