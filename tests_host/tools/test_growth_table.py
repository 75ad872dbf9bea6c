"""`make growth`: how many bytes a prepared file takes more."""

from click.testing import CliRunner

from tflm_host.measure.growth_table import growths, main
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

SINE = ROOT / "models" / "sine.tflite"


def test_growth_is_that_of_the_file_that_prepare_writes():
    plain = SINE.read_bytes()
    wanted = {isa: len(prepare(plain, isa)) - len(plain) for isa in ("dsp", "armv6m")}
    for name in ("small", "large"):
        wanted[f"dsp --{name}"] = len(prepare(plain, "dsp", **{name: True})) - len(plain)
    assert growths(SINE, ("dsp", "armv6m")) == wanted
    shown = CliRunner().invoke(main, ["--model", "sine"]).stdout
    assert all(f"{nbytes:+,}" in shown for nbytes in wanted.values())
