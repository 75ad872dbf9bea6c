"""Ask a server for a newer model, and take it: a board on Wi-Fi, or the unix port.

on the PC    sha256sum wake.tflite > wake.tflite.sha256; python3 -m http.server 8000
board        mpremote cp tflm_update.py update_over_wifi.py :, connect to Wi-Fi, then
             from update_over_wifi import update
             update(slots, "http://192.168.1.2:8000/wake.tflite")

It needs 1 KB of heap. HTTP hides nothing, and a checksum from the same server proves nothing about
who made the model: use a network that you trust.
"""

import socket

try:
    from collections.abc import Iterator
except ImportError:  # MicroPython has no annotations to evaluate
    pass

PART = 512  # bytes that are read at a time
SECONDS = 20  # that the server may take


class Reply:
    """The body of a reply; *size* bytes follow."""

    def __init__(self, url: str) -> None:
        if not url.startswith("http://"):
            raise ValueError("%s: http:// expected" % url)
        host, _, path = url[7:].partition("/")
        name, _, port = host.partition(":")
        place = socket.getaddrinfo(name, int(port or 80), 0, socket.SOCK_STREAM)[0]
        self._socket = socket.socket(place[0], place[1], place[2])
        try:
            self._socket.settimeout(SECONDS)
            self._socket.connect(place[-1])
            request = "GET /%s HTTP/1.0\r\nHost: %s\r\n\r\n" % (path, host)
            self._socket.send(request.encode())
            self.size = self._head(url)
        except Exception:
            self._socket.close()
            raise

    def _head(self, url: str) -> int:
        """Read up to the empty line; return the length of what follows."""
        words = self._line().split()
        if len(words) < 2 or words[1] != b"200":
            raise OSError("%s: the server says %s" % (url, b" ".join(words[1:]).decode()))
        size = -1
        line = self._line()
        while line:
            key, _, value = line.partition(b":")
            if key.lower() == b"content-length":
                size = int(value)
            line = self._line()
        if size < 0:
            raise OSError("%s: the server does not say how long it is" % url)
        return size

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            byte = self._socket.recv(1)
            if not byte or len(line) > PART:
                raise OSError("no HTTP reply")
            line += byte
        return line.strip()

    def parts(self) -> "Iterator[bytes]":
        """Yield the body in parts. Raises OSError if the connection ends too early."""
        left = self.size
        try:
            while left:
                part = self._socket.recv(min(PART, left))
                if not part:
                    raise OSError("the connection ended %d bytes too early" % left)
                left -= len(part)
                yield part
        finally:
            self._socket.close()


def update(slots, url: str, check=None) -> bool:  # type: ignore[no-untyped-def]
    """Take the model at *url* into *slots* if it is another one; return whether it was.

    slots  a tflm_update.Slots;  check  as of its commit()
    The server has the checksum at url.sha256, as sha256sum writes it. Raises OSError where the
    network fails, ValueError where the model is wrong. The model in use then stays.
    """
    checksum = b"".join(Reply(url + ".sha256").parts())[:64].decode()
    if checksum == slots.checksum:
        return False
    reply = Reply(url)
    slots.begin(reply.size, checksum)
    try:
        for part in reply.parts():
            slots.write(part)
        slots.commit(check)
    finally:
        slots.abort()
    return True
