"""Watches a page of the disk in a headless browser, over the browser's debugging pipe.

The browser's virtual time would be shorter, but it does not wait for what WebAssembly compiles.
"""

import json
import os
import signal
import subprocess
import time

from support.pages import axe_pages

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
READS, WRITES = 3, 4  # file descriptors of the browser: DevTools protocol, each message ends in 0
PAUSE = 0.1  # seconds between two looks
SECONDS = 240


class WatchError(Exception):
    """The page failed, or did not show in time what was waited for."""


def value_of(path, expression, folder, options=(), seconds=SECONDS):
    """Open the page at *path*; return *expression* of JavaScript once it is truthy.

    folder   where the browser writes its profile
    options  more of the browser's options
    """
    with Pipe(folder / "profile", options) as pipe:
        target = pipe.call("Target.createTarget", url=path.as_uri())["targetId"]
        session = pipe.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            asked = {"expression": expression, "returnByValue": True}
            found = pipe.call("Runtime.evaluate", session, **asked)
            if found["result"].get("value"):
                return found["result"]["value"]
            time.sleep(PAUSE)
    raise WatchError(f"{path.name} in {seconds} s: {expression} is {found}")


class Pipe:
    """A browser that is started here and driven through a pipe."""

    def __init__(self, profile, options):
        self._rest, self._last = b"", 0
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        shell = f'exec "$@" {READS}<&{theirs_in} {WRITES}>&{theirs_out}'
        command = [axe_pages.browser(), *OPTIONS, *options, f"--user-data-dir={profile}"]
        try:
            self._process = subprocess.Popen(
                ["bash", "-c", shell, "bash", *command],
                pass_fds=(theirs_in, theirs_out),
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # what Debian calls a browser is a script that starts it
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._in)
        os.close(self._out)
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait()

    def call(self, method, session=None, **params):
        """Return what the browser answers to *method* with *params*."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._last:
            pass
        if "error" in answer:
            raise WatchError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _message(self):
        while b"\0" not in self._rest:
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise WatchError("the browser has gone")
            self._rest += piece
        head, _, self._rest = self._rest.partition(b"\0")
        return json.loads(head)
