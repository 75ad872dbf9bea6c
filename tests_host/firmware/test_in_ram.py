"""`Interpreter(path, in_ram=True)`: a file of /rom is copied into the heap and used there."""

import json
import shutil
import subprocess
import sys

import pytest

from tflm_host.measure import ram
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.open_target import open_target

pytestmark = [
    pytest.mark.firmware,
    pytest.mark.skipif(not shutil.which("qemu-system-arm"), reason="qemu is not installed"),
]

MODEL = ROOT / "models" / "digits_cnn.tflite"
RUN = """
import tflm
def answer(**options):
    interp = tflm.Interpreter(%r, **options)
    data = interp.inputs[0].data
    for i in range(len(data)):
        data[i] = 7 * i & 255
    interp.invoke()
    print(bytes(interp.outputs[0].data), interp.model.in_flash, interp.model.snapshot is None)
answer()
answer(in_ram=True)
"""
FULL = """
kept = []
try:
    while True:
        kept.append(bytearray(1000))
except MemoryError:
    for i in range(0, len(kept), 2):  # then many pieces are free, but small ones
        kept[i] = None
try:
    answer(in_ram=True)
except MemoryError as error:
    print(error)
"""


@pytest.mark.parametrize("form", ["plain", "prepared"])
def test_copied_model_gives_the_same_bytes(form):
    data = MODEL.read_bytes()
    if form == "prepared":
        data = prepare(data, "dsp")
    with open_target("MPS2_AN386", models=[(MODEL.name, data)]) as target:
        printed = target.exec(RUN % f"/rom/{MODEL.name}").splitlines()
        full = target.exec("import gc\ngc.collect()" + FULL)
    flash, copied = (line.rsplit(" ", 2) for line in printed)
    assert flash == [copied[0], "True", str(form == "plain")]
    assert copied[1:] == ["False", flash[2]]
    said = f"in_ram: the heap has no {len(data)} bytes in one piece for the file\n"
    assert full == said


def test_nothing_is_read_from_flash():
    command = [sys.executable, "-m", "tflm_host", "bench", MODEL, "--target", "MPS2_AN386"]
    read = []
    for options in ((), ("--in-ram",)):
        done = subprocess.run(
            [*command, *options, "--json"], capture_output=True, text=True, check=True
        )
        read.append(json.loads(done.stdout)["model_bytes_read"])
    assert read[0] > 1000 and read[1] == 0


def test_document_has_the_saved_cycles():
    page = (ROOT / "docs" / "cycles.md").read_text()
    rows = {key: row for key, row in ram.saved().items() if key[2] == "prepared"}
    assert len(rows) >= 8
    for (_, model, _), row in rows.items():
        cells = [f"{row['file']:,}", *(f"{row[name] / 1e6:.3g}" for name in ("flash", "ram"))]
        assert f"| {model} | {' | '.join(cells)} |" in page
