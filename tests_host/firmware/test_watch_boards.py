"""`tflm watch` on boards: frames that are sent by rows, and frames of a board's own camera."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from support.device.rp2040js import require_rp2040js
from support.nets import pictures
from tflm_host.__main__ import main
from tflm_host.model.pictures import png
from tflm_host.places import ROOT
from tflm_host.targets.pictures import rgb565

pytestmark = pytest.mark.firmware

BOARD = "MPS2_AN386"
DRIVER = """
shape = 32, 48, 3
rows = 16
def readinto(frame):
    global rows
    for i in range(0, len(frame), 3):
        is_green = 16 <= i // 3 % 48 < 32 and i // 144 < rows
        frame[i] = 0 if is_green else 255
        frame[i + 1] = 255 if is_green else 0
    rows = 0
def close():
    print("closed")
"""
DVP = """
from tflm.camera import DvpCamera
camera = DvpCamera(data=2, pclk=10, href=11, vsync=12, xclk=13)
readinto, close = camera.readinto, camera.close
"""
TIMES = "fit_microseconds", "run_microseconds"


def tflm(*arguments, status=0):
    done = CliRunner().invoke(main, ["watch", *map(str, arguments)])
    assert done.exit_code == status, done.output
    return done


def seen(page, *arguments):
    """Return what is printed, without times, and the frames and inputs of the page."""
    done = tflm(*arguments, "--json", "--html", page)
    facts = json.loads(done.stdout)
    for frame in facts["frames"]:
        for name in TIMES:
            assert frame.pop(name) >= 0
    return facts, re.findall(r"base64,([^\"]+)", page.read_text())


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "means.tflite"
    path.write_bytes(pictures.means())
    return path


@pytest.mark.parametrize("board", ["unix", BOARD])
def test_frames_become_the_same_input_and_things_on_a_board(model, tmp_path, board):
    (tmp_path / "raw").write_bytes(b"".join(map(rgb565, pictures.frames())))
    asked = model, tmp_path / "raw", "--size", "48x32", "--fit", "letterbox"
    here = seen(tmp_path / "here.html", *asked)
    there = seen(tmp_path / "there.html", *asked, "--port", board)
    assert there[0].pop("target") == board
    assert here[0].pop("target") == "host"
    assert there == here
    assert len(here[1]) == 4
    assert [frame["things"][0]["label"] for frame in here[0]["frames"]] == ["0", "1"]


def test_pictures_of_several_sizes_are_sent(model, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for i, whole in enumerate(pictures.frames()):
        pixels = whole[: 32 - 16 * i]
        height, width, _ = pixels.shape
        (folder / f"{i}.ppm").write_bytes(b"P6 %d %d 255\n" % (width, height) + pixels.tobytes())
    here = seen(tmp_path / "here.html", model, folder)
    there = seen(tmp_path / "there.html", model, folder, "--port", "unix")
    assert there[0]["frames"] == here[0]["frames"]
    assert there[1] == here[1]


def test_boards_camera_is_watched(model, tmp_path):
    (tmp_path / "cam.py").write_text(DRIVER)
    asked = model, "--port", "unix", "--driver", tmp_path / "cam.py", "--count", 2
    facts, images = seen(tmp_path / "page.html", *asked, "--fit", "squash")
    assert [len(frame["things"]) for frame in facts["frames"]] == [1, 0]
    (thing,) = facts["frames"][0]["things"]
    assert [thing[key] for key in ("x", "y", "width", "height")] == [16, 0, 16, 16]
    assert images[0] != images[2]
    with open(tmp_path / "cam.py", "a") as file:
        file.write("del shape\n")
    sized = "--size", "48x32", "--format", "rgb888", "--fit", "squash"
    assert seen(tmp_path / "sized.html", *asked, *sized) == (facts, images)


@pytest.mark.parametrize(
    ("driver", "said"),
    [
        ("shape = 8, 8\n", "the driver has no readinto"),
        ("def readinto(frame): pass\n", "has no shape of 1 or 3 channels. --size and --format"),
        ("shape = 8, 8, 2\ndef readinto(frame): pass\n", "has no shape of 1 or 3 channels"),
        ("shape = 8, 8\ndef readinto(frame): 1 / 0\n", "ZeroDivisionError"),
        ("shape = 8, 8\ndef readinto(frame): raise OSError('no lens')\n", "no lens"),
        ("shape = 9000, 9000\ndef readinto(frame): pass\n", "1 to 4095 expected"),
        ("import nothing_there\n", "nothing_there"),
    ],
)
def test_driver_that_is_wrong_is_named(model, tmp_path, driver, said):
    (tmp_path / "cam.py").write_text(driver)
    done = tflm(model, "--port", "unix", "--driver", tmp_path / "cam.py", "--count", 1, status=1)
    assert said in done.stderr
    assert "Traceback" not in done.stdout


def test_board_without_a_driver_says_so(model):
    assert "cam" in tflm(model, "--port", "unix", "--count", 1, status=1).stderr


def test_ctrl_c_ends_the_camera_and_the_page_is_written(model, tmp_path):
    (tmp_path / "cam.py").write_text(DRIVER)
    page = tmp_path / "page.html"
    asked = "--port", BOARD, "--driver", tmp_path / "cam.py", "--html", page
    command = [sys.executable, "-m", "tflm_host", "watch", str(model), *map(str, asked)]
    paths = f"{ROOT / 'host_tools'}:{ROOT / 'mp_modules'}"
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        frames = (line for line in process.stdout if line.startswith("cam.py, "))
        assert [next(frames) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        count = 2 + sum(1 for _ in frames)
    assert process.returncode == 0
    assert page.read_text().count("<section>") == count


@pytest.mark.long
def test_picos_camera_is_watched(model, tmp_path):
    require_rp2040js()
    (tmp_path / "cam.py").write_text(DVP)
    (tmp_path / "a.png").write_bytes(png(pictures.frames()[0]))
    camera = "--driver", tmp_path / "cam.py", "--camera", tmp_path / "a.png"
    sized = "--size", "160x120", "--format", "rgb565", "--fit", "squash"
    asked = model, "--port", "RPI_PICO", "--count", 1
    facts, images = seen(tmp_path / "page.html", *asked, *camera, *sized)
    (frame,) = facts["frames"]
    assert [thing["label"] for thing in frame["things"]] == ["0"]
    assert len(images) == 2
