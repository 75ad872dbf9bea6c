"""Runs on the board for `tflm record --source imu` or cam: prints what a driver reads.

The host sends this file, then calls its functions. What they say is one line of JSON behind MARK.
A driver is a dict of names, from a module of the board or from a file that the host sent.
"""

import gc
import json
from array import array
from binascii import b2a_base64
from time import sleep_us, ticks_add, ticks_diff, ticks_us

MARK = "tflm:"
CHUNK = 768  # bytes a line
driver = {}


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


def begin(name, text, needed):
    """Take the driver *text*, or without one the board's module *name*; it has the *needed*."""
    if text:
        exec(text, driver)
    else:
        module = __import__(name)
        driver.update({key: getattr(module, key) for key in dir(module)})
    for key in needed:
        if key not in driver:
            raise ValueError(f"the driver has no {key}: docs/motion.md shows one")


def numbers(sample):
    return (sample,) if isinstance(sample, (int, float)) else sample


def record(count, rate):
    """Call read() *count* times, *rate* times a second; say the numbers, then how many were late.

    A sample is late that begins a whole period after its time; the next one is not hurried.
    """
    read = driver["read"]
    width = len(numbers(read()))
    gc.collect()
    try:
        values = array("f", bytes(4 * count * width))
    except MemoryError:
        need = 4 * count * width
        raise ValueError(f"{need} bytes of samples, {gc.mem_free()} of heap are free") from None
    late, at, period = 0, 0, int(1000000 / rate)
    start = due = ticks_us()
    for _ in range(count):
        wait = ticks_diff(due, ticks_us())
        if wait > 0:
            sleep_us(wait)
        elif wait <= -period:
            late += 1
            due = ticks_us()
        for value in numbers(read()):
            values[at] = value
            at += 1
        due = ticks_add(due, period)
    elapsed = ticks_diff(ticks_us(), start)
    emit("shape", [count, width])
    send(memoryview(bytes(values)))
    emit("late", [late, elapsed])


def take():
    """Fill a picture by readinto(); say its height, width and channels, and its bytes."""
    shape = list(driver["shape"]) + [1]
    height, width, channels = shape[:3]
    gc.collect()
    need = height * width * channels
    try:
        frame = bytearray(need)
    except MemoryError:
        raise ValueError(f"{need} bytes of picture, {gc.mem_free()} of heap are free") from None
    driver["readinto"](frame)
    emit("shape", [height, width, channels])
    send(memoryview(frame))


def send(data):
    for i in range(0, len(data), CHUNK):
        emit("data", b2a_base64(data[i : i + CHUNK]).decode().strip())


def attempt(function, *args):
    """Call *function*; report what it raises."""
    try:
        function(*args)
    except (ImportError, ValueError, MemoryError, OSError) as error:
        emit("error", [type(error).__name__, str(error)])
