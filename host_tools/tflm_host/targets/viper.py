"""The viper kernels for an emulated board, whose firmware has C kernels and leaves them out."""

from ..generate.files import locked
from ..places import BUILD, MODULES
from .build import compile_module

FOLDER = "viper"  # of /rom
KERNELS = MODULES / "tflm" / "kernels"
# After a start or reset of the board: where tflm.kernels looks for its modules.
FIND_VIPER = f"import tflm.kernels\ntflm.kernels.__path__ = '/rom/{FOLDER}'\n"
ARCHES = {
    "Cortex-M0": "armv6m",
    "Cortex-M0+": "armv6m",
    "Cortex-M3": "armv7m",
    "RV32IMAC": "rv32imc",
}
DEFAULT_ARCH = "armv7emsp"


def arch_of(cpu):
    """Return what mpy-cross calls the architecture of core *cpu*."""
    return ARCHES.get(cpu, DEFAULT_ARCH)


def viper_files(cpu):
    """Return (name in /rom, bytes) of all viper modules, compiled for core *cpu* if need be."""
    arch = arch_of(cpu)
    folder = BUILD / "viper" / arch
    with locked(folder / "lock"):
        sources = sorted(path for path in KERNELS.glob("*.py") if path.stem != "__init__")
        return [(f"{FOLDER}/{path.stem}.mpy", _compiled(path, folder, arch)) for path in sources]


def _compiled(source, folder, arch):
    target = (folder / source.relative_to(MODULES)).with_suffix(".mpy")
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        compile_module(source, MODULES, folder, arch)
    return target.read_bytes()
