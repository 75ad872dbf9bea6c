"""`tflm record --source imu` and cam: what a driver on a board reads becomes labelled files."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from tflm_host.__main__ import main
from tools.test_json_keys import undocumented

TARGETS = ("unix", "RPI_PICO", "MPS2_AN386")
# A driver as a user writes it: it counts its calls, with a pause where one is asked for.
IMU = """
from time import sleep_ms
calls = 0
def read():
    global calls
    calls += 1
    sleep_ms({pause})
    return calls / 10, -9.81, calls % 2
"""
CAM = """
shape = {shape}
def readinto(buffer):
    for i in range(len(buffer)):
        buffer[i] = (7 * i) & 255
"""


def record(target, folder, *more):
    options = ["--port", target, "--pause", "0", "-o", str(folder), *map(str, more)]
    return CliRunner().invoke(main, ["record", *options])


@pytest.fixture
def driver(tmp_path):
    def write(text, **values):
        (tmp_path / "driver.py").write_text(text.format(**values))
        return tmp_path / "driver.py"

    return write


@pytest.mark.parametrize("target", TARGETS)
def test_samples_of_a_driver_are_written_as_tables(target, tmp_path, driver):
    path = driver(IMU, pause=0)
    options = ["--source", "imu", "--driver", path, "--seconds", 0.4, "--count", 2, "--json"]
    done = record(target, tmp_path / "wave", *options)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert undocumented("record", answer) == (set(), set())
    assert (answer["rate"], [file["samples"] for file in answer["files"]]) == (50, [20, 20])
    calls = 1
    for name in ("wave-001.csv", "wave-002.csv"):
        rows = [line.split(",") for line in (tmp_path / "wave" / name).read_text().splitlines()]
        calls += 1  # one call asks how many numbers a sample has
        for row in rows:
            assert row == [str(np.float32(calls / 10)), "-9.81", str(np.float32(calls % 2))]
            calls += 1
    more = record(target, tmp_path / "wave", *options)
    assert json.loads(more.stdout)["files"][0]["file"].endswith("wave-003.csv")


def test_a_driver_that_is_too_slow_is_said_with_its_rate(tmp_path, driver):
    options = ["--source", "imu", "--driver", driver(IMU, pause=10), "--rate", 1000]
    done = record("unix", tmp_path / "slow", *options, "--seconds", 0.05, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["files"][0]["lost"] >= 45
    assert "samples were late: the driver gave " in done.stderr


def test_a_sensor_that_never_changes_is_a_warning(tmp_path, driver):
    path = driver("def read():\n    return 1, 2, 3\n")
    options = ["--source", "imu", "--driver", path, "--seconds", 0.1]
    done = record("unix", tmp_path / "still", *options)
    assert (done.exit_code, "all samples are equal" in done.stderr) == (0, True)


@pytest.mark.parametrize(("shape", "mode"), [((6, 8), "L"), ((5, 4, 3), "RGB")])
def test_pictures_of_a_driver_are_png_files(shape, mode, tmp_path, driver):
    path = driver(CAM, shape=shape)
    done = record("MPS2_AN386", tmp_path / "cat", "--source", "cam", "--driver", path)
    assert done.exit_code == 0, done.output
    with Image.open(tmp_path / "cat" / "cat-001.png") as image:
        pixels = np.asarray(image)
        assert (image.mode, pixels.shape) == (mode, shape)
    assert pixels.ravel().tolist() == [7 * i & 255 for i in range(pixels.size)]


@pytest.mark.parametrize(
    ("options", "text", "wanted"),
    [
        (("imu",), None, "no module named 'imu'"),
        (("imu",), "x = 1\n", "the driver has no read"),
        (("cam",), "def readinto(buffer): pass\n", "the driver has no shape"),
        (("imu",), "def read():\n    raise OSError(19)\n", "ENODEV"),
        (("imu",), "def read():\n    return {}[5]\n", "KeyError: 5"),
        (("imu", "--seconds", "60", "--rate", "4000"), IMU.format(pause=0), "of heap are free"),
    ],
)
def test_drivers_that_do_not_work_are_named(options, text, wanted, tmp_path, driver):
    more = ("--driver", driver(text.replace("{", "{{").replace("}", "}}"))) if text else ()
    done = record("MPS2_AN386", tmp_path / "yes", "--source", *options, *more)
    assert (done.exit_code, wanted in done.stderr) == (1, True), done.output
    assert not list(tmp_path.rglob("*.csv"))


@pytest.mark.parametrize(
    "options", [("imu", "--adc", "26"), ("mic", "--rate", "5"), ("mic", "--driver", "x.py")]
)
def test_options_of_another_source_are_wrong_usage(options, tmp_path):
    done = record("unix", tmp_path / "yes", "--source", *options)
    assert (done.exit_code, "is an option of --source" in done.stderr) == (2, True)
