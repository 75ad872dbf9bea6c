"""The viper kernels for an emulated board, whose firmware has C kernels and leaves them out."""

from ..generate import inputs
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
    """Return mpy-cross's name for the architecture of core *cpu*."""
    return ARCHES.get(cpu, DEFAULT_ARCH)


def viper_files(cpu):
    """Return (name in /rom, bytes) of all viper modules, compiled for core *cpu* if need be."""
    arch = arch_of(cpu)
    folder = BUILD / "viper" / arch
    sources = sorted(path for path in KERNELS.glob("*.py") if path.stem != "__init__")
    with locked(folder / "lock"):
        text = inputs.listed(sources, {"MicroPython": inputs.micropython()})
        if not inputs.is_same(folder, text):
            for path in sources:
                compile_module(path, MODULES, folder, arch)
            (folder / inputs.INPUTS).write_text(text)
        compiled = [(folder / path.relative_to(MODULES)).with_suffix(".mpy") for path in sources]
        return [(f"{FOLDER}/{path.name}", path.read_bytes()) for path in compiled]
