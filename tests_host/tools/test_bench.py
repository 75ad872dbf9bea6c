"""What `tflm bench` counts, and what `make bench-diff` says of it."""

import importlib
import itertools
import json
import re
import shutil
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from support.models.model_builder import ModelBuilder
from tflm_host.__main__ import main
from tflm_host.measure import bench_image, bench_table, ledger
from tflm_host.measure.bench import Cost, measure
from tflm_host.places import ROOT
from tflm_host.targets.device import bench_device
from tflm_host.targets.emulator import QEMU

SINE = ROOT / "models" / "sine.tflite"
KEYS = bench_table.KEYS
# Whose flash waits: we model the first, others measured the last.
CHIPS = "STM32F4", "RP2350", "RP2040", "STM32L4R5"
COSTS = {
    ("B", "m", "c", "plain"): Cost(
        "c", "instructions", 64, 3000, 9, 100, [("ADD", 40), ("ADD", 41)]
    ),
    ("B", "m", "viper", "plain"): Cost("viper", "instructions", 64, 3000, 9, 900, [("ADD", 800)]),
}


def bench(target):
    result = CliRunner().invoke(main, ["bench", str(SINE), "--target", target, "--json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.firmware
@pytest.mark.parametrize("backend", ["c", "viper"])
def test_measure_twice_gives_the_same_numbers(backend):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    first, second = (measure("MPS2_AN386", SINE.name, SINE.read_bytes(), backend) for _ in "12")
    assert first == second
    assert (first.unit, first.backend) == ("instructions", backend)


@pytest.mark.firmware
def test_bench_emulated_board_nodes_are_nearly_all_of_an_invoke():
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    answer = bench("MPS2_AN386")
    nodes = [row["instructions"] for row in answer["per_op"]]
    assert [row["index"] for row in answer["per_op"]] == [0, 1, 2]
    assert {row["op"] for row in answer["per_op"]} == {"FULLY_CONNECTED"}
    assert min(nodes) > 100  # 16 products at least
    # The rest is Python's part of the call, and the runner's.
    assert 0 < answer["instructions"] - sum(nodes) < 2500
    assert answer["load_instructions"] > answer["instructions"]


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        ("M0PLUS", ["as on a Raspberry Pi Pico: 24.0 ms at 125 MHz"]),
        (
            "MPS2_AN386",
            [
                "as on a Raspberry Pi Pico 2: 20.0 ms at 150 MHz",
                "STM32F4: 1,680,000 cycles, 10.0 ms at 168 MHz",
            ],
        ),
        ("NETDUINOPLUS2", ["STM32F4: 1,680,000 cycles, 10.0 ms at 168 MHz"]),
    ],
)
def test_bench_prints_the_milliseconds_of_chips_whose_flash_waits(monkeypatch, target, lines):
    cost = Cost("c", "instructions", 64, 3000, 9, 100, in_flash=True, cycles=1, model_bytes=2)
    cost.missed, cost.missed_code, cost.waiting = 7, 3, 3_000_000
    if target != "M0PLUS":
        cost.f4_missed, cost.f4_waiting = 5, 1_680_000
    command = importlib.import_module("tflm_host.cli.bench")
    monkeypatch.setattr(command, "measure", lambda *_, **_options: cost)
    result = CliRunner().invoke(main, ["bench", str(SINE), "--target", target])
    assert result.exit_code == 0, result.stderr
    for line in lines:
        assert line in result.stdout
    assert result.stdout.count(" MHz") == len(lines)


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["host", "unix"])
def test_bench_without_a_counter_takes_the_time(target):
    answer = bench(target)
    assert answer["target"] == target
    assert answer["microseconds"] >= 0
    assert len(answer["per_op"]) == 3
    parts = [row["microseconds"] for row in answer["per_op"]] + [answer["other_microseconds"]]
    assert min(parts) >= 0


def test_rows_of_bench_add_up_to_100_percent_on_the_host():
    result = CliRunner().invoke(main, ["bench", str(SINE)])
    assert result.exit_code == 0, result.stderr
    rows = [line.split() for line in result.stdout.splitlines()[3:] if line.strip()]
    shares = [float(row[-1]) for row in rows if re.fullmatch(r"[0-9.]+", row[-1])]
    assert len(shares) == 4  # three nodes, and what is besides them
    assert min(shares) >= 0
    assert abs(sum(shares) - 100) < 0.3  # as rounded


@pytest.mark.parametrize(
    ("invoke", "nodes", "shares"),
    [(100, [20, 30], [20, 30, 50]), (10, [12, 28], [30, 70, 0]), (0, [0, 0], [0, 0, 0])],
)
def test_shares_of_nodes_and_of_what_is_besides_them_are_of_their_sum(invoke, nodes, shares):
    cost = Cost("c", "microseconds", 64, 0, 0, invoke, [("ADD", count) for count in nodes])
    assert [*map(cost.percent, nodes), cost.percent(cost.other)] == shares


def test_nodes_by_a_clock_that_jumps_are_medians_and_never_below_zero():
    """Calls cost what they are, but one round of three stands still, and one is disturbed."""
    noise = itertools.cycle([0] * 4 + [5000] * 4 + [-300] * 4)

    def count(function):
        cost.clear()
        function()
        return sum(cost) + next(noise)

    class Runner:
        def run(self, first, last):
            cost.append((100, 350, 700)[first] if last > first else 350)

    cost = []
    graph = SimpleNamespace(operator_count=3)
    interp = SimpleNamespace(
        inputs=[],
        graph=SimpleNamespace(runners=[Runner()]),
        model=SimpleNamespace(subgraphs=[graph]),
    )
    assert bench_device.nodes(lambda: interp, b"", count, 3) == [0, 0, 350]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder in the place of bench/."""
    monkeypatch.setattr(bench_table, "FIGURES", tmp_path / "figures.csv")
    monkeypatch.setattr(bench_table, "OPERATORS", tmp_path / "operators.csv")
    return tmp_path


def test_save_keeps_what_was_not_measured_again(folder):
    bench_table.save(COSTS)
    again = ("B", "m", "c", "plain")
    bench_table.save({again: Cost("c", "instructions", 64, None, 9, 70, [("MUL", 60)])})
    rows = ledger.parse((folder / "figures.csv").read_text(), KEYS)
    assert {key: row["invoke"] for key, row in rows.items()} == {
        **dict.fromkeys(COSTS, 900),
        again: 70,
    }
    assert rows[again]["heap"] is None
    ops = ledger.parse((folder / "operators.csv").read_text(), (*KEYS, "op"))
    assert ops == {
        (*again, "MUL"): {"nodes": 1, "count": 60},
        ("B", "m", "viper", "plain", "ADD"): {"nodes": 1, "count": 800},
    }


def test_operators_sums_the_nodes_of_each():
    key = next(iter(COSTS))
    assert bench_table.operators(COSTS)[(*key, "ADD")] == {"nodes": 2, "count": 81}


@pytest.mark.parametrize(("invoke", "fine"), [(100, True), (101, True), (102, False), (50, True)])
def test_compare_fails_where_a_figure_rose_by_more_than_one_percent(monkeypatch, invoke, fine):
    bench_table.save(COSTS)
    monkeypatch.setattr(ledger, "committed", lambda path: path.read_text())
    key = next(iter(COSTS))
    cost = Cost("c", "instructions", 64, 3000, 9, invoke)
    assert bench_table.compare(bench_table.figures({key: cost})) is fine


def test_compare_new_model_is_no_rise(monkeypatch):
    monkeypatch.setattr(ledger, "committed", lambda _path: "")
    assert bench_table.compare(bench_table.figures(COSTS))


def test_report_names_the_goals_that_are_missed():
    def missed(invoke):
        key = ("MPS2_AN386", "hello_world_int8", "c", "plain")
        report = bench_table.Report(
            bench_table.figures({key: Cost("c", "instructions", 1, 1, 1, invoke)})
        )
        report.show("MPS2_AN386")
        return report.missed

    assert missed(3000) == []
    assert missed(3001) == ["hello_world_int8 plain on MPS2_AN386"]


@pytest.mark.parametrize(("most", "missed"), [(4_700_000, []), (4_700_001, ["STM32F4"])])
def test_report_has_cycles_of_a_chip_beside_those_that_never_wait(capsys, most, missed):
    cost = Cost("c", "instructions", 1, 1, 1, 100, cycles=4_000_123, missed=7, missed_code=5)
    cost.waiting, cost.f4_missed, cost.f4_waiting = 4_100_456, 9, most
    report = bench_table.Report(
        bench_table.figures(
            {
                ("MPS2_AN386", "kws_ref_model", "c", kind): cost
                for kind in ("plain", "prepared", "cached", "art")
            }
        )
    )
    report.show("MPS2_AN386")
    assert report.missed == [f"kws_ref_model art on {chip}" for chip in missed]
    shown = capsys.readouterr().out
    table = shown.partition("beside those of chips whose flash waits")[2].partition("arena and")[0]
    for count in (4_000_123, 4_100_456, most):
        assert f"{count:,}" in table


def test_peers_and_goals_are_of_known_targets():
    for name in ("peers", "goals"):
        text = (ROOT / "bench" / f"{name}.csv").read_text()
        rows = ledger.parse(text, ("target", "model"))
        assert {target for target, _ in rows} <= {*bench_table.TARGETS, "MPS2_AN500", *CHIPS}
        assert all(row["invoke" if name == "peers" else "most"] > 0 for row in rows.values())


def test_viper_is_measured_where_every_kernel_has_a_twin():
    paths = [ROOT / "models" / "digits_cnn.tflite", ROOT / "models" / "sine.tflite"]
    found = list(bench_table.jobs("MPS2_AN386", paths))
    assert [job[2] for job in found].count("viper") == len(paths)
    b = ModelBuilder()
    x, y = (b.tensor([4], "FLOAT32") for _ in range(2))
    b.op("SIN", [x], [y])
    assert not bench_table.has_twins(b.build([x], [y]))


def test_frames_are_fitted_within_their_goals():
    rows = ledger.parse(bench_image.FIGURES.read_text(), bench_image.KEYS)
    found = {key: rows[key]["count"] for key in bench_image.GOALS}
    assert {key for key, count in found.items() if count > bench_image.GOALS[key]} == set()
    measured = {(target, *kind) for target in bench_image.TARGETS for kind in bench_image.KINDS}
    assert measured == set(rows)
