"""examples/update_over_wifi.py on the unix port takes a server's model, or keeps the old one."""

import hashlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tflm.interpreter import Interpreter
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

EXAMPLES = ROOT / "examples"
PROGRAMS = [(EXAMPLES / name).read_text() for name in ("tflm_update.py", "update_over_wifi.py")]
OLD = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
NEW = (ROOT / "models" / "sine.tflite").read_bytes()
TRY = """
slots = Slots({base!r})
try:
    print(update(slots, {url!r}))
except (OSError, ValueError) as error:
    print("refused:", error)
"""
RUN = """
import tflm
interp = tflm.Interpreter(Slots({base!r}).start())
interp.inputs[0].data[0] = 17
interp.invoke()
print(bytes(interp.outputs[0].data))
"""


@contextmanager
def server(replies):
    """Serve {path: (status, headers, body)}; give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, headers, body = replies.get(self.path, (404, {"Content-Length": "0"}, b""))
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=served.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{served.server_port}"
    finally:
        served.shutdown()
        thread.join()
        served.server_close()


def reply(body, **headers):
    return 200, {"Content-Length": str(len(body)), **headers}, body


def of(model):
    """Return the replies of a server that has *model*, as sha256sum wrote its checksum."""
    text = f"{hashlib.sha256(model).hexdigest()}  wake.tflite\n".encode()
    return {"/wake.tflite": reply(model), "/wake.tflite.sha256": reply(text)}


@pytest.fixture
def board(tmp_path):
    """A function that asks a server with these replies; it returns what the board printed."""
    base = str(tmp_path / "models" / "wake")
    with open_target("unix") as unix:
        for program in PROGRAMS:
            unix.exec(program)

        def ask(replies, path="/wake.tflite"):
            with server(replies) as address:
                return unix.exec(TRY.format(base=base, url=address + path)).strip()

        ask.run = lambda: unix.exec(RUN.format(base=base)).strip()
        assert ask(of(OLD)) == "True"
        yield ask


def test_a_newer_model_is_taken_once_and_runs(board):
    assert board(of(OLD)) == "False"
    assert board(of(NEW)) == "True"
    assert board(of(NEW)) == "False"
    interp = Interpreter(NEW)
    interp.inputs[0].data[0] = 17
    interp.invoke()
    assert board.run() == str(bytes(interp.outputs[0].data))


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"/wake.tflite": reply(NEW[:-1] + b"!")}, "its SHA-256 is another one"),
        ({"/wake.tflite": (200, {"Content-Length": str(len(NEW))}, NEW[:2000])}, "ended 1328 byt"),
        ({"/wake.tflite": (404, {"Content-Length": "0"}, b"")}, "the server says 404 Not Found"),
        ({"/wake.tflite": (200, {}, NEW)}, "does not say how long it is"),
        ({"/wake.tflite.sha256": reply(b"<html>sign in</html>")}, ""),
        ({"/wake.tflite.sha256": reply(b"0" * 64)}, "its SHA-256 is another one"),
    ],
)
def test_what_goes_wrong_is_said_and_the_old_model_stays(changed, wanted, board):
    said = board(of(NEW) | changed)
    assert said.startswith("refused: ")
    assert wanted in said
    assert board(of(OLD)) == "False"


def test_a_server_that_is_not_there_is_an_error(board):
    with server({}) as address:
        port = address.rpartition(":")[2]
    assert board({}, path=f"0/{port}").startswith("refused: ")
