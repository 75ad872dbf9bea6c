"""TensorFlow Lite Micro itself, from PyPI's tflite-micro, as the reference of every byte.

It runs in a process of its own, because a bad model makes it call abort(). Here that becomes an
OracleError with its output. One process serves many models, one after the other.
"""

import base64
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

from .. import places
from .widen import for_oracle

PACKAGE = "tflite_micro"


class OracleError(RuntimeError):
    """The oracle is missing, refused the model, or died of it."""


def _without_preload():
    """Return the environment without the sanitizers, which watch our library and not this one."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


class Oracle:
    """A tflite-micro interpreter: load() a model, then invoke() it as often as wanted."""

    def __init__(self):
        if importlib.util.find_spec(PACKAGE) is None:
            raise OracleError("tflite-micro is not installed: pip install tflite-micro")
        self._worker = None
        self._log = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def load(self, model, parsed=None):
        """Make *model* (bytes) the current one, its variables in their initial state.

        Constants of float16, and int8 filters of float32 operators, become float32 before.
        parsed  a tflm.Model of these bytes, if there is one
        """
        if self._worker is None:
            self.start()
        self._ask("load", [for_oracle(bytes(model), parsed)])

    def invoke(self, inputs):
        """Run one inference on *inputs* (bytes each); return the bytes of every output."""
        return [base64.b64decode(text) for text in self._ask("invoke", inputs)]

    def reset(self):
        """Put the variable tensors back into their initial state."""
        self._ask("reset", [])

    def close(self):
        if self._worker is not None:
            self._worker.stdin.close()
            self._worker.kill()
            self._worker.wait()
            self._worker.stdout.close()
            self._log.close()
            self._worker = None

    def start(self):
        """Start the process; load() does it where nobody did."""
        path = os.pathsep.join(
            filter(None, (str(places.PACKAGE.parent), os.environ.get("PYTHONPATH")))
        )
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "tflm_host.model.oracle_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**_without_preload(), "PYTHONPATH": path},
        )

    def _ask(self, what, blobs):
        """Send one line of JSON, bytes as base64, and return the contents of the reply."""
        request = [what, [base64.b64encode(data).decode() for data in blobs]]
        try:
            self._worker.stdin.write(json.dumps(request).encode() + b"\n")
            self._worker.stdin.flush()
            line = self._worker.stdout.readline()
            if not line.endswith(b"\n"):
                raise EOFError
            ok, answer = json.loads(line)
        except (OSError, EOFError, ValueError, TypeError) as error:
            printed = self._printed()
            self.close()
            raise OracleError(f"tflite-micro crashed during {what}: {printed}") from error
        if not ok:
            raise OracleError(f"tflite-micro refused to {what}: {answer} {self._printed()}")
        return answer

    def _printed(self):
        self._log.seek(0)
        return self._log.read().decode(errors="replace").strip()[-500:]
