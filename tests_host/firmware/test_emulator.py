"""The targets themselves: starting, running code, failing clearly, counting instructions."""

import shutil
import subprocess
import sys
import time

import pytest

from tflm_host.measure import bench_tensor
from tflm_host.places import ROOT
from tflm_host.targets.boards import board_names, load_board
from tflm_host.targets.build import program_path
from tflm_host.targets.emulator import ICOUNT_SHIFT, QEMU, Emulator
from tflm_host.targets.open_target import deploy_romfs, mpremote, open_target
from tflm_host.targets.repl import ExecError, TargetError
from tflm_host.targets.romfs import build_romfs

BOARDS = board_names()
TARGETS = ["unix", *BOARDS]
LOOP = """
import micropython
@micropython.asm_thumb
def loop(r0):
    label(TOP)
    sub(r0, r0, 1)
    cmp(r0, 0)
    bne(TOP)
"""
RISCV = "VIRT_RV32"
RISCV_LOOP = """
import micropython
@micropython.asm_rv32
def loop(a0):
    label(TOP)
    addi(a0, a0, -1)
    mv(a1, a0)
    bne(a1, zero, TOP)
"""
INSTRUCTIONS_A_TURN = 3
# Bits of the timer's count between two interrupts, and instructions that one takes, at most.
INTERRUPTS = {RISCV: (23, 90)}
ARM_INTERRUPTS = (24, 50)

needs_qemu = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")


@pytest.fixture(scope="module", params=TARGETS)
def target(request):
    if request.param != "unix" and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(request.param, models=[("a.bin", b"abc"), ("b.bin", bytes(70000))]) as opened:
        yield opened


@pytest.fixture(scope="module", params=BOARDS)
def counting(request):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(request.param, icount=True) as opened:
        opened.exec(RISCV_LOOP if request.param == RISCV else LOOP)
        opened.count_instructions("n = 10", "loop(n)")  # all global names are there from now on
        yield opened


def test_exec_prints_stdout_returned(target):
    assert target.exec("print('one')\nprint(2)") == "one\n2\n"


def test_exec_twice_names_stay(target):
    target.exec("kept = 5")
    assert target.exec("print(kept + 1)") == "6\n"


def test_exec_raises_traceback_and_output_in_error(target):
    with pytest.raises(ExecError) as caught:
        target.exec("print('before')\nraise ValueError('no good')")
    assert "ValueError: no good" in caught.value.traceback
    assert caught.value.output == "before\n"
    assert target.exec("print('alive')") == "alive\n"


def test_exec_syntax_error_in_long_code_raises(target):
    with pytest.raises(ExecError, match="SyntaxError"):
        target.exec("x = = 1\n" + "y = 2\n" * 500)
    assert target.exec("print('alive')") == "alive\n"


def test_exec_long_code_and_long_output_complete(target):
    code = "".join(f"print({i:05})\n" for i in range(10000, 10500))
    assert target.exec(code).split() == [str(i) for i in range(10000, 10500)]
    assert len(target.exec("for i in range(2000): print('0123456789' * 5)")) == 2000 * 51


def test_path_of_file_holds_its_bytes(target):
    path = target.path("a.bin")
    assert target.exec(f"print(open({path!r}, 'rb').read())") == "b'abc'\n"
    size = f"print(len(open({target.path('b.bin')!r}, 'rb').read()))"
    assert target.exec(size) == "70000\n"


def test_run_file_runs_it(target, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("print('from a file')\n")
    assert target.run_file(script) == "from a file\n"


def test_tflm_is_frozen_with_c_kernels(target):
    assert target.exec("import tflm\nprint(tflm.backends()[0])") == "c\n"


LATER = """
import sys
for name in list(sys.modules):
    if name.split(".")[0] == "tflm":
        del sys.modules[name]
import tflm
print("tflm.kernels" in sys.modules)
{}
print(kernels is sys.modules["tflm.kernels"], callable(kernels.find))
"""


@pytest.mark.parametrize("line", ["from tflm import kernels", "kernels = tflm.kernels"])
def test_kernels_are_imported_on_first_use(target, line):
    assert target.exec(LATER.format(line)) == "False\nTrue True\n"


def test_heap_size_is_what_a_walk_finds(target):
    code = "import _tflm, gc\nprint(_tflm.heap_size() - gc.mem_alloc() - gc.mem_free())"
    assert target.exec(code) == "0\n"


ROOM = """
import _tflm
NAMES = ["name%%d" %% i for i in range(40)]
for room in (0, 1, 7, 41, 300, -1, 1 << 29):
    lines = ["%%s = %%d" %% pair for pair in zip(NAMES, range(40))]
    lines.insert(%d, "_tflm.room(%%d)" %% room)
    module = {"_tflm": _tflm}
    exec("\\n".join(lines) + "\\nclass C:\\n    " + "\\n    ".join(lines), module)
    del module["_tflm"]
    in_class = module.pop("C").__dict__
    for names in (module, in_class):
        print([names[name] for name in NAMES] == list(range(40)))
    print([name for name in NAMES if name not in module], "other" in module, len(in_class))
"""


@pytest.mark.parametrize("at", [0, 20, 40])
def test_room_for_names_changes_no_name(target, at):
    printed = target.exec(ROOM % at).splitlines()
    assert printed == ["True", "True", "[] False 42"] * 7


@needs_qemu
def test_first_import_takes_few_instructions():
    ((count, goal),) = [
        (row["count"], bench_tensor.GOALS[key])
        for key, row in bench_tensor.measure_import("MPS2_AN386").items()
    ]
    assert goal / 2 < count <= goal


@needs_qemu
@pytest.mark.parametrize("name", BOARDS)
def test_romfs_file_is_aligned_and_not_copied(name):
    with open_target(name, models=[("x", b"12345"), ("model", b"z" * 50)]) as board:
        printed = board.exec(
            "import uctypes\n"
            "view = memoryview(open('/rom/model', 'rb'))\n"
            "print(uctypes.addressof(view), bytes(view[:1]))"
        )
    address, data = printed.split()
    where = load_board(name)
    assert where.romfs_start <= int(address) < where.romfs_start + where.romfs_size
    assert int(address) % 16 == 0
    assert data == "b'z'"


@needs_qemu
def test_romfs_too_large_for_board_raises():
    with pytest.raises(TargetError, match="it holds 4194304"):
        open_target("MPS2_AN386", models=[("big", bytes(4194304))])


@pytest.mark.parametrize("name", ["unix", pytest.param("MPS2_AN386", marks=needs_qemu)])
def test_exec_endless_loop_times_out(name):
    with open_target(name) as target:
        started = time.monotonic()
        with pytest.raises(TargetError, match=f"{name}: no reply in 1 s"):
            target.exec("print('here')\nwhile True:\n    pass", timeout=1)
        assert time.monotonic() - started < 5


@needs_qemu
@pytest.mark.parametrize("name", ["MPS2_AN385", "MPS2_AN386", RISCV])
def test_fault_ends_emulator_and_names_function(name):
    with open_target(name) as board, pytest.raises(TargetError) as caught:
        board.exec("import machine\nprint(machine.mem32[0xF0000000])", timeout=10)
    assert "fault: pc=" in str(caught.value)
    assert "machine_mem_subscr" in str(caught.value)


@needs_qemu
def test_microbit_misaligned_word_faults():
    load = "@micropython.viper\ndef load(p: ptr32, i: int) -> int:\n    return p[i]\n"
    call = "data = bytearray(16)\nprint(load(uctypes.addressof(data) + 1, 0))"
    code = f"import micropython, uctypes\n{load}{call}"
    with open_target("MPS2_AN385") as board:
        assert board.exec(code) == "0\n"  # this core does not care
    with open_target("MICROBIT") as board, pytest.raises(TargetError, match="fault: pc="):
        board.exec(code, timeout=10)


@pytest.mark.parametrize("turns", [1, 1000, 100000])
def test_count_instructions_of_known_loop_exact(counting, turns):
    one = counting.count_instructions("n = 10", "loop(n)")
    more = counting.count_instructions(f"n = {10 + turns}", "loop(n)")
    assert abs(more - one - INSTRUCTIONS_A_TURN * turns) <= clock_error(counting.name)


def clock_error(name):
    """Return how many instructions a difference of two counts may be off on board *name*.

    Each count is the difference of two times, and a time is cut to a tick of the clock. Where
    in a tick a time falls depends on when the code arrived over the serial line.
    """
    instructions_a_tick = 1e9 / (load_board(name).clock_hz << ICOUNT_SHIFT)
    return 4 * instructions_a_tick + 1  # two counts, each less the empty one, both rounded


def test_count_instructions_over_clock_wraps_adds_interrupts_only(counting):
    turns = 20000000
    one = counting.count_instructions("n = 10", "loop(n)")
    more = counting.count_instructions(f"n = {10 + turns}", "loop(n)")
    extra = more - one - INSTRUCTIONS_A_TURN * turns
    ticks = (more << ICOUNT_SHIFT) * load_board(counting.name).clock_hz // 10**9
    bits, each = INTERRUPTS.get(counting.name, ARM_INTERRUPTS)
    assert 0 <= extra <= each * (ticks // 2**bits + 1)


@needs_qemu
def test_count_instructions_in_two_processes_equal():
    counts = set()
    for _ in range(2):
        with open_target("MPS2_AN386", icount=True) as board:
            counts.add(board.count_instructions("", "x = [i for i in range(1000)]"))
    assert len(counts) == 1


def test_count_instructions_without_icount_raises():
    with open_target("MPS2_AN386") as board, pytest.raises(TargetError, match="icount=True"):
        board.count_instructions("", "pass")


@needs_qemu
def test_mpremote_deploys_romfs_and_passes_errors_on():
    board = load_board("MPS2_AN386")
    data = bytes(range(256)) * 40
    with Emulator(board, pty=True) as emulator:
        deploy_romfs(emulator.port, build_romfs([("data.bin", data)]))
        code = "d = open('/rom/data.bin', 'rb').read()\nprint(d == bytes(range(256)) * 40)"
        assert mpremote(emulator.port, "soft-reset", "exec", code).strip() == "True"
        with pytest.raises(TargetError, match="ZeroDivisionError"):
            mpremote(emulator.port, "exec", "1 / 0")
        with open_target(emulator.port) as serial:
            assert serial.exec("import os\nprint(os.listdir('/rom'))") == "['data.bin']\n"


@needs_qemu
def test_emulator_of_killed_parent_ends():
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv here to tie the emulator to its parent")
    code = (
        "import os, signal\n"
        "from tflm_host.targets.open_target import open_target\n"
        "target = open_target('MPS2_AN386')\n"
        "print(target._emulator._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    folders = f"{ROOT / 'host_tools'}:{ROOT / 'mp_modules'}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": folders, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip().isdigit(), done.stderr
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _is_running(int(done.stdout)):
        time.sleep(0.05)
    assert not _is_running(int(done.stdout))


def _is_running(pid):
    state = subprocess.run(["ps", "-o", "stat=", str(pid)], capture_output=True, check=False)
    return state.stdout.strip() not in (b"", b"Z")


def test_unix_asan_store_past_arena_is_reported():
    # A node that copies one byte more than the arena has left.
    code = """
import struct
import _tflm
import tflm.base.layout as layout
from tflm.ops.index import kernel_index
copy = kernel_index("copy")
size = 64
record = struct.pack("<iii", 0 << 1, 48 << 1, {nbytes})
table = struct.pack(layout.NODE_FORMAT, copy, 2, 16 << 1)
arena = bytearray(size)
arena[16:16 + len(record)] = record
arena[32:32 + len(table)] = table
print(_tflm.Graph(arena, b"", 32 << 1, 1)())
"""
    with open_target("unix-asan") as target:
        assert target.exec(code.format(nbytes=16)) == "0\n"
        with pytest.raises(TargetError, match="AddressSanitizer: heap-buffer-overflow"):
            target.exec(code.format(nbytes=17))


def test_open_target_unknown_name_raises():
    with pytest.raises(TargetError, match="no target is called 'NO_BOARD'. There are unix"):
        open_target("NO_BOARD")


def test_board_folders_have_all_that_a_build_needs():
    for name in board_names():
        for file in ("link.ld", "manifest.py"):
            assert (ROOT / "boards" / name / file).is_file(), f"{name} lacks {file}"
        assert load_board(name).romfs_start % 16 == 0
        assert program_path(name).name == "firmware.elf"


def test_boards_give_the_linker_no_option_of_gccs():
    for path in [*ROOT.glob("boards/common/*.mk"), *(ROOT / "firmware").glob("*/micropython.mk")]:
        if path.parent.name == "memfail":  # for the unix port alone, which links by gcc
            continue
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        wrong = [line for line in lines if "LDFLAGS" in line and "-Wl," in line]
        assert not wrong, f"{path.name}: ports/qemu of MicroPython 1.29 calls ld itself"
