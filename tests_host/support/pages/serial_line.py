"""A board's serial line over HTTP, for a web page whose serial port a test stands in for.

GET streams what the board sends, POST sends to it; both fail once the cable is pulled.
"""

import contextlib
import threading

WAIT = 0.2  # seconds in which nobody looks whether the cable was pulled


class SerialLine:
    """Leads to *link*, bytes to and from a board."""

    def __init__(self, link):
        self._link = link
        self._readers = 0
        self._lock = threading.Lock()
        self._pulled = threading.Event()
        self._pull_at = None  # bytes that begin what pulls the cable when they are written

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Pull the cable, and wait until nobody reads from the board any more."""
        self._pulled.set()
        with self._lock:
            pass

    def served(self):
        """Return the paths that a page's server answers with this line."""
        return {"/serial": self._answer, "/pull": self._pull, "/plug": self._plug}

    def _answer(self, request):
        data = b"" if request.command == "GET" else body_of(request)
        if self._pulled.is_set():
            request.send_error(503)
        elif request.command == "GET":
            self._stream(request)
        else:
            self._write(request, data)

    def _write(self, request, data):
        if self._pull_at and self._pull_at in data:
            self._pulled.set()
            request.send_error(503)
            return
        self._link.write(data)
        _done(request)

    def _stream(self, request):
        self._readers += 1
        own = self._readers
        request.send_response(200)
        request.send_header("Content-Type", "application/octet-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        request.wfile.flush()
        with self._lock, contextlib.suppress(ConnectionError):  # the page closed its port
            while not self._pulled.is_set() and own == self._readers:
                data = self._link.read(WAIT)
                if data:
                    request.wfile.write(data)
                    request.wfile.flush()

    def _pull(self, request):
        """Pull the cable; with a body, when the page sends what the body is."""
        self._pull_at = body_of(request)
        if not self._pull_at:
            self._pulled.set()
        _done(request)

    def _plug(self, request):
        """Plug it in again; what the body is goes to the board."""
        self._pull_at = None
        self._pulled.clear()
        self._link.write(body_of(request))
        _done(request)


def body_of(request):
    return request.rfile.read(int(request.headers["Content-Length"]))


def _done(request):
    request.send_response(204)
    request.end_headers()
