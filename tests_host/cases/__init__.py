"""Models of one operator: a module a family, of the name that it has in mp_modules/tflm/ops.

A module has CASES = {name: Op}: see op.py. All tests that ask whether an operator is right draw
from them: on this machine, with the kernels of each core, on boards, with prepared models.
"""

from importlib import import_module
from pathlib import Path

from tflm.ops import collect

FAMILIES = {
    path.stem: import_module(f"cases.{path.stem}").CASES
    for path in sorted(Path(__file__).parent.glob("*.py"))
    if path.stem not in ("__init__", "op")
}
ALL = {name: op for cases in FAMILIES.values() for name, op in cases.items()}
OPS = {name: op for name, op in ALL.items() if not op.tie}
TIES = {name: op for name, op in ALL.items() if op.tie}
_NATIVE = [kernel.name for kernel in collect.rows().kernels if "native" in kernel.traits]
# Viper runs these:
VIPER = {name: op for name, op in ALL.items() if op.viper and op.kernel not in _NATIVE}
