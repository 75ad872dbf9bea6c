"""What the tests share: where the models of others are, and the oracle."""

import os
from pathlib import Path

import pytest

from tflm_host.model.oracle import Oracle
from tflm_host.places import ROOT


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
    with Oracle() as running:
        yield running
