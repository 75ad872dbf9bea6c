"""A camera's frames on an emulated Pico: PIO reads its pins, DMA writes the frame."""

import zlib

import numpy as np
import pytest
from PIL import Image

from support.device.rp2040js import require_rp2040js
from tflm import Interpreter
from tflm.image import Fit
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target
from tflm_host.targets.pictures import frames_of, rgb565
from tflm_host.targets.repl import ExecError, TargetError

PICO = "RPI_PICO"
EXAMPLES = ROOT / "examples"
SECONDS = 300  # of this machine
WIDTH, HEIGHT = 160, 120
FRAME_MS = 33  # of the emulated camera: see camera.mjs
NEW = """
import gc
from binascii import crc32
from time import ticks_diff, ticks_us
from tflm.camera import DvpCamera
camera = DvpCamera(data=2, pclk=10, href=11, vsync=12, xclk=13)
frame = bytearray(camera.nbytes)
"""

pytestmark = pytest.mark.xdist_group("camera")


def pictures():
    drawn = np.random.default_rng(32).integers(0, 256, (3, HEIGHT, WIDTH, 3), dtype=np.uint8)
    return [rgb565(picture) for picture in drawn]


def scene():
    """Return examples/scene.pgm, 96x96 grey, as a picture of 160x120."""
    grey = Image.open(EXAMPLES / "scene.pgm").resize((WIDTH, HEIGHT))
    return np.asarray(grey.convert("RGB"))


@pytest.fixture(scope="module")
def sums():
    return [zlib.crc32(frame) for frame in pictures()]


@pytest.fixture(scope="module")
def pico():
    """An emulated Pico with a camera that sees three pictures in turn."""
    require_rp2040js()
    with open_target(PICO, camera=(b"".join(pictures()), 2 * WIDTH, HEIGHT)) as target:
        yield target


def lines(target, code):
    """Return what *code* prints on the board, after a soft reset, line by line."""
    target.repl.enter(SECONDS)  # with a soft reset
    return target.exec(NEW + code, SECONDS).splitlines()


def test_frames_follow_each_other_with_the_bytes_of_the_wire(pico, sums):
    printed = lines(pico, "for _ in range(4): print(camera.readinto(frame), crc32(frame))")
    found = [tuple(map(int, line.split())) for line in printed]
    first = sums.index(found[0][1])
    assert found == [(2 * WIDTH * HEIGHT, sums[(first + i) % 3]) for i in range(4)]


def test_frame_comes_while_the_program_goes_on(pico, sums):
    code = """
camera.start(frame)
turns = 0
while not camera.is_ready():
    turns += 1
start = ticks_us()
camera.wait()
print(turns, ticks_diff(ticks_us(), start), crc32(frame))
"""
    turns, waited, found = map(int, lines(pico, code)[0].split())
    assert turns > 100
    assert waited < 1000
    assert found in sums


def test_rows_come_one_after_the_other(pico, sums):
    code = """
times = []
total = 0
for row in camera.rows(frame):
    times.append(ticks_us())
    total = crc32(row, total)
print(len(times), ticks_diff(times[-1], times[0]), total)
"""
    rows, spent, found = map(int, lines(pico, code)[0].split())
    assert rows == HEIGHT
    assert spent > 1000 * FRAME_MS * 3 // 4  # they did not all come at the end
    assert found in sums


def test_check_counts_bytes_and_frames(pico):
    (said,) = lines(pico, "print(camera.check())")
    assert said == "38400 bytes a frame, 30.1 frames a second"


def test_check_tells_another_size(pico):
    code = "camera.close()\ncamera = DvpCamera(2, 10, 11, 12, width=320, height=240)\n"
    (said,) = lines(pico, f"{code}print(camera.check())")
    assert said.endswith("second: 320 x 240 pixels of 2 bytes are 153600")


def test_smaller_frame_is_torn_and_the_next_one_can_come(pico, sums):
    code = """
camera.close()
camera = DvpCamera(2, 10, 11, 12, height=121)
try:
    camera.readinto(bytearray(camera.nbytes))
except OSError as error:
    print(error)
print(camera.torn)
camera.close()
camera = DvpCamera(2, 10, 11, 12)
camera.readinto(frame)
print(crc32(frame))
"""
    said, torn, found = lines(pico, code)
    assert said == (
        "the frame ended after 38400 bytes, 160 x 121 pixels of 2 bytes are 38720:"
        " is the camera set to this size?"
    )
    assert torn == "1"
    assert int(found) in sums


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("camera.readinto(bytearray(100))", "ValueError: a frame of 160 x 120 pixels of 2 bytes"),
        ("camera.start(frame); camera.start(frame)", "StateError: a frame comes already"),
        ("camera.start(frame); camera.check()", "StateError: a frame comes"),
        ("camera.wait()", "StateError: no frame comes"),
        ("DvpCamera(2, 10, 11, 12, width=3, height=5)", "ValueError: a frame of 3 x 5 pixels"),
    ],
)
def test_wrong_use_is_an_error_that_says_what_is_wrong(pico, code, said):
    with pytest.raises(ExecError) as error:
        lines(pico, code)
    assert said in error.value.traceback


def test_soft_reset_frees_what_a_camera_uses(pico, sums):
    for _ in range(14):  # there are 12 channels of DMA
        printed = lines(pico, "camera.start(frame); print(1)")
    assert printed == ["1"]
    assert int(lines(pico, "camera.readinto(frame); print(crc32(frame))")[0]) in sums


def test_cameras_follow_each_other(pico, sums):
    code = """
for machine in range(8):
    for _ in range(2):
        camera.close()
        camera = DvpCamera(2, 10, 11, 12, machine=machine)
    camera.readinto(frame)
    print(crc32(frame))
"""
    assert {int(line) for line in lines(pico, code)} <= set(sums)


def test_registers_are_written(pico):
    code = """
from machine import I2C, Pin
wires = I2C(0, sda=Pin(20), scl=Pin(21), freq=100_000)
camera.close()
camera = DvpCamera(2, 10, 11, 12, i2c=wires, registers=((0x12, 0x80), (0x40, 0xD0)))
for register in 0x12, 0x40:
    wires.writeto(0x21, bytes((register,)))
    print(wires.readfrom(0x21, 1)[0])
"""
    assert lines(pico, code) == [str(0x80), str(0xD0)]


def test_example_prints_how_bright_each_picture_is(pico):
    words = [np.frombuffer(frame, ">u2") for frame in pictures()]
    means = [int((frame >> 5 & 63).sum()) // len(frame) for frame in words]
    pico.repl.enter(SECONDS)
    printed = pico.exec((EXAMPLES / "camera.py").read_text(), SECONDS).splitlines()
    assert printed[:2] == [
        "38400 bytes a frame, 30.1 frames a second",
        "no person_detect.tflite",
    ]
    del printed[:2]
    assert len(printed) == 4
    assert {int(line.removeprefix("brightness ")) for line in printed} <= set(means)


def test_example_sees_somebody_as_the_pc_does(shared):
    """A picture of person_detect's own test data, on the wire, fitted and seen by the model."""
    require_rp2040js()
    model = shared / "models" / "person_detect.tflite"
    frame = rgb565(scene())
    look = Interpreter(model)
    Fit(look, WIDTH, HEIGHT, "rgb565")(frame)
    look.invoke()
    with open_target(PICO, [model], camera=(frame, 2 * WIDTH, HEIGHT)) as target:
        printed = target.exec((EXAMPLES / "camera.py").read_text(), SECONDS).splitlines()
    seen = ("nobody", "somebody")[look.outputs[0].argmax()]
    assert printed[2::2] == [f"{seen} {bytes(look.outputs[0].data)!r}"] * 4


def test_no_camera_is_an_error_that_names_pin_and_address():
    require_rp2040js()
    code = """
from machine import I2C, Pin
wires = I2C(0, sda=Pin(20), scl=Pin(21), freq=100_000)
for function in (
    lambda: camera.readinto(frame),
    lambda: DvpCamera(2, 10, 11, 12, machine=1, i2c=wires, registers=((0x12, 0x80),)),
):
    try:
        function()
    except OSError as error:
        print(error)
"""
    with open_target(PICO) as target:
        late, absent = target.exec(NEW + code, SECONDS).splitlines()
    assert late == "no frame begins: VSYNC at GPIO 12 does not rise"
    assert absent.startswith("no camera at address 0x21 of I2C: ")


def test_pictures_are_scaled_to_the_camera(tmp_path):
    Image.new("RGB", (20, 10), (255, 130, 7)).save(tmp_path / "a.png")
    frames, row, rows = frames_of([tmp_path / "a.png"] * 2, PICO)
    assert (row, rows) == (2 * WIDTH, HEIGHT)
    assert frames == bytes((0xFC, 0x00)) * (2 * WIDTH * HEIGHT)


@pytest.mark.parametrize(
    ("target", "said"), [("MPS2_AN386", "has no emulated camera"), (PICO, "cannot identify")]
)
def test_wrong_picture_or_board_is_an_error(tmp_path, target, said):
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(TargetError, match=said):
        frames_of([tmp_path / "a.png"], target)
