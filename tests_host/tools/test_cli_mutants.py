"""No command of `tflm` ends in a traceback, whatever a model file holds.

Every command is tried on broken and on wrong models: 20 of each here, TFLM_FUZZ_COMMANDS in
`make fuzz`. Files that once broke a command are beside the clone; what broke them is built here.
"""

import json
import os
import traceback

import pytest
from click.testing import CliRunner

from support.device.local_board import LocalBoard
from support.fuzz.mutations import corpus_of
from support.fuzz.wrong_models import wrong_model
from support.models.model_builder import ModelBuilder, Quant
from tflm_host.__main__ import main
from tflm_host.cli import deploy as cli_deploy
from tflm_host.cli import verify as cli_verify
from tflm_host.places import ROOT
from tflm_host.report import arena_advice

FIRST = int(os.environ.get("TFLM_FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("TFLM_FUZZ_COMMANDS", "20"))
QUANT = Quant(0.5, 3)
NAMES = (
    "[bold]x[/nope]",
    "\x1b[31mred\x1b]0;title\x07",
    "a\nb\rc\x7f\x9b2J",
    "\u202eevil",
    ":smile:",
)


class SharedOracle:
    """The running oracle, for a command that would start one of its own."""

    def __init__(self, oracle):
        self._oracle = oracle

    def __enter__(self):
        return self._oracle

    def __exit__(self, *exc):
        pass


@pytest.fixture
def commands(tmp_path, monkeypatch, oracle):
    """All commands with a model: call it with the model's bytes."""
    monkeypatch.setattr(arena_advice, "EFFORT", 0.05)
    monkeypatch.setattr(cli_deploy, "open_target", lambda port: LocalBoard(port, ()))
    monkeypatch.setattr(cli_verify, "Oracle", lambda: SharedOracle(oracle))
    model, out = tmp_path / "model.tflite", tmp_path / "out"
    (tmp_path / "board").mkdir()
    lines = (
        ("inspect", model, "--tensors"),
        ("inspect", model, "--json"),
        ("arena", model, "--html", out, "--svg", tmp_path / "svg"),
        ("arena", model, model, "--planner", "greedy"),
        ("arena", model, "--planner", "best_fit", "--preserve-inputs", "--json"),
        ("prepare", model, "-o", out),
        ("plan", model, "-o", out, "--effort", "0.1"),
        ("ops", model),
        ("romfs", model, "-o", out),
        ("run", model, "--profile"),
        ("run", model, "--json"),
        ("verify", model, "--count", "2"),
        ("bench", model),
        ("deploy", model, "--port", "fake", "--folder", tmp_path / "board"),
    )

    def run(data):
        model.write_bytes(data)
        return [run_one(*line) for line in lines]

    return run


def run_one(*line):
    """Run one command; return its result, with exit status 0, 1 or 2."""
    result = CliRunner().invoke(main, [str(word) for word in line])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        pytest.fail(f"{line}: {''.join(traceback.format_exception(*result.exc_info))}")
    assert result.exit_code in (0, 1, 2), line
    assert "Traceback" not in result.output, line
    assert result.exit_code == 0 or result.output, line
    if "--json" in line:
        json.loads(result.stdout)  # errors, too
    unseen = [c for c in result.output if not c.isprintable() and c != "\n"]
    assert unseen == [], line
    return result


@pytest.fixture(scope="module")
def corpus(zoo):
    return corpus_of(zoo, ROOT / "models")


@pytest.mark.slow
def test_commands_on_mutated_models_end_without_traceback(commands, corpus):
    for seed in range(FIRST, FIRST + COUNT):
        commands(corpus.mutant(seed)[1])


@pytest.mark.slow
def test_commands_on_wrong_models_end_without_traceback(commands):
    for seed in range(FIRST, FIRST + COUNT):
        commands(wrong_model(seed)[1])


def named(name):
    b = ModelBuilder(description=name)
    x, y = (b.tensor([1, 4], "INT8", QUANT, name=name) for _ in range(2))
    b.op("RELU", [x], [y])
    b.op(name, [y], [b.tensor([1, 4], "INT8", QUANT, name=name)])
    return b.build([x], [y])


def test_names_with_markup_and_escapes_are_shown_as_they_are(commands):
    for name in NAMES:
        text = commands(named(name))[0].output
        assert "".join(c if c.isprintable() else repr(c)[1:-1] for c in name) in text


def test_names_that_are_no_utf8(commands):
    assert "t\\x" not in commands(named(b"\xff\xfe\xc3("))[0].output


def test_names_in_html_and_svg_are_text(tmp_path):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT, name="<b>\x1b&'\"") for _ in range(2))
    b.op("RELU", [x], [y])
    path = tmp_path / "m.tflite"
    path.write_bytes(b.build([x], [y]))
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    assert run_one("arena", path, "--html", page, "--svg", picture).exit_code == 0
    for file in page, picture:
        text = file.read_text()
        assert "<b>\\x1b" not in text
        assert "&lt;b&gt;\\x1b&amp;" in text
        assert "\x1b" not in text


@pytest.mark.slow
def test_model_without_inputs_or_nodes(commands):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    commands(b.build([x], [x]))
    constant = b.tensor([1, 4], "INT8", QUANT, bytes(4))
    b.op("RELU", [constant], [y])
    commands(b.build([], [y]))


def test_mul_by_scalar_without_shape(commands):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    scalar = b.tensor(None, "INT8", QUANT, b"\x07")
    b.op("MUL", [x, scalar], [y])
    commands(b.build([x], [y]))


@pytest.mark.parametrize("buffer", [0, 99])
@pytest.mark.parametrize(
    "name", ["OfflineMemoryAllocation", "TFLM_PREPARED", "min_runtime_version"]
)
def test_metadata_without_a_buffer(commands, name, buffer):
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", QUANT) for _ in range(2))
    b.op("RELU", [x], [y])
    b.metadata.append((name, buffer))
    commands(b.build([x], [y]))


def test_filter_whose_buffer_is_longer_than_its_shape(commands):
    b = ModelBuilder()
    x, y = b.tensor([1, 4], "INT8", QUANT), b.tensor([1, 3], "INT8", QUANT)
    weights = b.tensor([3, 4], "INT8", Quant(0.5, 0), bytes(23))
    bias = b.tensor([3], "INT32", Quant(0.25, 0), bytes(23))
    b.op("FULLY_CONNECTED", [x, weights, bias], [y], version=4)
    commands(b.build([x], [y]))


REPRO = ("escape_names*", "cli_channels*", "m4000223", "scalar_mul_prepare", "m4000006")


@pytest.mark.slow
def test_files_that_broke_commands(commands, shared):
    for pattern in REPRO:
        paths = sorted((shared / "repro").glob(pattern + ".tflite"))
        assert paths, pattern
        for path in paths:
            commands(path.read_bytes())
