"""A board that is this very process: deploy_device.py runs here, and its folders are ours."""

import contextlib
import gc
import io
import traceback

from tflm_host.targets.open_target import Target
from tflm_host.targets.repl import ExecError


class LocalBoard(Target):
    """Takes the place of targets.SerialTarget where the board may be CPython."""

    def __init__(self, port, files=()):  # noqa: ARG002 - a SerialTarget's
        super().__init__(port)
        self._names = {}
        gc.mem_free = lambda: 1 << 20  # as MicroPython has it

    def exec(self, code, timeout=None):  # noqa: ARG002
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, self._names)  # that is what a board does
        except Exception:
            raise ExecError(traceback.format_exc().strip(), printed.getvalue()) from None
        return printed.getvalue()

    def close(self):
        del gc.mem_free
