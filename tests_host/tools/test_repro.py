"""Every file that once broke something gives a clear error, or TFLM's bytes, on every target."""

import shutil
import struct

import pytest
from click.testing import CliRunner

from support.fuzz import fuzz_targets
from support.fuzz.fuzz_host import HostTrial, OracleTrial
from support.fuzz.fuzz_workers import run_trials
from support.fuzz.packed_places import places
from support.nets.one_op_models import case_of
from tflm import ArenaError, Interpreter, ModelError, Registration, default_resolver
from tflm_host.__main__ import main
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.romfs import RomfsError, list_romfs

TARGETS = ("unix", "unix-asan", "MPS2_AN386", "MICROBIT")
CALL_ONCE = 129
ESCAPE = "\x1b"
LARGE = 40_000  # bytes of a model
COMMAND_SECONDS = 20  # of processor time


@pytest.fixture(scope="module")
def files(shared):
    """[(path below shared/repro, bytes)] of the models there and in its folders."""
    folder = shared / "repro"
    if not folder.is_dir():
        pytest.skip(
            "no folder repro in shared: the models that once broke something are not tested"
        )
    paths = sorted(folder.rglob("*.tflite"))
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]


def findings(files, trial):
    report = run_trials(trial, 0, len(files), stop_after=len(files))
    return [f"{files[number][0]}: {problem}" for number, problem in report.findings]


def test_repro_on_host_no_crash_hang_or_foreign_exception(files):
    assert findings(files, HostTrial(files.__getitem__)) == []


def test_repro_that_runs_gives_the_bytes_of_tflm(files, oracle):
    oracle.start()
    assert findings(files, OracleTrial(files.__getitem__, oracle)) == []


def test_repro_errors_say_something(files):
    for name, model in files:
        try:
            Interpreter(model, bytearray(1 << 16))
        except (ModelError, ArenaError) as error:
            assert len(str(error)) > 10, f"{name}: {error}"


@pytest.mark.firmware
@pytest.mark.parametrize("target", TARGETS)
def test_repro_on_target_does_what_the_host_does(files, target):
    if not target.startswith("unix") and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    rows = fuzz_targets.expect(files.__getitem__, 0, len(files))
    assert len(rows) == len(files)
    # A large file in a heap slows every allocation there: on unix those are tried alone.
    large = [row for row in rows if len(row[2]) > LARGE and target.startswith("unix")]
    batches = [[row] for row in large] + [[row for row in rows if row not in large]]
    found = [fuzz_targets.run_rows(target, batch, (0,)).findings for batch in batches]
    assert sum(found, []) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["inspect", "arena", "arena --html OUT", "prepare -o OUT", "plan -o OUT", "ops"]
)
def test_repro_no_command_ends_in_a_traceback(shared, files, command, tmp_path):
    arguments = command.replace("OUT", str(tmp_path / "out")).split()

    def trial(number):
        path = shared / "repro" / files[number][0]
        result = CliRunner().invoke(main, [*arguments, str(path)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            return "traceback", repr(result.exception)
        return "ran", "escape sequences" if ESCAPE in result.output else ""

    report = run_trials(trial, 0, len(files), COMMAND_SECONDS, len(files))
    assert [(files[number][0], problem) for number, problem in report.findings] == []


def test_control_flow_that_calls_exponentially_often_is_refused_or_linear(files):
    """Own operators for CALL_ONCE: lifetimes follow the calls."""
    resolver = default_resolver()
    resolver.add_builtin(CALL_ONCE, Registration(invoke=lambda _context, _node: None))
    model = dict(files)["control_flow_exponential.tflite"]

    def trial(_):
        try:
            Interpreter(model, resolver=resolver)
        except ModelError:
            return "refused", ""
        return "loaded", ""

    assert run_trials(trial, 0, 1).findings == []


@pytest.mark.usefixtures("files")
def test_romfs_with_a_bad_name_is_refused(shared):
    with pytest.raises(RomfsError):
        list_romfs((shared / "repro" / "romfs_bad_name.img").read_bytes())


@pytest.mark.parametrize("op", ["leaky_relu", "svdf_s8", "conv_2d", "depthwise_conv_2d", "mean"])
def test_options_that_end_within_a_word_are_refused_by_name(op):
    """The table of options is the last one of the file, and each of its fields the last byte."""
    data = bytearray(case_of(op, 0).model)
    at = places(data).offsets["Options"][0]
    vtable, slots = len(data), 9
    data += struct.pack(f"<{2 + slots}H", 4 + 2 * slots, 5, *[4] * slots) + bytes(2)
    struct.pack_into("<I", data, at, len(data) - at)
    data += struct.pack("<iB", len(data) - vtable, 1)
    if op == "mean":  # its option is a byte
        assert Interpreter(bytes(data)).arena_used_bytes()
        return
    with pytest.raises(ModelError, match=r"#0: options: .* at byte \d+ points outside the file"):
        Interpreter(bytes(data))
