"""Wrong uses of the command, and the whole text that each prints with its exit status.

2 is wrong usage: the line cannot be understood. 1 is a bad file, board or input.
"""

import errno
import os

import pytest
import serial
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.targets import links
from tflm_host.targets.boards import UNIX_TARGETS, all_board_names, rp2_board_names

SINE = "models/sine.tflite"
ALL = ", ".join(all_board_names())
PICOS = ", ".join(rp2_board_names())
TARGETS = ", ".join((*UNIX_TARGETS, *all_board_names()))
USAGE = """Usage: tflm {0}
Try 'tflm{1} -h' for help.

"""
COMMAND = USAGE.format("[OPTIONS] COMMAND [ARGS]...", "")


def of(command, arguments):
    """Return the lines that click prints before an error in the usage of *command*."""
    return USAGE.format(f"{command} [OPTIONS]{arguments}", f" {command}")


RUN, DEPLOY = of("run", " MODEL"), of("deploy", " MODELS...")
USES = [
    ("rum x.tflite", 2, f"{COMMAND}Error: No such command 'rum'. Did you mean run?\n"),
    ("frobnicate", 2, f"{COMMAND}Error: No such command 'frobnicate'.\n"),
    ("run", 2, f"{RUN}Error: Missing argument 'MODEL'.\n"),
    ("run x.tflite", 1, "Error: x.tflite: No such file or directory\n"),
    ("run models", 1, "Error: models: a folder, and one .tflite file is needed\n"),
    (
        f"run {SINE} --target MPS2_AN368",
        2,
        "Error: no target is called 'MPS2_AN368'. Did you mean MPS2_AN386? There are"
        f" {TARGETS}, and serial ports\n",
    ),
    (
        f"run {SINE} --target /dev/ttyNONE",
        1,
        "Error: /dev/ttyNONE: No such file or directory; `tflm doctor` lists the ports\n",
    ),
    (f"run {SINE} --input cat.png", 1, "Error: cat.png: no such file\n"),
    (
        f"arena {SINE} --board RPI_PIC",
        2,
        f"{of('arena', ' MODEL...')}Error: Invalid value for '--board': no board is called"
        f" 'RPI_PIC'. Did you mean RPI_PICO? There are {ALL}.\n",
    ),
    ("arena README.md", 1, "Error: README.md: not a .tflite file: bytes 4..7 must be b'TFL3'\n"),
    (
        f"bench {SINE} --backend gpu",
        2,
        f"{of('bench', ' MODEL')}Error: Invalid value for '--backend': 'gpu' is not one of 'c',"
        " 'viper'.\n",
    ),
    (f"deploy {SINE}", 2, f"{DEPLOY}Error: Missing option '--port'.\n"),
    (
        f"deploy {SINE} --port unix",
        2,
        f"{DEPLOY}Error: unix opens the files of this machine: nothing to deploy\n",
    ),
    (
        f"prepare {SINE} -o out.tflite --target RPI_PICO3",
        2,
        "Error: no target and no kernels are called RPI_PICO3. Did you mean RPI_PICO?\n",
    ),
    (
        f"resize {SINE} -o out.tflite --input xx=1x2",
        1,
        "Error: input xx: not one of 0, x. Did you mean x?\n",
    ),
    (
        f"resize {SINE} -o out.tflite --input 0=axb",
        1,
        "Error: shape axb: numbers expected, such as 1x64x64x1\n",
    ),
    (
        f"split {SINE} -o out.tflite --after 99",
        2,
        f"{of('split', ' MODEL')}Error: no nodes lie after 99: the last of {SINE} is 2\n",
    ),
    ("new x", 2, f"{of('new', ' PROJECT')}Error: Missing option '--board'. There are {ALL}.\n"),
    ("flash", 2, f"{of('flash', ' [FILE]')}Error: name FILE or --board\n"),
    (
        "flash --board PICO2",
        2,
        f"{of('flash', ' [FILE]')}Error: Invalid value for '--board': no board is called 'PICO2'."
        f" Did you mean RPI_PICO2? There are {PICOS}.\n",
    ),
    ("flash README.md", 1, "Error: README.md is no UF2 file\n"),
    (
        "repl RPI_PICO2",
        1,
        "Error: nothing emulates RPI_PICO2: name the serial port of a real one\n",
    ),
    (
        "listen x.json",
        2,
        f"{of('listen', ' MODELS...')}Error: --wav FILE or --port BOARD says where the sound"
        " comes from\n",
    ),
    (
        f"accuracy {SINE} --input docs",
        1,
        "Error: docs: no file in it ends in one of .png, .jpg, .jpeg, .bmp, .gif, .webp, .csv,"
        " .txt, .wav, .npy, .bin, .raw\n",
    ),
]


@pytest.fixture(autouse=True)
def _in_the_clone(monkeypatch):
    monkeypatch.chdir(ROOT)


def tflm(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)], prog_name="tflm")


@pytest.mark.parametrize(("typed", "status", "said"), USES, ids=[use[0] for use in USES])
def test_wrong_use_prints_what_is_wrong_and_what_to_do(typed, status, said):
    done = tflm(*typed.split())
    assert (done.exit_code, done.stderr.lstrip("\n")) == (status, said)
    assert not (ROOT / "out.tflite").exists()
    assert not (ROOT / "x").exists()


def test_there_are_twenty_and_each_status_is_among_them():
    assert len(USES) >= 20
    assert {status for _, status, _ in USES} == {1, 2}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            serial.SerialException(errno.EACCES, "could not open port"),
            "Permission denied. On Linux: sudo usermod -a -G dialout $USER, then log out and in",
        ),
        (
            serial.SerialException(errno.EAGAIN, "Could not exclusively lock port"),
            "another program has this port open: close it, perhaps Thonny or a terminal. On Linux"
            " ModemManager lets go of a new port after half a minute",
        ),
        (
            serial.SerialException(
                "could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)"
            ),
            "another program has this port open: close it",
        ),
        (serial.SerialException(errno.ENOENT, ""), "No such file or directory; `tflm doctor`"),
    ],
    ids=["denied", "busy", "busy on Windows", "missing"],
)
def test_port_that_does_not_open_says_why(monkeypatch, error, said):
    def refuse(*_, **__):
        raise error

    monkeypatch.setattr(links.serial, "serial_for_url", refuse)
    done = tflm("deploy", SINE, "--port", "COM3")
    assert done.exit_code == 1
    assert done.stderr.lstrip("\n").startswith(f"Error: COM3: {said}"), done.stderr


def test_port_that_another_has_open_is_busy():
    ours, theirs = os.openpty()
    first = links.SerialLink(os.ttyname(theirs))
    with pytest.raises(OSError, match="another program has this port open"):
        links.SerialLink(os.ttyname(theirs))
    first.close()
    os.close(ours)
    os.close(theirs)
