"""Writes digits_cnn.tflite: that of models, compiled by Vela for an Ethos-U55 of 32 MACs.

python tests_host/support/models/vela/make.py     with ethos-u-vela 5.2.0 from PyPI
"""

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[3] / "models" / "digits_cnn.tflite"
VELA = "5.2.0"  # others may write other bytes


def main():
    if version("ethos-u-vela") != VELA:
        raise SystemExit(f"ethos-u-vela {VELA} expected, {version('ethos-u-vela')} is installed")
    with tempfile.TemporaryDirectory() as folder:
        vela = str(Path(sys.executable).parent / "vela")
        core = ["--accelerator-config", "ethos-u55-32"]
        subprocess.run([vela, str(MODEL), *core, "--output-dir", folder], check=True)
        made = Path(folder) / "digits_cnn_vela.tflite"
        (HERE / "digits_cnn.tflite").write_bytes(made.read_bytes())


if __name__ == "__main__":
    main()
