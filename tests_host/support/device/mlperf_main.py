"""Runs main.py of MLPerf Tiny's runner: mlperf_main.py FOLDER PORT ARGUMENTS...

The runner looks for boards by their USB numbers. What finds them is replaced, and nothing else: it
finds one board at PORT. Two packages are needed with a power meter only; they are empty here.
"""

import runpy
import sys
import types
from pathlib import Path

from serial.tools import list_ports, list_ports_common

VENDOR, PRODUCT = 0x0483, 0x374B  # of the reference board, in the runner's devices_*.yaml


def main(folder, name, *arguments):
    port = list_ports_common.ListPortInfo(name)
    port.vid, port.pid, port.description = VENDOR, PRODUCT, "tflm"
    list_ports.comports = lambda *_, **__: [port]
    usb, core = types.ModuleType("usb"), types.ModuleType("usb.core")
    core.find = lambda *_, **__: []
    usb.core = core
    plots = types.ModuleType("matplotlib")
    plots.pyplot = types.ModuleType("matplotlib.pyplot")
    sys.modules |= {"usb": usb, "usb.core": core}
    sys.modules |= {"matplotlib": plots, "matplotlib.pyplot": plots.pyplot}
    program = str(Path(folder) / "main.py")
    sys.path.insert(0, folder)
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
