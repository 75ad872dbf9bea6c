"""Help, wrong names and completion, as a new user meets them."""

import os
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import COMMANDS, GROUPS, main
from tflm_host.cli import completion as module
from tflm_host.cli.examples import EXAMPLES
from tflm_host.targets.build import TargetError, program_path


@pytest.fixture
def tflm():
    return lambda *arguments: CliRunner().invoke(main, [str(each) for each in arguments])


def test_help_has_groups_and_every_command_once(tflm):
    printed = tflm("--help").stdout
    places = [printed.index(f"{title}:") for title in GROUPS]
    assert places == sorted(places)
    assert all(printed.count(f"\n  {name} ") == 1 for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_command_has_examples(tflm, name):
    printed = tflm(name, "--help").stdout
    assert len(EXAMPLES[name]) > 1
    assert all(f"  {command}  " in printed for _, command in EXAMPLES[name]), printed


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for _, line in lines])
def test_example_is_a_command_that_parses(line):
    """It is parsed, not run: boards and files are the user's."""
    words = shlex.split(line)
    if words[0] == "make":
        words = shlex.split(words[-1].partition("$(")[2].rstrip(")"))
    assert words[0] == "tflm"
    command = main.get_command(None, words[1])
    context = command.make_context(words[1], words[2:])
    assert not context.args


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rum"], "No such command 'rum'. Did you mean run?"),
        (["arenas", "x.tflite"], "No such command 'arenas'. Did you mean arena?"),
        (["zzz"], "No such command 'zzz'.\n"),
        (
            ["arena", "x.tflite", "--board", "RPI_PIC"],
            "no board is called 'RPI_PIC'. Did",
        ),
        (["arena", "x.tflite", "--bord", "RPI_PICO"], "No such option: --bord"),
        (["new", "x", "--board", "NUCLEO_F446"], "Did you mean NUCLEO_F446RE?"),
        (["flash", "--board", "PICO2"], "Did you mean RPI_PICO2?"),
    ],
)
def test_mistyped_names_get_the_nearest(tflm, arguments, said):
    result = tflm(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_boards_may_be_typed_in_small_letters(tflm):
    result = tflm("arena", "models/sine.tflite", "--board", "rpi_pico", "--json")
    assert result.exit_code == 0, result.stderr
    assert '"RPI_PICO"' in result.stdout


def test_mistyped_target_gets_the_nearest():
    with pytest.raises(TargetError, match="'MPS2_AN368'. Did you mean MPS2_AN386\\?"):
        program_path("MPS2_AN368")


@pytest.mark.parametrize("shell", module.PLACES)
def test_completion_is_printed_and_installed_once_asked(tflm, monkeypatch, tmp_path, shell):
    monkeypatch.setenv("HOME", str(tmp_path))
    printed = tflm("completion", shell).stdout
    assert "_TFLM_COMPLETE" in printed
    assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        assert tflm("completion", shell, "--install").exit_code == 0
        assert (tmp_path / module.PLACES[shell]).read_text() == printed.removesuffix("\n")
    (tmp_path / module.PLACES[shell]).write_text("another's")
    refused = tflm("completion", shell, "--install")
    assert refused.exit_code == 1
    assert (tmp_path / module.PLACES[shell]).read_text() == "another's"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("tflm are", ["arena"]),
        ("tflm arena x --board RPI_PICO2", ["RPI_PICO2", "RPI_PICO2_RISCV"]),
        ("tflm run x --target MPS2_AN38", ["MPS2_AN385", "MPS2_AN386"]),
        ("tflm deploy x --port MICRO", ["MICROBIT"]),
    ],
)
def test_shell_completes(typed, expected):
    """As bash asks: the words so far, and the number of the last one."""
    asked = {"_TFLM_COMPLETE": "bash_complete", "COMP_WORDS": typed}
    environment = {**os.environ, **asked, "COMP_CWORD": str(len(typed.split()) - 1)}
    code = "from tflm_host.__main__ import main; main(prog_name='tflm')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert [line.partition(",")[2] for line in done.stdout.split()] == expected
