"""What the tests share: where the packages and the models of others are, and the oracle."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
for folder in ("mp_modules", "host_tools"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))


@pytest.fixture(scope="session")
def shared():
    """The folder beside the clone that holds models of others and golden figures."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder.name} beside the clone: models of others are not tested")
    return folder


@pytest.fixture(scope="session")
def zoo(request):
    """The folder of .tflite files trained by others: $TFLM_MODEL_ZOO, or shared/models."""
    named = os.environ.get("TFLM_MODEL_ZOO")
    return Path(named) if named else request.getfixturevalue("shared") / "models"


@pytest.fixture(scope="session")
def oracle():
    """TensorFlow Lite Micro, one process for the whole run."""
    pytest.importorskip("tflite_micro", reason="the oracle tflite-micro is not installed")
    from tflm_host.model.oracle import Oracle  # noqa: PLC0415 - after sys.path is set

    with Oracle() as running:
        yield running
