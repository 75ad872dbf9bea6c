"""A failure at every allocation of load, invoke, reset and close: see firmware/memfail.

Each must end in MemoryError or ArenaError, and the next load must give the right bytes.
"""

from pathlib import Path

from support.device import device_models
from support.fuzz.fuzz_workers import Report
from tflm.model import Model
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import PORTABLE
from tflm_host.targets.open_target import open_target

TARGET = "unix-memfail"
DRIVER = Path(__file__).parents[1] / "device" / "fuzz_memory_device.py"
SECONDS = 3000
OWN = ("sine", "digits_cnn", "digits_gated")


def models():
    """Return five models, {name: bytes}; two have a state, one of them subgraphs."""
    found = {name: (ROOT / "models" / f"{name}.tflite").read_bytes() for name in OWN}
    return {**found, "memory": device_models.memory(), "stream": device_models.stream()}


def kinds():
    """Return every way to run a model: (name, prepared, backend, shared arena).

    But for prepared models with variables: tflm refuses to let them share.
    """
    return [
        (name, prepared, backend, shared)
        for name in models()
        for prepared in (False, True)
        for backend in ("c", "viper")
        for shared in (False, True)
        if not (name in ("memory", "stream") and (prepared, backend, shared) == (True, "c", True))
    ]


def sweep(kind, every=1, first=0):
    """Let every *every*-th allocation fail, from number *first* on; return the Report."""
    name, prepared, backend, shared = kind
    model = models()[name]
    graph = Model(model, prepared=True).subgraphs[0]
    given = [bytes(i * 37 & 63 for i in range(graph.tensor(t).nbytes)) for t in graph.inputs]
    data = prepare(model, PORTABLE) if prepared else model
    report = Report()
    with open_target(TARGET, models=[("model", data)]) as target:
        target.exec(DRIVER.read_text())
        call = (
            f"sweep({target.path('model')!r}, {given!r}, {backend!r}, {every}, {shared}, {first})"
        )
        said = target.exec(call, SECONDS)
    *lines, last = said.strip().splitlines()
    report.outcomes["failures"] = int(last.removeprefix("= "))
    report.findings = [(0, f"{kind}: {line}") for line in lines if line.startswith("!")]
    return report
