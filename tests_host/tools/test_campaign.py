"""A few seconds of every part of the campaign, and what its tools promise: see FUZZING.md."""

import importlib
import shutil
import signal
import struct
from types import SimpleNamespace
from unittest import mock

import pytest
from flatbuffers import flexbuffers as encoder

import campaign
from support.device import fuzz_device
from support.fuzz import fuzz_calls, fuzz_deploy, fuzz_guided, fuzz_memory, guided
from support.fuzz.fence_seeds import of_prepared
from support.fuzz.fuzz_host import HostTrial, OracleTrial
from support.fuzz.fuzz_reader import FENCE, READER, RECORDS, FuzzerMissing, run_fuzzer
from support.fuzz.fuzz_targets import run_on
from support.fuzz.fuzz_workers import run_trials
from support.fuzz.record_seeds import of_models
from support.fuzz.structured_mutations import corpus_of, unpack
from support.models.model_builder import ModelBuilder, Quant
from support.native.pages import Pages
from tflm import peer
from tflm.file import flexbuffer
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU

pytest.importorskip("tflite_micro", reason="tflite-micro, whose schema edits models, is missing")

HOST, TFLM, SANITIZERS, BOARD = 1200, 400, 200, 50  # mutants
GUIDED = 1500  # inputs of Python's fuzzer
LOCK = list(enumerate((6, 5, 10, 11)))
STRIDE = 97  # of all allocations, those that fail
OUTCOMES = {"ModelError", "UnsupportedOpError", "ArenaError", "ran", "large"}


@pytest.fixture(scope="module")
def corpus():
    """Models that every clone has; `make fuzz` takes others, too, where there are."""
    return corpus_of(ROOT / "models")


@pytest.mark.slow
def test_mutant_of_a_number_is_always_the_same_bytes(corpus):
    again = corpus_of(ROOT / "models")
    assert all(corpus.mutant(i) == again.mutant(i) for i in (0, 1, 7, 8, 17, 4321))


@pytest.mark.slow
def test_mutants_are_models_and_not(corpus):
    """They are worth something only if many load and many do not."""
    report = run_trials(HostTrial(corpus.mutant), 0, HOST)
    assert report.findings == []
    assert set(report.outcomes) <= OUTCOMES
    assert min(report.outcomes["ran"], report.outcomes["ModelError"]) > HOST // 10
    assert sum(unpack(corpus.mutant(8 * i)[1]) is not None for i in range(100)) > 90


def test_small_models_cut_at_every_byte(corpus):
    made = list(corpus.cuts())[:: 4 * STRIDE]
    report = run_trials(HostTrial(made.__getitem__), 0, len(made))
    assert report.findings == []
    assert report.outcomes["ModelError"] > len(made) // 2


def test_mutants_answer_as_tflm_does(corpus, oracle):
    oracle.start()
    report = run_trials(OracleTrial(corpus.mutant, oracle), HOST, TFLM)
    assert report.findings == []
    assert report.outcomes["ran"] > TFLM // 10


@pytest.mark.firmware
def test_mutants_under_sanitizers_do_what_the_host_does(corpus):
    report = run_on("unix-asan", corpus.mutant, HOST, SANITIZERS, (1,))
    assert report.findings == []
    assert report.outcomes["r"] > SANITIZERS // 10


@pytest.mark.firmware
@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")
def test_mutants_at_four_addresses_on_a_cortex_m0_do_what_the_host_does(corpus):
    report = run_on("MICROBIT", corpus.mutant, HOST, BOARD)
    assert report.findings == []
    assert report.outcomes["r"] > BOARD // 10


@pytest.mark.firmware
@pytest.mark.parametrize("backend", ["c", "viper"])
@pytest.mark.parametrize("prepared", [False, True])
def test_allocation_that_fails_ends_in_memory_error(prepared, backend):
    report = fuzz_memory.sweep(("digits_cnn", prepared, backend, False), STRIDE)
    assert report.findings == []
    assert report.outcomes["failures"] > 4


@pytest.mark.firmware
def test_loads_with_a_callback_at_every_poll():
    report = fuzz_calls.with_callbacks(0, 20)
    assert report.findings == []
    assert report.outcomes["callbacks"] > 1000


def test_loads_in_three_threads():
    assert fuzz_calls.in_threads(0, 50).findings == []


def test_hook_that_raises_at_any_node_leaves_the_interpreter_usable(corpus):
    report = fuzz_calls.with_bad_hooks(corpus.models[:40])
    assert report.findings == []
    assert report.outcomes["nodes"] > 40


@pytest.mark.firmware
def test_deploy_cut_at_every_block_leaves_a_whole_model_or_none():
    report = fuzz_deploy.cut_at_every_block(0, 100, ("ram", "ram-fat"))
    assert report.findings == []
    assert min(report.outcomes.values()) > 10


@pytest.mark.slow
def test_reader_fuzzed_by_coverage_no_report(corpus):
    seeds = [data for _, data in corpus.models]
    fuzz_c(READER, seeds)


@pytest.mark.slow
def test_records_fuzzed_by_coverage_no_report(corpus):
    fuzz_c(RECORDS, of_models([data for _, data in corpus.models]))


@pytest.mark.slow
def test_fence_fuzzed_by_coverage_no_report(corpus):
    seeds = of_prepared([data for _, data in corpus.models])
    assert len(seeds) > 10
    fuzz_c(FENCE, seeds)


def fuzz_c(name, seeds):
    try:
        report = run_fuzzer(name, seeds, runs=20_000)
    except FuzzerMissing as error:
        pytest.skip(str(error))
    assert report.findings == []
    assert report.outcomes["inputs"] >= 20_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "outcomes"),
    [
        ("flexbuffers", {"read", "ValueError"}),
        ("served", {"answered", "dropped"}),
        ("answered", {"answered", "OSError 5", "OSError 32", "OSError 110"}),
        ("states", {"loaded", "ValueError"}),
    ],
)
def test_python_that_reads_bytes_of_others_fuzzed_by_coverage(part, outcomes):
    report = campaign.PARTS[part](0, GUIDED)
    assert report.findings == []
    assert set(report.outcomes) == outcomes
    assert sum(report.outcomes.values()) == GUIDED


# What the trials would find


def test_coverage_leads_to_what_chance_does_not_reach(tmp_path, monkeypatch):
    steps = [f"    if data[{i}] & 15 != {c}:\n        return 'shut'\n" for i, c in LOCK]
    (tmp_path / "locked.py").write_text(
        "def read(data):\n    data += bytes(4)\n" + "".join(steps) + "    raise KeyError(1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    locked = importlib.import_module("locked")
    report = guided.fuzz(locked.read, [b"....."], [locked], 0, 20_000)
    assert {text[:11] for _, text in report.findings} == {"KeyError(1)"}


@pytest.mark.slow
def test_input_that_takes_too_many_lines_or_too_long_is_a_finding_with_its_bytes():
    def read(data):
        flexbuffer.root(data)
        while data[0] == 1:
            pass
        return "read"

    seed = bytes(encoder.Dumps(list(range(20))))
    report = guided.fuzz(read, [seed], [flexbuffer], 0, 1, lines_a_byte=-20)
    assert report.findings[0][1].endswith("lines run because of " + seed.hex())
    seed = b"\1" + bytes(encoder.Dumps(3))
    with mock.patch.object(flexbuffer, "root", lambda _data: None):
        report = guided.fuzz(read, [seed], [flexbuffer], 0, 1)
    assert report.findings[-1] == (0, "more than 2.0 s of " + seed.hex())


def test_peer_that_takes_any_sum_is_a_finding():
    with mock.patch.object(peer, "crc32", lambda _data, _total=0: 0):
        assert fuzz_guided.answered(0, 50).findings


def identity():
    builder = ModelBuilder()
    x = builder.tensor([1, 4], "INT8", Quant(0.1, 3))
    y = builder.tensor([1, 4], "INT8", Quant(0.1, 3))
    builder.op("RELU", [x], [y])
    return builder.build([x], [y])


def test_trial_that_dies_hangs_or_raises_is_a_finding_and_the_rest_runs():
    pages = Pages(100)
    view = pages.hold(b"model")

    def trial(number):
        if number == 1:
            signal.raise_signal(signal.SIGSEGV)
        while number == 2:
            pass
        if number == 3:
            raise KeyError(bytes(view))
        return "fine", ""

    report = run_trials(trial, 0, 6, seconds=0.2)
    assert report.outcomes == {"fine": 3, "foreign": 1}
    assert [number for number, _ in report.findings] == [1, 2, 3]
    texts = [problem for _, problem in report.findings]
    assert "SIGSEGV" in texts[0]
    assert "more than 0.2 s" in texts[1]
    assert "KeyError: b'model'" in texts[2]


@pytest.mark.parametrize("outside", [-1, 4])
def test_trial_that_writes_outside_of_the_arena_is_a_finding(outside):
    import ctypes  # as an interpreter's kernel would

    arena = Pages(4096).end(4096)

    def trial(_):
        address = ctypes.addressof(ctypes.c_char.from_buffer(arena))
        ctypes.memset(address + (4096 if outside > 0 else -1), 0, 1)
        return "fine", ""

    assert "SIGSEGV" in run_trials(trial, 0, 1).findings[0][1]


def test_model_that_differs_from_tflm_is_a_finding(oracle):
    oracle.start()
    model = identity()
    wrong = OracleTrial(lambda _: ("", model), oracle)
    ours = wrong.judge

    class Lying:
        load = oracle.load

        @staticmethod
        def invoke(given):
            return [bytes(len(given[0]))]

    assert run_trials(wrong, 0, 1).findings == []
    wrong._oracle = Lying
    assert run_trials(wrong, 0, 1).findings == [(0, "TFLM answers otherwise")]
    assert ours is not None


def test_sum_of_outputs_knows_one_nan_and_all_numbers():
    def sum_of(dtype, *words):
        tensor = SimpleNamespace(dtype=dtype, data=memoryview(struct.pack("<2I", *words)))
        return fuzz_device.sum_of([tensor])

    nans = [0x7FCC5DD8, 0xFFCC5DD8, 0x7F800001]
    assert len({sum_of("float32", word, 0) for word in nans}) == 1
    others = [0x7F800000, 0xFF800000, 0, 1 << 31, nans[0]]
    assert len({sum_of("float32", 0, word) for word in others}) == len(others)
    assert len({sum_of("int32", word, 0) for word in nans}) == len(nans)


@pytest.mark.slow
def test_campaign_command_prints_and_fails(tmp_path, monkeypatch):
    from click.testing import CliRunner

    monkeypatch.setattr(campaign, "FOLDER", tmp_path)
    monkeypatch.setitem(campaign.PARTS, "host", lambda first, count: run_trials(bad, first, count))
    result = CliRunner().invoke(campaign.main, ["host", "--first", "5", "--count", "2"])
    assert result.exit_code == 1
    assert "host 5 to 6: said 2; 2 findings" in result.output
    assert len(list(tmp_path.glob("*.tflite"))) == 2


def bad(_number):
    return "said", "something"
