"""The host's library of C kernels in the copy, of which one object is compiled for each mutant.

The sum of all C files is in the library's name: without the right name, tests would build it all.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ASK = """
import json
from tflm_host.model import native
units, _ = native.sources()
flags = [*native.FLAGS, *native.include_flags()]
print(json.dumps([list(map(str, units)), flags, str(native.library())]))
"""
NAME = """
from tflm_host.model import native
native.link = lambda *_: None
print(native.library())
"""


class Library:
    """Objects of all units in *copy*; `make` compiles *path* again and links.

    Where *path* is none of the units, the tests that read it compile it, and the library stays.
    """

    def __init__(self, copy, path):
        self._copy, self._path = copy, path
        units, self._flags, self._original = json.loads(self._ask(ASK))
        self._has_path = str(path) in units
        self._objects = copy / "build" / "objects"
        self._objects.mkdir(parents=True, exist_ok=True)
        if not self._has_path:
            return
        for unit in units:
            self._compile(Path(unit))
        self._units = [Path(unit) for unit in units]

    def make(self):
        """Build the library of the sources as they are; return whether they compile."""
        if self._has_path and not self._compile(self._path):
            return False
        target = Path(self._ask(NAME).strip())
        if not self._has_path:
            if not target.exists():
                os.link(self._original, target)
            return True
        command = ["cc", "-shared", *(str(self._object(unit)) for unit in self._units)]
        subprocess.run([*command, "-o", target], check=True, capture_output=True)
        return True

    def _object(self, unit):
        return self._objects / (str(unit.relative_to(self._copy)).replace("/", "-") + ".o")

    def _compile(self, unit):
        flags = [flag for flag in self._flags if flag != "-Werror"]
        command = ["cc", *flags, "-c", str(unit), "-o", str(self._object(unit))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def _ask(self, script):
        """Return what *script* prints, with the tools of the copy."""
        environment = {**os.environ, "PYTHONPATH": str(self._copy / "host_tools")}
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=self._copy,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout
