"""Writes the data of tests_device/: calls of kernels with the bytes they must write, models.

python tests_host/make_device_tests.py

Kernel scripts are written whole, from KERNEL_SCRIPT; other scripts hold a block of models with
what TFLM answers, between BEGIN and END. The draws are fixed, so the files only change when
kernels, records or models do.
"""

import base64
import re
import struct
import subprocess
import sys
from pathlib import Path

from support.device.device_models import MODELS, WITHOUT_OUTPUTS
from support.expected import viper_vectors
from tflm.ops.collect import rows

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests_device"
BEGIN, END = "# Written by tests_host/make_device_tests.py:\n", "# End of what is written.\n"
SEED = 2024
RUNS = 3  # of a model
CALLS = 3  # of a kernel
SMALLEST_NORMAL = 0x00800000  # its bits, as float32
MAX_SOURCE = 600  # characters of a call, so that scripts compile in a small heap
PIECE = 84  # characters of a string in one line

FAMILIES = {
    family: [
        kernel.name
        for kernel in rows().kernels
        if kernel.family == family and "group" not in kernel.traits
    ]
    for family in rows().families
}

KERNEL_SCRIPT = '''"""The {family} kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
{calls})

# By kernel: for each argument, whether it may lie anywhere.
RAW = {raw}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
{native}

if __name__ == "__main__":
    main()
'''


def kernel_script(family):
    """Return the source of tests_device/test_<family>.py."""
    calls = ""
    for name in FAMILIES[family]:
        found = 0
        for vector in viper_vectors.vectors(name, 100 * CALLS, SEED):
            if found == CALLS:
                break
            source = _call(vector)
            if len(source) <= MAX_SOURCE and not _has_subnormal(vector):
                calls += source
                found += 1
    raw = {name: _is_raw(name) for name in FAMILIES[family]}
    native = tuple(name for name in FAMILIES[family] if "native" in rows().kernel(name).traits)
    native = f"    native = {native}\n" if native else ""
    return KERNEL_SCRIPT.format(family=family, calls=calls, raw=raw, native=native)


def _is_raw(name):
    """Return for each argument of kernel *name* whether it may lie anywhere."""
    text = rows().kernel(name).arguments.replace("->", ",")
    return tuple(argument.strip().startswith("raw") for argument in text.split(","))


def _has_subnormal(vector):
    """Tell whether a float32 is subnormal: an RP2040's float routines take it for zero."""
    if "f32" not in vector.name:
        return False
    raw = _is_raw(vector.name)
    data = b"".join(given for given, is_raw in zip(vector.inputs, raw) if is_raw)  # noqa: B905
    data += bytes(-len(data) % 4)  # float16
    if raw[-1]:
        data += b"".join(made for _, made in vector.outputs if made)
    bits = [word & 0x7FFFFFFF for (word,) in struct.iter_unpack("<I", data)]
    return any(0 < word < SMALLEST_NORMAL for word in bits)


def _call(vector):
    inputs = tuple(_base64(data) for data in vector.inputs)
    outputs = tuple((_base64(a), b if b is None else _base64(b)) for a, b in vector.outputs)
    record = _base64(vector.record)
    parts = [vector.name, vector.shift, record, inputs, outputs]
    return f"    {_source(tuple(parts))},\n"


def _source(value):
    """Return the source of *value*, long strings in pieces."""
    if isinstance(value, tuple):
        parts = [_source(part) for part in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, str) and len(value) > PIECE:
        pieces = [value[i : i + PIECE] for i in range(0, len(value), PIECE)]
        return f"({' '.join(map(_source, pieces))})"
    return repr(value)


def _base64(data):
    if isinstance(data, tuple):
        return tuple(_base64(part) for part in data)
    return base64.b64encode(data).decode()


def pattern(count, run):
    """Return the input of run number *run*: tflm_tests.py has the same formula."""
    return bytes((i * 37 + 11 + 91 * run) & 0xFF for i in range(count))


def models_block(names, oracle):
    """Return the source of the models *names* and of what *oracle* answers to pattern()."""
    block = ""
    for name in names:
        model = MODELS[name]()
        block += f"{name} = a2b_base64(\n{_lines(model)})\n"
        if name not in WITHOUT_OUTPUTS:
            block += f"{name}_OUTPUTS = a2b_base64(\n{_lines(_answers(model, oracle))})\n"
    return block


def _answers(model, oracle):
    from tflm.model import Model  # after sys.path is set

    graph = Model(model).subgraphs[0]
    count = graph.tensor(graph.inputs[0]).nbytes
    oracle.load(model)
    return b"".join(oracle.invoke([pattern(count, run)])[0] for run in range(RUNS))


def _lines(data):
    text = base64.b64encode(data).decode()
    return "".join(f'    "{text[i : i + PIECE]}"\n' for i in range(0, len(text), PIECE))


def formatted(source):
    """Return *source* as `ruff format` leaves it."""
    config = str(ROOT / "pyproject.toml")
    command = [sys.executable, "-m", "ruff", "format", "--config", config, "-"]
    done = subprocess.run(
        command, cwd=FOLDER, input=source, capture_output=True, text=True, check=True
    )
    return done.stdout if done.stdout == source else formatted(done.stdout)


def families():
    """Return the families that have a script: others have no kernels."""
    return list(filter(FAMILIES.get, FAMILIES))


def scripts_with_models():
    """Return the names of the scripts that hold models between BEGIN and END."""
    return [path.stem for path in sorted(FOLDER.glob("test_*.py")) if BEGIN in path.read_text()]


def file_of(name, oracle):
    """Return (path, source) of the script of family *name*, or of the one of that name."""
    if name in FAMILIES:
        return FOLDER / f"test_{name}.py", formatted(kernel_script(name))
    path = FOLDER / f"{name}.py"
    before, rest = path.read_text().split(BEGIN)
    names = re.findall(r"^([A-Z]+) = a2b_base64", rest, re.MULTILINE)
    block = BEGIN + models_block(names, oracle) + END
    return path, formatted(before + block + rest.split(END)[1])


def main():
    sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "mp_modules")]
    from tflm_host.model.oracle import Oracle  # after sys.path is set

    with Oracle() as oracle:
        for name in families() + scripts_with_models():
            path, source = file_of(name, oracle)
            path.write_text(source)


if __name__ == "__main__":
    main()
