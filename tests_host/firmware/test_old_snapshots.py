"""Models that were prepared by format 7's first version run as long as the format stands.

support/models/prepared holds digits_gated, prepared when packed weights of a Cortex-M4 came in
pairs of channels: what is added later must not matter to it. What layout.PREPARED_FORMAT
forbids is to be prepared again: then these files are made again.
"""

import pytest

from tflm import Model
from tflm_host.places import ROOT
from tflm_host.targets.run import Job, run_jobs

FOLDER = ROOT / "tests_host" / "support" / "models" / "prepared"
PLAIN = ROOT / "models" / "digits_gated.tflite"
FED = [[bytes((i * 37 + 11 * run) & 0x7F for i in range(64))] for run in range(3)]


@pytest.mark.parametrize(
    ("isa", "target"),
    [("portable", "host"), ("dsp", "MPS2_AN386")],
)
def test_old_prepared_model_gives_the_bytes_of_the_plain_one(isa, target):
    model = (FOLDER / f"digits_gated-{isa}.tflite").read_bytes()
    assert Model(model, prepared=True).snapshot.isa == isa
    expected = run_jobs("host", [Job("plain", PLAIN.read_bytes(), FED)])[0]
    found = run_jobs(target, [Job("old", model, FED, prepared=True)])[0]
    assert found.error is None
    assert found.outputs == expected.outputs
