"""Byte streams to a running MicroPython: a socket, a serial port or the pipes of a process.

Each has write(data), read(seconds) -> bytes and close(). The method read() waits at most *seconds*
for bytes and returns b"" if none came. EOFError says that the other side is gone.
"""

import errno
import os
import select

import serial

CHUNK = 65536
DENIED = "Access is denied"  # on Windows, where another program has the port
BUSY = (
    "another program has this port open: close it, perhaps Thonny or a terminal. On Linux"
    " ModemManager lets go of a new port after half a minute"
)


class SocketLink:
    def __init__(self, socket):
        self._socket = socket

    def write(self, data):
        self._socket.sendall(data)

    def read(self, seconds):
        if not select.select([self._socket], [], [], seconds)[0]:
            return b""
        try:
            data = self._socket.recv(CHUNK)
        except ConnectionError:
            data = b""
        if not data:
            raise EOFError
        return data

    def close(self):
        self._socket.close()


class SerialLink:
    """A serial port. OSError says why it does not open, with the cure where one is known."""

    def __init__(self, port):
        try:
            self._serial = serial.serial_for_url(port, baudrate=115200, timeout=0, exclusive=True)
        except OSError as error:
            raise OSError(_why_closed(error)) from None

    def write(self, data):
        self._serial.write(data)

    def read(self, seconds):
        self._serial.timeout = seconds
        try:
            return self._serial.read(max(1, self._serial.in_waiting))
        except serial.SerialException:
            raise EOFError from None

    def close(self):
        self._serial.close()


def _why_closed(error):
    why = os.strerror(error.errno) if error.errno else str(error)
    if error.errno == errno.EACCES:
        return f"{why}. On Linux: sudo usermod -a -G dialout $USER, then log out and in again"
    if error.errno in (errno.EAGAIN, errno.EBUSY) or DENIED in why:
        return BUSY
    return f"{why}; `tflm doctor` lists the ports"


class PipeLink:
    def __init__(self, process):
        self._process = process

    def write(self, data):
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def read(self, seconds):
        stream = self._process.stdout.fileno()
        if not select.select([stream], [], [], seconds)[0]:
            return b""
        data = os.read(stream, CHUNK)
        if not data:
            raise EOFError
        return data

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
