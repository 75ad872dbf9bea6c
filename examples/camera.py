"""Tell how bright the frames of a camera at a Pico are, and whether somebody is in them.

    mpremote run examples/camera.py                    wires as in docs/pico-camera.md
    tflm repl RPI_PICO models/person_detect.tflite --camera me.png < examples/camera.py
                                                       an emulated Pico, in a clone

Without person_detect.tflite, a model of the project tflite-micro, it tells the brightness only.
"""

import os

from machine import I2C, Pin

import tflm
from tflm.camera import DvpCamera
from tflm.image import Fit

FOLDERS = ("", "/rom/")
MODEL = "person_detect.tflite"
# 160x120 pixels of RGB565. Values as in LiveOV7670, CameraOV7670RegistersQQVGA.cpp, and in the
# OV7670's datasheet. They have not been tried on a real camera here.
OV7670 = (
    (0x12, 0x80),  # COM7: reset
    (0x12, 0x04),  # COM7: RGB
    (0x40, 0xD0),  # COM15: RGB565, values from 0 to 255
    (0x8C, 0x00),  # RGB444: off
    (0x0C, 0x04),  # COM3: scale
    (0x3E, 0x1A),  # COM14: the pixel clock by 4
    (0x72, 0x22),  # SCALING_DCWCTR: a quarter of rows and columns
    (0x73, 0xF2),  # SCALING_PCLK_DIV: by 4
    (0x17, 0x16),  # HSTART
    (0x18, 0x04),  # HSTOP
    (0x32, 0xA4),  # HREF: lower bits of both
    (0x19, 0x02),  # VSTART
    (0x1A, 0x7A),  # VSTOP
    (0x03, 0x0A),  # VREF: lower bits of both
)


def brightness(frame: bytearray) -> int:
    """Return the mean of green, 0 to 63, in a frame of RGB565 with the high byte first."""
    total = 0
    for i in range(0, len(frame), 2):
        total += (frame[i] & 7) << 3 | frame[i + 1] >> 5
    return total * 2 // len(frame)


def interpreter() -> "tflm.Interpreter | None":
    """Return an Interpreter of MODEL; None where there is none."""
    for folder in FOLDERS:
        try:
            os.stat(folder + MODEL)
            return tflm.Interpreter(folder + MODEL)
        except OSError:
            pass
    print("no", MODEL)
    return None


wires = I2C(0, sda=Pin(20), scl=Pin(21), freq=100_000)
camera = DvpCamera(data=2, pclk=10, href=11, vsync=12, xclk=13, i2c=wires, registers=OV7670)
print(camera.check())
frame = bytearray(camera.nbytes)
look = interpreter()
fit = Fit(look, camera.width, camera.height, "rgb565") if look else None
for _ in range(4):
    camera.readinto(frame)
    print("brightness", brightness(frame))
    if look and fit:
        fit(frame)
        look.invoke()
        print(("nobody", "somebody")[look.outputs[0].argmax()], bytes(look.outputs[0].data))
camera.close()
