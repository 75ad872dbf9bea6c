"""The steps of a certificate: each asks something of a target and enters its findings.

A step that fails ends nothing, as long as the target replies. A target that does not reply ends
the examination: the steps that are left count as not run.
"""

import base64
import platform
import time
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from hashlib import sha256

from tflm import __version__
from tflm.base.errors import ArenaError, ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.ops.index import kernel_names

from ..report.duration import milliseconds
from ..targets.answers import answers, checked, is_count, is_hex, is_size, one_of, refuse
from ..targets.board_files import NoRoom
from ..targets.boards import (
    RP2_EMULATORS,
    TIMED,
    UNICORN,
    UNIX_TARGETS,
    all_board_names,
    board_facts,
    folder_of,
    load_board,
)
from ..targets.device import script
from ..targets.open_target import is_port, open_target
from ..targets.repl import ExecError, TargetError
from ..targets.romfs import build_romfs
from ..targets.rp2040 import TWO_CORES
from . import form, models, scripts

RUNS, SOAK_SECONDS = 20, 60
SLICE_SECONDS = 4  # of one call of soak(): the target says something so often
CALL_SECONDS = 600
# A leak of one block in each round of inputs loses BLOCK bytes a round. Without a leak the
# collector may keep some blocks more or fewer, as it takes words on the C stack for pointers.
BLOCK, SOAK_ROUNDS = 16, 16
RESET_SECONDS, QUIET_SECONDS = 60, 2
RESTARTED_MS = 500, 6000  # how old a clock is before a reset: emulated, and real with its USB
# The same on Unicorn, where a board that waits for us runs many times as fast as its clock.
UNICORN_MS, UNICORN_SECONDS = 15_000, 0.5
WRITES, MOST_RUNS = 5, 400
SHOWN = 300  # characters of a reason
LACKS_ALL = "the firmware lacks operators of each model"
SOAKED, WRITTEN, RESET = "digits_gated", "digits_ds_cnn", "sine"
# What each line of certify_device.py holds behind its kind.
FORMS = {
    "identity": form.IDENTITY,
    "image": (None, [is_size, is_hex]),
    "lacking": (None, is_count),
    "loaded": [one_of("c", "viper"), is_size, bool],
    "run": [is_count, is_hex],
    "soak": [is_count, is_count, is_count, is_count],
    "written": [is_count, bool],
    "cores": is_size,
}


class SkipError(Exception):
    """A step that this target cannot do; says why."""


class Lost(TargetError):
    """The target that does not reply any more."""


class RefutedError(Exception):
    """A step whose result is wrong; says what."""


class Examination:
    """The steps of a certificate on the target *name*.

    consent   as of open_target()
    runs      of each model, at least
    soak      seconds
    progress  progress(text) is called often, with the work that begins
    """

    def __init__(self, name, consent, runs=RUNS, soak=SOAK_SECONDS, progress=None):
        self.name = name
        self.transcript = []
        self._consent, self._runs, self._seconds = consent, runs, soak
        self._progress = progress or (lambda _text: None)
        self._goldens = {golden.name: golden for golden in models.small()}
        self._has_all = False  # whether the target says that it has each C kernel
        self.found = {
            "format": form.FORMAT,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            "tool": {"tflm": __version__, "python": platform.python_version()},
            "kind": form.SILICON,
            "emulator": None,
            "steps": [],
            "models": [],
            "flash_write": None,
            "soak": None,
            "resets": [],
            "scripts": [],
        }

    def begin(self):
        """Ask who the target is. Raises TargetError if it cannot be certified at all."""
        with self._step("identity") as step, self._opened() as device:
            (identity,) = self._ask(device, "identity()", "identity")
            self.found["identity"] = identity
            self._set_kind(identity)
            ask = f"lacking({len(kernel_names())})"
            self._has_all = self._ask(device, ask, "lacking") == [0]
            self._progress("the firmware's checksum")
            image = self._ask(device, "image()", "image")[0] or self._file_of_firmware()
            identity["firmware_bytes"], identity["firmware_sha256"] = image
            if identity["tflm"] != __version__:
                raise TargetError(
                    f"{self.name} has tflm {identity['tflm']}, this is {__version__}: update it"
                )
        if step["result"] == form.FAILED:
            raise TargetError(f"{self.name}: {step['why']}")

    def go_on(self):
        """Do the other steps; return the certificate. Ctrl-C leaves the others undone."""
        steps = {
            "models": self._models,
            "two cores": self._two_cores,
            "flash write": self._flash_write,
            "soak": self._soak,
            "large model": self._large,
            "resets": self._resets,
            "device tests": self._device_tests,
        }
        with suppress(Lost, KeyboardInterrupt):
            for name, function in steps.items():
                with self._step(name):
                    function()
        return self._certificate()

    def _certificate(self):
        done = [step["name"] for step in self.found["steps"]]
        for name in form.STEPS:
            if name not in done:
                self._enter(name, form.NOT_RUN, "the examination ended before", 0)
        steps = self.found["steps"]
        self.found["complete"] = all(step["result"] != form.NOT_RUN for step in steps)
        self.found["passed"] = form.is_passed(steps)
        self.found["transcript_sha256"] = sha256(self.text().encode()).hexdigest()
        return form.sealed(self.found)

    def text(self):
        """Return the transcript."""
        return "".join(self.transcript)

    def _clean(self, text):
        return form.clean(text, self.name if is_port(self.name) else "")

    @contextmanager
    def _step(self, name):
        """Enter a step with its result, and the reason of that."""
        self._progress(name)
        self.transcript.append(f"== {name}\n")
        step = self._enter(name, form.PASSED, "", 0)
        start = time.monotonic()
        try:
            yield step
        except (SkipError, NoRoom) as reason:
            self._conclude(step, form.SKIPPED, reason)
        except (RefutedError, ExecError, ModelError, ArenaError) as reason:
            self._conclude(step, form.FAILED, reason)
        except KeyboardInterrupt:
            self._conclude(step, form.NOT_RUN, "interrupted by Ctrl-C")
            raise
        except TargetError as reason:
            self._conclude(step, form.FAILED, reason)
            raise Lost(str(reason)) from None
        finally:
            step["milliseconds"] = round(1000 * (time.monotonic() - start))

    def _enter(self, name, result, why, spent):
        step = {"name": name, "result": result, "why": why, "milliseconds": spent}
        self.found["steps"].append(step)
        return step

    def _conclude(self, step, result, reason):
        text = reason.traceback if isinstance(reason, ExecError) else str(reason)
        text = self._clean(text).strip()
        step["result"], step["why"] = result, text[-SHOWN:]
        self.transcript.append(f"{result}: {text}\n")

    # Talking to the target

    @contextmanager
    def _opened(self, goldens=(), consent=None, cores=1):
        files = [file for golden in goldens for file in golden.files]
        options = TWO_CORES if cores == 2 and self.name in RP2_EMULATORS else ()
        with open_target(self.name, files, consent=consent, options=options) as device:
            self._prepare(device)
            yield device

    def _prepare(self, device):
        try:
            device.exec("import tflm", CALL_SECONDS)
        except ExecError as error:
            raise TargetError(
                f"{self.name} has no tflm, or one that does not load: give it a firmware, or"
                f" the package of install/tflm_install.py\n{error.traceback}"
            ) from None
        device.exec(script("certify_device"), CALL_SECONDS)

    def _ask(self, device, code, kind, count=1, seconds=CALL_SECONDS):
        """Run *code*; return its *count* lines of *kind*, and pass over other kinds."""
        printed = device.exec(code, seconds)
        self.transcript.append(self._clean(printed))
        found = answers(self.name, printed, [one_of(*FORMS), lambda _: True])
        values = [checked(self.name, value, FORMS[one]) for one, value in found if one == kind]
        if len(values) != count and count is not None:
            refuse(self.name, found)
        return values

    def _set_kind(self, identity):
        """Enter whether this is a board, and its name."""
        board = folder_of(self.name)
        if self.name in UNIX_TARGETS:
            self.found["kind"] = form.UNIX
        elif board in all_board_names():
            about = load_board(board)
            others = (*RP2_EMULATORS, *UNICORN)
            self.found["kind"] = form.EMULATED
            self.found["emulator"] = about.machine if board in others else about.emulator
        elif identity["platform"] == "qemu" or self.name.startswith("/dev/pts/"):
            self.found["kind"], self.found["emulator"] = form.EMULATED, "an emulator's port"
        named = identity["build"] or identity["machine"]
        if board in (*UNIX_TARGETS, *all_board_names()):
            named = self.name
        kept = [letter if letter.isalnum() and letter.isascii() else " " for letter in named]
        self.found["board"] = named if "_" in named else "-".join("".join(kept).split()) or "board"

    def _file_of_firmware(self):
        """Return size and sha256 of the firmware's file of an emulated board; None elsewhere."""
        if folder_of(self.name) not in all_board_names():
            return None, None
        data = load_board(self.name).firmware.read_bytes()
        return len(data), sha256(data).hexdigest()

    # The steps

    def _models(self):
        left_out = []

        def run(device, golden):
            try:
                self._run(device, golden)
            except ExecError as error:
                if self._has_all or not scripts.is_left_out(error.traceback):
                    raise
                left_out.append(golden.name)

        self._with_each(run)
        for name in left_out:
            del self._goldens[name]
        if not self._goldens:
            raise SkipError(LACKS_ALL)
        if left_out:
            why = f"without {', '.join(left_out)}: the firmware lacks operators"
            self.found["steps"][-1]["why"] = why

    def _two_cores(self):
        def run(device, golden):
            self._use_two(device)
            self._run(device, golden, 2)

        self._with_each(run, cores=2)

    def _with_each(self, run, cores=1):
        """Call run(device, golden) for each golden. The RAM of a board has one at a time."""
        goldens = list(self._goldens.values())
        for group in [[one] for one in goldens] if is_port(self.name) else [goldens]:
            with self._opened(group, cores=cores) as device:
                for golden in group:
                    run(device, golden)

    def _golden(self, name):
        """Return the golden of *name*, or the largest one that the firmware runs."""
        if not self._goldens:
            raise SkipError(LACKS_ALL)
        return self._goldens.get(name) or list(self._goldens.values())[-1]

    def _use_two(self, device):
        if self._ask(device, "use_cores(2)", "cores") != [2]:
            raise SkipError("kernels have one core here")

    def _flash_write(self):
        if self.found["identity"]["platform"] != "rp2":
            raise SkipError("a board with an RP2040 or RP2350 does this")
        golden = self._golden(WRITTEN)
        with self._opened([golden], cores=2) as device:
            self._use_two(device)
            self._load(device, golden)
            self._progress("writes to flash during runs")
            start = len(self.transcript)
            ((written, is_whole),) = self._ask(
                device, f"trial.write_meanwhile({MOST_RUNS}, {WRITES})", "written"
            )
            printed = "".join(self.transcript[start:])
            runs = [value for kind, value in answers(self.name, printed, list) if kind == "run"]
            self._compare(golden, runs)
            self.found["flash_write"] = {"cores": 2, "writes": written, "runs": len(runs)}
            if written < WRITES or not is_whole:
                raise RefutedError(f"{written} of {WRITES} writes during runs, whole: {is_whole}")

    def _soak(self):
        golden = self._golden(SOAKED)
        soak = dict.fromkeys(("runs", "different", "heap_free_first", "heap_free_last"), 0)
        soak = {"model": golden.name, "seconds": 0, **soak}
        self.found["soak"] = soak
        with self._opened([golden]) as device:
            self._load(device, golden)
            end = time.monotonic() + self._seconds
            left = self._seconds
            while left > 0:
                part = min(left, SLICE_SECONDS)
                call = f"trial.soak({golden.count}, {SOAK_ROUNDS}, {round(1000 * part)})"
                ((runs, different, before, after),) = self._ask(device, call, "soak")
                soak["heap_free_first"] = soak["heap_free_first"] or before
                soak["heap_free_last"] = after
                soak["runs"] += runs
                soak["different"] += different
                left = end - time.monotonic()
                soak["seconds"] = round(self._seconds - max(left, 0))
                self._progress(f"soak: {soak['runs']} runs")
        lost = soak["heap_free_first"] - soak["heap_free_last"]
        if soak["different"] or lost >= BLOCK * (soak["runs"] // golden.count):
            raise RefutedError(
                f"{soak['different']} of {soak['runs']} runs differ; {lost} bytes of heap are lost"
            )

    def _large(self):
        golden = models.large()
        consent = self._consent if self._rom_has_room(golden) else None
        try:
            with self._opened([golden], consent, cores=2) as device:
                self._run(device, golden)
                if self._ask(device, "use_cores(2)", "cores") == [2]:
                    self._run(device, golden, 2)
        except ExecError as error:
            if "MemoryError" in error.traceback or "ArenaError" in error.traceback:
                raise SkipError("too little heap for its arena") from None
            raise

    def _rom_has_room(self, golden):
        """Tell whether /rom has room for *golden*. It has in a board that is not known here."""
        board = folder_of(self.found["board"])
        if board not in all_board_names():
            return True
        return len(build_romfs(golden.files)) <= load_board(board).romfs_size

    def _load(self, device, golden):
        self._progress(golden.name)
        places = device.source(golden.file), device.source(golden.file + models.INPUTS)
        device.exec("trial = None\ngc.collect()")
        return self._ask(device, f"trial = Trial({', '.join(places)})", "loaded")[0]

    def _run(self, device, golden, cores=1):
        """Load *golden*, run it often enough, and enter a row of the certificate."""
        count = max(golden.count, self._runs)
        backend, arena, in_flash = self._load(device, golden)
        runs = []
        while len(runs) < count:
            step = min(count - len(runs), 16)
            runs += self._ask(device, f"trial.runs({step})", "run", step)
            self._progress(f"{golden.name}: {len(runs)} of {count} runs, cores: {cores}")
        times = sorted(spent for spent, _ in runs)
        row = {
            "name": golden.name,
            "bytes": len(golden.model),
            "sha256": sha256(golden.model).hexdigest(),
            "backend": backend,
            "cores": cores,
            "in_flash": in_flash,
            "arena_bytes": arena,
            "expected_arena_bytes": _arena_of(golden),
            "runs": len(runs),
            "outputs_sha256": _digest_of(runs[: golden.count]),
            "expected_sha256": golden.outputs,
            "microseconds": {
                "min": times[0],
                "median": times[len(times) // 2],
                "max": times[-1],
            },
            "modelled_microseconds": self._modelled(golden, cores),
        }
        self.found["models"].append(row)
        self._compare(golden, runs)
        if arena != row["expected_arena_bytes"]:
            raise RefutedError(
                f"{golden.name}: {arena} bytes of arena, {row['expected_arena_bytes']} on the PC"
            )

    def _compare(self, golden, runs):
        """Raise RefutedError unless the outputs of *runs* are TFLM's, over and over again."""
        if len(runs) >= golden.count and _digest_of(runs[: golden.count]) != golden.outputs:
            raise RefutedError(f"{golden.name}: the outputs differ from TFLM's")
        for i, (_, output) in enumerate(runs):
            if output != runs[i % golden.count][1]:
                raise RefutedError(
                    f"{golden.name}: run {i} differs from the first run of its input"
                )

    def _modelled(self, golden, cores):
        """Return about how many microseconds a run takes; None where no model of time is known."""
        board, way = self.found["board"], self.found["identity"]["way"]
        if board not in TIMED or way != "firmware" or cores != 1:
            return None
        (ms,) = milliseconds(Model(golden.model), board_facts([board])).values()
        return None if ms is None else round(1000 * ms)

    def _resets(self):
        if self.name in UNIX_TARGETS:
            raise SkipError("the unix port has no reset")
        with self._opened() as device:
            self._check(device)
            device.exec("kept = 1")
            device.reopen(RESET_SECONDS)
            self._prepare(device)
            self._check(device)
            self.found["resets"].append("soft")
            if self.found["identity"]["platform"] == "qemu":
                raise SkipError("soft only: a hard reset ends QEMU")
            self._hard_reset(device)
            self.found["resets"].append("hard")

    def _hard_reset(self, device):
        least, quiet = RESTARTED_MS[is_port(self.name)], QUIET_SECONDS
        if folder_of(self.name) in UNICORN:
            least, quiet = UNICORN_MS, UNICORN_SECONDS
        wait = f"while time.ticks_ms() < {least}:\n    time.sleep_ms(10)\n"
        before = int(device.exec(f"kept = 1\n{wait}print(time.ticks_ms())"))
        with suppress(TargetError):
            device.exec("import machine\nmachine.reset()", quiet)
        device.reopen(RESET_SECONDS)
        after = int(device.exec("import time\nprint(time.ticks_ms())"))
        if after >= before:
            raise RefutedError(f"the clock went on from {before} to {after} ms in a hard reset")
        self._prepare(device)
        self._check(device)

    def _check(self, device):
        """Raise RefutedError unless the prepared target is as after a start, and runs a model."""
        if device.exec("print('kept' in globals())").strip() != "False":
            raise RefutedError("names outlived the reset")
        golden = self._golden(RESET)
        data = [base64.b64encode(part).decode() for part in (golden.model, golden.inputs)]
        call = f"trial = Trial(*[a2b_base64(text) for text in {data!r}])"
        self._ask(device, call, "loaded")
        count = golden.count
        self._compare(golden, self._ask(device, f"trial.runs({count})", "run", count))

    def _device_tests(self):
        paths = scripts.scripts()
        lost = failed = 0
        for i, outcome in enumerate(scripts.run_all(self.name, paths)):
            self._progress(f"device tests: {outcome.script}, {i + 1} of {len(paths) + 1}")
            said = f"-- {outcome.script}\n{outcome.printed}{outcome.output}\n"
            self.transcript.append(self._clean(said))
            self.found["scripts"].append(
                {
                    "name": outcome.script,
                    "passed": outcome.passed,
                    "skipped": outcome.skipped,
                    "failed": outcome.failed,
                    "why_skipped": sorted(set(outcome.skips)),
                }
            )
            failed += not outcome.ok
            lost = lost + 1 if outcome.is_lost else 0
            if lost == 2:
                raise TargetError(outcome.output)
        if failed:
            raise RefutedError(f"{failed} scripts failed: the transcript has their output")


def _digest_of(runs):
    """Return the sha256 of the outputs of *runs*."""
    return sha256(b"".join(bytes.fromhex(output) for _, output in runs)).hexdigest()


def _arena_of(golden):
    return Interpreter(Model(golden.model), measure=True).arena_used_bytes()


def known():
    """Return {sha256 of a model: sha256 of TFLM's outputs} of all models of certificates."""
    goldens = [*models.small(), models.large()]
    return {sha256(golden.model).hexdigest(): golden.outputs for golden in goldens}
