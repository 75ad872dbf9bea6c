"""Writes the data of tests_device/: calls of kernels with the bytes they must write, models.

python tests_host/make_device_tests.py

Kernel scripts are written whole, from KERNEL_SCRIPT; other scripts hold a block of models with
what TFLM answers, between BEGIN and END. The draws are fixed, so the files only change when
kernels, operator parameters or models do.
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
MAX_CALL = 400  # characters, so that scripts compile in a small heap
PIECE = 88  # characters of a string in one line

FAMILIES = {
    family: [
        kernel.name
        for kernel in rows().kernels
        if kernel.family == family and "group" not in kernel.traits
    ]
    for family in rows().families
}

KERNEL_SCRIPT = '''"""The {family} kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):{native}
    # fmt: off
    calls = (
{calls}    )
    # fmt: on


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
            call = _call(vector)
            if len(call) <= MAX_CALL and not _has_subnormal(vector):
                calls += _pieces(call)
                found += 1
    native = [name for name in FAMILIES[family] if "native" in rows().kernel(name).traits]
    native = f"\n    native = {tuple(native)}\n" if native else ""
    return KERNEL_SCRIPT.format(family=family, calls=calls, native=native)


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
    """Return the text of *vector*, as Call of tflm_tests.py reads it."""
    raw = _is_raw(vector.name)
    words = struct.unpack(f"<{len(vector.record) // 4}i", vector.record)
    inputs = vector.inputs
    is_tuple = bool(inputs) and isinstance(inputs[0], tuple)
    moved = [vector.shift and raw[min(i, len(raw) - 1)] for i in range(len(inputs))]
    if is_tuple:
        (inputs,) = inputs
        moved *= len(inputs)
    inputs = [_text(data, moves) for data, moves in zip(inputs, moved, strict=True)]
    outputs = [_output(*states, vector.shift and raw[-1]) for states in vector.outputs]
    return " ".join(
        [
            vector.name,
            str(vector.shift),
            ",".join(map(str, words)) or "-",
            _listed(inputs, is_tuple),
            ">",
            _listed(outputs, vector.name == "share"),  # takes its outputs as a tuple
        ]
    )


def _text(data, moves=False):
    if not any(data):
        return f"{'~' if moves else ''}*{len(data)}" if data else "-"
    return ("~" if moves else "") + base64.b64encode(data).decode()


def _output(before, after, moves):
    return _text(before, moves) + (f":{_text(after)}" if after is not None else "")


def _listed(texts, is_tuple):
    return f"[{' '.join(texts)}]" if is_tuple else " ".join(texts)


def _pieces(text):
    """Return the source of *text*, an item of a tuple, in lines of at most 99 characters."""
    pieces = [text[i : i + PIECE] for i in range(0, len(text), PIECE)]
    return "\n".join(f'        "{piece}"' for piece in pieces) + ",\n"


def pattern(count, run):
    """Return the input of run number *run*: tflm_tests.py has the same formula."""
    return bytes((i * 37 + 11 + 91 * run) & 0xFF for i in range(count))


def models_block(names, oracle):
    """Return the source of the models *names* and of their outputs for pattern(), by *oracle*."""
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
