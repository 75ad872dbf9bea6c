"""The wheel, installed outside of the clone, beside no more than it asks for: every command."""

import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from support.models.model_builder import ModelBuilder
from tflm_host.cli import release
from tflm_host.deploy import gallery
from tflm_host.generate import inputs
from tflm_host.generate.files import locked
from tflm_host.model import wasm
from tflm_host.model.flash_cache import RP2_CACHE
from tflm_host.places import BUILD, ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator

pytestmark = pytest.mark.slow

UNIX_ALONE = ("curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty")
EVERYTHING = Path(np.__file__).parents[1]  # where the test's own environment keeps packages
MODELS = ROOT / "models"
KEPT = BUILD / "test-wheel"  # built again where a source has changed
SINE, DIGITS = MODELS / "sine.tflite", MODELS / "digits_cnn.tflite"
# No heuristic plans this in as few bytes as are in use at one moment: 14 instead of 13.
HARD_PLAN = "id,lower,upper,size\na,3,5,3\nb,4,5,2\nc,3,6,4\nd,4,6,2\ne,2,4,3\nf,1,6,2\n"


class Installed:
    """The wheel in an environment of its own, which holds what it requires and nothing else."""

    def __init__(self, folder):
        self.folder = folder
        environment = folder / "environment"
        self.wheel = build_wheel(folder)
        call(sys.executable, "-m", "venv", "--without-pip", environment)
        self.python = environment / "bin" / "python"
        self.packages = Path(
            call(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        )
        install = "--python", self.python, "install", "--no-deps", "--no-index", self.wheel
        call(sys.executable, "-m", "pip", "--quiet", *install)
        (self.packages / "required.pth").write_text(f"{required_packages(folder)}\n")
        self.environment = {
            "PATH": f"{environment / 'bin'}:{os.environ['PATH']}",
            "HOME": str(folder),
            "TFLM_CACHE": str(folder / "cache"),
        }

    def run(self, *arguments, **environment):
        """Run the command in an empty folder; return the process, which has ended."""
        return self._run(self.python.with_name("tflm"), *arguments, **environment)

    def python_runs(self, code, *arguments, **environment):
        """Run *code* there, with *arguments* in sys.argv; fail if it fails."""
        done = self._run(self.python, "-I", "-c", code, *arguments, **environment)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)

    def _run(self, program, *arguments, **environment):
        return subprocess.run(
            [program, *map(str, arguments)],
            env={**self.environment, **environment},
            cwd=self.folder / "empty",
            capture_output=True,
            text=True,
            check=False,
        )

    def tflm(self, *arguments, status=0, **environment):
        """Run the command; return what it prints, on stderr where it fails."""
        done = self.run(*arguments, **environment)
        assert done.returncode == status, (arguments, done.stdout, done.stderr)
        return done.stderr if status else done.stdout


def call(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout.strip()


def build_wheel(folder):
    """Return the wheel of a copy of the clone: what earlier builds left there is not in it."""
    facts = {"python": sys.version, "kernels": sha256(wasm.build() or b"").hexdigest()}
    facts["setuptools"] = version("setuptools")
    text = inputs.listed([*release.SOURCES, *release.FILES], facts)
    with locked(KEPT.with_suffix(".lock")):
        if not inputs.is_same(KEPT, text):
            shutil.rmtree(KEPT, ignore_errors=True)
            copy = folder / "clone"
            release.wheel_sources(copy)
            options = "--no-deps", "--no-build-isolation", "--wheel-dir", KEPT
            call(sys.executable, "-m", "pip", "--quiet", "wheel", *options, copy)
            shutil.rmtree(copy)
            (KEPT / inputs.INPUTS).write_text(text)
    (wheel,) = KEPT.glob("*.whl")
    return wheel


def required_packages(folder):
    """Return a folder with links to the packages that the wheel requires, without its extras."""
    links = folder / "required"
    links.mkdir()
    (folder / "empty").mkdir()
    for name in requirements("tflm-host"):
        for top in {file.parts[0] for file in distribution(name).files} - {"..", "__pycache__"}:
            if (EVERYTHING / top).exists() and not (links / top).exists():
                (links / top).symlink_to(EVERYTHING / top)
    return links


def requirements(name):
    """Return the names of what distribution *name* needs, and of what that needs."""
    found, left = set(), [name]
    while left:
        for requirement in map(Requirement, distribution(left.pop()).requires or ()):
            condition = requirement.marker
            wanted = condition is None or condition.evaluate({"extra": ""})
            if wanted and requirement.name not in found:
                found.add(requirement.name)
                left.append(requirement.name)
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def no_compiler(installed):
    """The environment of a machine that has none, whose user has compiled nothing yet."""
    return {"PATH": str(installed.python.parent), "TFLM_CACHE": str(installed.folder / "none")}


@pytest.fixture
def webassembly(no_compiler):
    """The same, where the extra `kernels` is installed."""
    if wasm.compiler() is None:
        pytest.skip("no clang with wasm-ld here: the wheel has no WebAssembly")
    return {**no_compiler, "PYTHONPATH": str(EVERYTHING)}


def test_wheel_installs_its_own_names_alone(installed):
    names = {path.name for path in installed.packages.iterdir()} - {"__pycache__"}
    ours = "tflm", "tflm_host", "_tflm.py", "tflm_host-0.2.0.dist-info"
    assert names == {*ours, "required.pth"}
    script = "import tflm.interpreter, sys; print('micropython' in sys.modules, tflm.__file__)"
    printed = call(installed.python, "-I", "-c", script)
    assert printed == f"False {installed.packages / 'tflm' / '__init__.py'}"


def test_every_command_is_there_without_what_unix_alone_has():
    script = f"""
import sys, mpremote.transport_serial, serial.tools.list_ports  # which ask for the system
sys.modules.update(dict.fromkeys({UNIX_ALONE!r}))
import click
from tflm_host.__main__ import main
with click.Context(main) as context:
    names = main.list_commands(context)
    print(len([main.get_command(context, name) for name in names]))
"""
    assert int(call(sys.executable, "-c", script)) > 12


def test_wheel_requires_ranges_and_no_solver_or_oracle(installed):
    metadata = (installed.packages / "tflm_host-0.2.0.dist-info" / "METADATA").read_text()
    required = re.findall(r"^Requires-Dist: ([^;\n]*)(.*)$", metadata, re.M)
    plain = [package for package, condition in required if "extra" not in condition]
    assert [package for package in plain if not package.startswith("wasmtime")] == plain[:6]
    assert not [package for package, _ in required if "==" in package]
    assert not [package for package in plain if package.startswith(("ortools", "tflite"))]


def test_commands_without_kernels_run_where_nothing_compiles(installed, no_compiler, tmp_path):
    def tflm(*arguments):
        return installed.tflm(*arguments, **no_compiler)

    assert json.loads(tflm("arena", DIGITS, "--json"))["boards"]["MPS2_AN386"]
    assert "\nmemory of MPS2_AN386: " in tflm("arena", DIGITS, "--board", "MPS2_AN386")
    assert "1,168" in tflm("arena", DIGITS, "--planner", "all", "--html", tmp_path / "arena.html")
    assert "sine" in tflm("arena", MODELS)
    assert "CONV_2D" in tflm("inspect", DIGITS)
    assert "conv_2d_s8" in tflm("ops", DIGITS)
    tflm("romfs", SINE, DIGITS, "-o", tmp_path / "models.img")
    tflm("plan", DIGITS, "-o", tmp_path / "planned.tflite")
    assert "sine.tflite" in tflm("new", tmp_path / "project", "--board", "RPI_PICO")
    for command in (("run", DIGITS), ("prepare", DIGITS, "-o", tmp_path / "prepared.tflite")):
        said = installed.tflm(*command, status=1, **no_compiler).replace("\n", " ")
        assert "no C compiler" in said
        assert "pip install wasmtime" in said
    for command in ("", "arena", "inspect", "ops", "romfs", "plan", "prepare", "deploy"):
        assert "Usage: tflm" in tflm(*command.split(), "--help")


def test_kernels_are_compiled_once_into_the_users_cache(installed, no_compiler):
    here = subprocess.run(
        [sys.executable, "-m", "tflm_host", "run", str(DIGITS), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    cache = Path(installed.environment["TFLM_CACHE"])
    outputs = json.loads(installed.tflm("run", DIGITS, "--json"))["outputs"]
    assert outputs == json.loads(here.stdout)["outputs"]
    libraries = [path for path in (cache / "host").iterdir() if not path.is_dir()]
    assert [path.suffix for path in libraries] == [".so"]  # beside a folder of generated headers
    assert not list(installed.packages.rglob("*.so"))
    again = installed.tflm("run", DIGITS, "--json", PATH=no_compiler["PATH"])
    assert json.loads(again)["outputs"] == outputs
    assert json.loads(installed.tflm("bench", DIGITS, "--json"))["backend"] == "c"


def models():
    """Return the paths of our models, and of those beside the clone, where there are any."""
    folder = Path(os.environ.get("TFLM_MODEL_ZOO", ROOT.parent / "shared" / "models"))
    return [*sorted(MODELS.glob("*.tflite")), *sorted(folder.glob("*.tflite"))]


@pytest.mark.long
def test_webassembly_runs_and_prepares_as_the_clones_kernels_do(installed, webassembly, tmp_path):
    prepared, here = tmp_path / "prepared.tflite", tmp_path / "here.tflite"
    ran = 0
    for path in models():
        for command, said in (("arena", "arena_bytes"), ("run", "outputs")):
            expected = tflm(command, path, "--json")
            if expected.returncode == 0:
                printed = installed.tflm(command, path, "--json", **webassembly)
                assert json.loads(printed)[said] == json.loads(expected.stdout)[said], path.name
                ran += command == "run"
        arguments = "prepare", path, "--target", "dsp", "-o"
        if tflm(*arguments, here).returncode == 0:
            installed.tflm(*arguments, prepared, **webassembly)
            assert prepared.read_bytes() == here.read_bytes(), path.name
    assert ran > 3
    cached = Path(webassembly["TFLM_CACHE"])
    assert not list(cached.rglob("*.so"))


def test_webassembly_runs_where_no_folder_is_writable(installed, webassembly, tmp_path):
    home = tmp_path / "home"
    home.touch()  # a file: not even root makes a folder below it
    nowhere = {**webassembly, "HOME": str(home), "TFLM_CACHE": ""}
    printed = installed.tflm("run", DIGITS, "--json", **nowhere)
    expected = json.loads(tflm("run", DIGITS, "--json").stdout)
    assert json.loads(printed)["outputs"] == expected["outputs"]
    said = json.loads(installed.tflm("doctor", "--json", **nowhere))["parts"][0]
    assert (said["name"], said["cure"]) == ("C compiler", None)
    assert "wasmtime" in said["found"]


def tflm(*arguments):
    """Run the command of the clone."""
    command = [sys.executable, "-m", "tflm_host", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_prepare_writes_what_the_clone_writes(installed, tmp_path):
    prepared = tmp_path / "prepared.tflite"
    installed.tflm("prepare", DIGITS, "--target", "RPI_PICO", "-o", prepared)
    assert prepared.read_bytes() == prepare(DIGITS.read_bytes(), "armv6m", flash_cache=RP2_CACHE)


def test_extras_are_named_where_they_are_missing(installed, tmp_path):
    problem = tmp_path / "problem.csv"
    problem.write_text(HARD_PLAN)
    plan = "plan", problem, "-o", tmp_path / "solved.csv"
    assert "pip install ortools" in installed.tflm(*plan, status=1)
    assert "pip install tflite-micro" in installed.tflm("verify", DIGITS, status=1)
    extras = {"PYTHONPATH": str(EVERYTHING)}
    assert "height 13, none is lower" in installed.tflm(*plan, **extras)
    assert "5 inferences equal" in installed.tflm("verify", DIGITS, **extras)


def test_commands_for_emulated_boards_send_to_the_clone(installed):
    for target in ("unix", "MPS2_AN386", "RPI_PICO"):
        for command in ("run", "bench"):
            reason = installed.tflm(command, DIGITS, "--target", target, status=1)
            assert f"{target} is built in a clone of tflm" in reason.replace("\n", " ")


def test_certificates_are_checked_and_device_tests_are_there(installed, no_compiler):
    certificate = next((ROOT / "boards" / "certified").glob("*.json"))
    said = installed.tflm("certify", "--check", certificate, **no_compiler)
    assert "unchanged, and a success" in said
    folders = installed.packages / "tflm_host" / "tests_data", ROOT / "tests_device"
    there, ours = ({p.name: p.read_bytes() for p in folder.glob("*.py")} for folder in folders)
    assert there == ours
    reason = installed.tflm("certify", "--target", "unix", status=1, **no_compiler)
    assert "unix is built in a clone of tflm" in reason.replace("\n", " ")


# Who runs this certifies with two of the wheel's device tests: test_mpremote_run.py runs all of
# them over this board's serial port, and the wheel's are the same files. A smaller model takes the
# place of the large one, which the line would carry for most of a minute: test_certify.py runs
# that one, and the wheel makes it where it checks a certificate.
CERTIFY = """
from tflm_host.__main__ import main
from tflm_host.certify import models, scripts
smaller = models.small()[1]
models.large = lambda: smaller
few = [path for path in scripts.scripts() if path.name in ("test_cast.py", "test_circular.py")]
scripts.scripts = lambda: few
main()
"""


@pytest.mark.long
@pytest.mark.firmware
def test_board_at_a_port_is_certified_by_the_wheel(installed, no_compiler):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build("MPS2_AN386")
    file = installed.folder / "mine.json"
    with Emulator(load_board("MPS2_AN386"), pty=True) as emulator:
        options = "--port", emulator.port, "-o", file, "--soak", 1, "--runs", 1
        installed.python_runs(CERTIFY, "certify", *options, **no_compiler)
    assert "a success" in installed.tflm("certify", "--check", file, **no_compiler)
    names = [script["name"] for script in json.loads(file.read_text())["scripts"]]
    assert names == ["test_cast.py", "test_circular.py", "test_interpreter.py after a reset"]


def test_gallery_is_in_the_wheel(installed):
    models = json.loads(installed.tflm("get", "--json"))["models"]
    assert [model["name"] for model in models] == list(gallery.entries())


# Who runs this lists what the wheel's help says: {command: text}, and parses each example.
HELP = """
import json, shlex
from click.testing import CliRunner
from tflm_host.__main__ import COMMANDS, main
from tflm_host.cli.examples import examples_of
texts = {"": CliRunner().invoke(main, ["--help"]).output}
for name in COMMANDS:
    texts[name] = CliRunner().invoke(main, [name, "--help"]).output
    for _, line in examples_of(name):
        words = shlex.split(line)
        assert words[0] == "tflm" and line in texts[name], line
        main.get_command(None, words[1]).make_context(words[1], words[2:])
    assert examples_of(name), name
print(json.dumps(texts))
"""
CLONES = re.compile(r"emulated|\bmake [a-z]|MPS2_AN|--mic|\bunix\b|tflm-host\[|In a clone")


def test_help_of_the_wheel_has_only_what_it_can_do(installed):
    texts = json.loads(call(installed.python, "-I", "-c", HELP))
    assert len(texts) > 20
    said = {name: CLONES.findall(text) for name, text in texts.items()}
    assert not any(said.values()), said


PORT = "/dev/no-such-port"
# What advises something, or did, and the exit status.
ADVISING = [
    (["run", SINE], 1),
    (["run", SINE, "--input", "picture.png"], 1),
    (["run", SINE, "--target", "MPS2_AN386"], 1),
    (["run", SINE, "--target", "MPS2_AN368"], 2),
    (["run", SINE, "--target", PORT], 1),
    (["bench", SINE, "--target", "RPI_PICO"], 1),
    (["accuracy", SINE, "--input", "folder"], 1),
    (["verify", SINE], 1),
    (["compare", SINE, SINE], 1),
    (["prepare", SINE, "-o", "out.tflite"], 1),
    (["plan", "problem.csv", "-o", "out.csv"], 1),
    (["arena", SINE], 0),
    (["arena", "floats.tflite", "--board", "NUCLEO_F446RE"], 1),
    (["inspect", "floats.tflite"], 0),
    (["new", "gate", "--board", "NUCLEO_F446RE", "--model", "floats.tflite"], 1),
    (["new", "blinky", "--board", "RPI_PICO"], 0),
    (["deploy", SINE, "--port", "RPI_PICO"], 1),
    (["deploy", SINE, "--port", PORT], 1),
    (["deploy", SINE, "--port", "unix"], 2),
    (["repl", "RPI_PICO"], 1),
    (["repl", PORT, SINE], 2),
    (["record", "--port", "RPI_PICO", "-o", "yes"], 1),
    (["flash"], 2),
    (["flash", "--board", "RPI_PICO"], 1),
    (["flash", SINE], 1),
    (["get", "nothing"], 1),
    (["doctor"], 0),
    (["doctor", "--port", PORT], 1),
]
SENTENCE = re.compile(r"(?<=[.;:])\s+|\n+")


def floats():
    """Return a model of float32, whose kernels a Nucleo's firmware lacks."""
    b = ModelBuilder()
    x, y = (b.tensor([1, 8], "FLOAT32") for _ in range(2))
    b.op("RELU", [x], [y])
    return b.build([x], [y])


@pytest.fixture(scope="module")
def advice(installed):
    """All that these commands print in an environment with nothing else, with their sentences."""
    folder = installed.folder / "empty"
    (folder / "problem.csv").write_text(HARD_PLAN)
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "floats.tflite").write_bytes(floats())
    (folder / "folder").mkdir()
    variables = {"PATH": str(installed.python.parent), "COLUMNS": "400"}
    variables["TFLM_CACHE"] = str(installed.folder / "none")
    printed = {}
    for arguments, status in ADVISING:
        done = installed.run(*arguments, **variables)
        assert done.returncode == status, (arguments, done.stdout, done.stderr)
        printed[" ".join(map(str, arguments))] = done.stdout + done.stderr
    return printed


def test_messages_of_the_wheel_advise_no_clone(advice):
    for command, text in advice.items():
        for sentence in SENTENCE.split(text):
            found = re.search(r"\bmake [a-z]+|tflm repl MPS2|\bemulated boards|host\[", sentence)
            assert not found, (command, sentence)


def test_what_messages_advise_can_be_run(installed, advice):
    texts = "\n".join(advice.values())
    commands = set(re.findall(r"`(tflm [^`]+)`", texts))
    assert "tflm doctor" in commands
    for command in commands:
        words = command.split()[1:]
        is_whole = words == ["doctor"] or (len(words) > 1 and "PORT" not in words)
        assert installed.run(*words, *([] if is_whole else ["--help"])).returncode == 0, command
    packages = {
        name for text in advice.values() for name in re.findall(r"pip install ([\w-]+)", text)
    }
    assert {"ortools", "tflite-micro", "wasmtime"} <= packages
    assert all(distribution(name) for name in packages)  # each is one of a registry's
