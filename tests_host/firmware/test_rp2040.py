"""The Pico's own firmware on the emulated RP2040, and the files that real boards are given."""

import math
import os
import struct
import subprocess
from collections import Counter
from dataclasses import replace

import pytest

from support.device.rp2040js import require_rp2040js
from support.expected.exact import mismatches, zoo_cases
from tflm import Interpreter
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import FLASH_BASE, load_board, rp2_board_names
from tflm_host.targets.build import build
from tflm_host.targets.open_target import deploy_romfs, mpremote, open_target
from tflm_host.targets.repl import ExecError, TargetError
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator
from tflm_host.targets.run import run_jobs

NAME = "RPI_PICO"
MODELS = ROOT / "models"
SINE = MODELS / "sine.tflite"
ZOO = {"person_detect": 2, "kws_ref_model": 3, "ad01_int8": 5, "hello_world_int8": 5}
PYTHON_HEAP = 24 * 1024  # that a loaded model may take besides its arena
FLASH_BYTES = 2 * 1024 * 1024
UF2_BLOCK = 512
UF2_PAYLOAD = 256
# A build of minutes, whose C code VIRT_RV32 has, too.
RISCV = pytest.param("RPI_PICO2_RISCV", marks=pytest.mark.long)
UF2_FAMILY = {"RPI_PICO": 0xE48BFF56, "RPI_PICO2": 0xE48BFF59, "RPI_PICO2_RISCV": 0xE48BFF5A}
BLOCK_OF_CODE = struct.pack("<2I", 0xFFFFDED3, 0x11010142)  # what RP2350's loader starts: RISC-V's

LOAD = """
import gc, tflm, uctypes
def load(path):
    gc.collect()
    before = gc.mem_alloc()
    interp = tflm.Interpreter(path)
    gc.collect()
    heap = gc.mem_alloc() - before - len(interp.arena.buf)
    model = interp.model
    print(model.in_flash, uctypes.addressof(model.buf), len(model.buf), heap)
"""
LOOP = """
import micropython
@micropython.asm_thumb
def loop(r0):
    label(TOP)
    sub(r0, r0, 1)
    bne(TOP)
@micropython.viper
def wrap(a: int, b: int) -> int:
    return a * b + 1
@micropython.viper
def load_word(address: ptr32) -> int:
    return address[0]
"""
LED_LEVEL, LED_TOP = 0x4005005C, 0x40050060  # of PWM slice 4, whose output B is the LED's pin
CYCLES_A_TURN = 3  # 1 for the subtraction, 2 for the branch: Cortex-M0+ manual, 3.3


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


@pytest.fixture(scope="module")
def pico():
    files = [SINE, MODELS / "digits_cnn.tflite", ("a.bin", b"abc")]
    with open_target(NAME, models=files) as target:
        target.exec(LOAD + LOOP)
        yield target


def test_exec_raises_and_goes_on(pico, tmp_path):
    with pytest.raises(ExecError, match="ZeroDivisionError"):
        pico.exec("1 / 0")
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint(sys.implementation._machine)\n")
    assert pico.run_file(script) == "Raspberry Pi Pico with RP2040\n"


def test_exec_long_code_and_long_output_complete(pico):
    code = "".join(f"print({i})\n" for i in range(10000, 10500))
    assert pico.exec(code).split() == [str(i) for i in range(10000, 10500)]
    assert len(pico.exec("for i in range(500): print('0123456789' * 5)")) == 500 * 51


def test_flash_has_filesystem_beside_romfs(pico):
    code = "import os\ns = os.statvfs('/')\nprint(s[0] * s[2], sorted(os.listdir('/rom')))"
    board = load_board(NAME)
    filesystem = FLASH_BASE + FLASH_BYTES - board.romfs_start - board.romfs_size
    assert pico.exec(code) == f"{filesystem} ['a.bin', 'digits_cnn.tflite', 'sine.tflite']\n"
    pico.exec("with open('/kept.txt', 'w') as file: file.write('kept' * 1000)")
    assert pico.exec("print(len(open('/kept.txt').read()), open('/rom/a.bin').read())") == (
        "4000 abc\n"
    )


def test_heap_is_as_large_as_board_file_says(pico):
    heap = int(pico.exec("import gc\nprint(gc.mem_alloc() + gc.mem_free())"))
    assert load_board(NAME).heap_size <= heap


def test_model_in_romfs_is_aligned_and_read_in_place(pico):
    for path in (SINE, MODELS / "digits_cnn.tflite"):
        in_flash, address, size, heap = pico.exec(f"load({pico.path(path)!r})").split()
        board = load_board(NAME)
        assert in_flash == "True"
        assert board.romfs_start <= int(address) < board.romfs_start + board.romfs_size
        assert int(address) % 16 == 0
        assert int(size) == path.stat().st_size
        assert int(heap) < PYTHON_HEAP


def test_model_larger_than_ram_loads_from_flash(zoo):
    model = zoo / "person_detect.tflite"
    with open_target(NAME, models=[model]) as target:
        printed = target.exec(f"{LOAD}\nload({target.path(model)!r})").split()
    assert int(printed[2]) == model.stat().st_size > load_board(NAME).heap_size
    assert printed[0] == "True"
    assert int(printed[3]) < PYTHON_HEAP


@pytest.fixture(scope="module")
def judged(oracle, zoo):
    cases = {case.job.name.partition(".")[0]: case for case in zoo_cases(oracle, zoo)}
    chosen = [cases[name] for name in ZOO]
    for case, count in zip(chosen, ZOO.values(), strict=True):
        del case.job.inputs[count:], case.expected[count:]
        case.job.lock = True
    return chosen


def test_zoo_models_from_romfs_bytes_equal_tflm(judged):
    results = run_jobs(NAME, [case.job for case in judged])
    assert {result.backend for result in results} == {"c"}
    assert mismatches(judged, results) == []
    assert all(result.heap_bytes < PYTHON_HEAP for result in results)


def test_prepared_zoo_models_bytes_equal_tflm(judged):
    isa = load_board(NAME).isa
    jobs = [replace(case.job, model=prepare(case.job.model, isa)) for case in judged]
    results = run_jobs(NAME, jobs)
    assert mismatches(judged, results) == []
    assert all(result.heap_bytes < PYTHON_HEAP for result in results)
    needs = [
        Interpreter(job.model, measure=True, prepared=True).arena_used_bytes() for job in jobs
    ]
    assert [result.arena_used_bytes for result in results] == needs


def test_model_prepared_for_other_kernels_is_refused(judged):
    job = replace(judged[-1].job, model=prepare(judged[-1].job.model, "dsp"))
    (result,) = run_jobs(NAME, [job])
    name, message = result.error
    assert name == "ModelError"
    assert "prepared for dsp" in message
    assert load_board(NAME).isa in message


def test_viper_kernels_give_same_bytes_as_c(judged):
    small = [case for case in judged if case.job.name.startswith("hello_world")]
    for case in small:
        case.job.backend, case.job.lock = "viper", False
    results = run_jobs(NAME, [case.job for case in small])
    assert [result.backend for result in results] == ["viper"]
    assert mismatches(small, results) == []


def test_sine_example_dims_led(pico):
    assert pico.run_file(ROOT / "examples" / "sine.py").startswith("arena:")
    code = "import machine\nprint(machine.mem32[{}] >> 16, machine.mem32[{}] + 1)"
    level, top = map(int, pico.exec(code.format(LED_LEVEL, LED_TOP)).split())
    last = (math.sin(2 * math.pi * 31 / 32) + 1) / 2
    assert abs(level / top - last) < 0.05


def test_viper_int_wraps_at_32_bits(pico):
    assert pico.exec("print(wrap(65536, 65536), wrap(46341, 46341))") == "1 -2147479014\n"


@pytest.mark.parametrize("turns", [1, 1000, 100000])
def test_count_cycles_of_known_loop_exact(pico, turns):
    pico.count_cycles("n = 10", "loop(n)")  # all global names are there from now on
    one = pico.count_cycles("n = 10", "loop(n)")
    more = pico.count_cycles(f"n = {10 + turns}", "loop(n)")
    assert more - one == CYCLES_A_TURN * turns


def test_count_cycles_in_two_processes_equal():
    statements = ("interp.invoke()", "x = [i for i in range(1000)]")
    counts = []
    for _ in range(2):
        with open_target(NAME, models=[SINE]) as target:
            setup = f"import tflm\ninterp = tflm.Interpreter({target.path(SINE)!r})"
            counts.append([target.count_cycles(setup, statement) for statement in statements])
    assert counts[0] == counts[1]
    assert all(count > 1000 for count in counts[0])


def test_restarted_by_watchdog_flash_keeps_files():
    with open_target(NAME, models=[("a.bin", b"abc")]) as target:
        target.exec("with open('/kept.txt', 'w') as file: file.write('kept')")
        with pytest.raises(TargetError, match="no reply"):
            target.exec("kept = 1\nimport machine\nmachine.reset()", timeout=2)
        target.repl.enter(30)
        code = "print(open('/kept.txt').read(), open('/rom/a.bin').read(), 'kept' in globals())"
        assert target.exec(code) == "kept abc False\n"


def fault_of(code):
    with open_target(NAME) as target, pytest.raises(TargetError) as caught:
        target.exec(f"import machine, uctypes\n{LOOP}\n{code}", timeout=20)
    assert "node ended with status 3; fault: pc=" in str(caught.value)
    return str(caught.value)


def test_read_of_no_memory_ends_emulator_and_names_function():
    fault = fault_of("print(machine.mem32[1 << 31])")
    assert "faulted in machine_mem_subscr" in fault
    assert "invalid memory address" in fault


def test_misaligned_word_load_ends_emulator():
    fault = fault_of("data = bytearray(16)\nprint(load_word(uctypes.addressof(data) + 1))")
    assert "not 32 bit aligned" in fault


def test_models_too_large_for_romfs_raise():
    with pytest.raises(TargetError, match="it holds 1048576"):
        open_target(NAME, models=[("big", bytes(1048576))])


@pytest.mark.parametrize("name", ["RPI_PICO2", "RPI_PICO2_RISCV", "RPI_PICO_W"])
def test_open_target_of_board_without_emulator_raises(name):
    with pytest.raises(TargetError, match=f"nothing emulates {name}"):
        open_target(name)


def test_icount_raises():
    with pytest.raises(TargetError, match="counts cycles, without icount"):
        open_target(NAME, icount=True)


@pytest.mark.parametrize("name", ["RPI_PICO", "RPI_PICO2", RISCV])
def test_uf2_fits_in_front_of_romfs_and_names_chip(name):
    program = build(name)
    uf2 = program.with_suffix(".uf2").read_bytes()
    firmware = program.with_suffix(".bin").read_bytes()
    blocks = [
        struct.unpack_from("<8I", uf2, start) + (uf2[start + 32 :][:UF2_PAYLOAD],)
        for start in range(0, len(uf2), UF2_BLOCK)
    ]
    chip = [block for block in blocks if block[7] == UF2_FAMILY[name]]
    assert Counter(block[7] for block in chip) == {UF2_FAMILY[name]: len(chip)}
    assert [block[3] for block in chip] == [FLASH_BASE + UF2_PAYLOAD * i for i in range(len(chip))]
    assert b"".join(block[8] for block in chip)[: len(firmware)] == firmware
    assert FLASH_BASE + len(firmware) <= load_board(name).romfs_start


@pytest.mark.parametrize("name", ["RPI_PICO2", RISCV])
def test_boot_loader_of_rp2350_finds_code_for_the_cores_of_the_board(name):
    firmware = build(name).with_suffix(".bin").read_bytes()
    assert (BLOCK_OF_CODE in firmware[:4096]) == (name == "RPI_PICO2_RISCV")
    start = firmware.index(BLOCK_OF_CODE[:4])
    image, flags = struct.unpack_from("<HH", firmware, start + 4)
    assert (image, flags & 0xF, flags >> 12) == (0x142, 1, 1)  # one word, a program, an RP2350


def test_pico_w_without_checkout_says_so_in_one_line():
    environment = {key: value for key, value in os.environ.items() if key != "MICROPYTHON_DIR"}
    done = subprocess.run(
        [ROOT / "scripts" / "build_firmware.sh", "RPI_PICO_W"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "error: the radio driver of RPI_PICO_W is in no package:"
        " set MICROPYTHON_DIR to a git checkout of MicroPython with submodules\n"
    )


@pytest.mark.parametrize("name", rp2_board_names())
def test_board_file_partitions_are_whole_sectors(name):
    board = load_board(name)
    assert board.romfs_start % 4096 == 0
    assert board.romfs_size % 4096 == 0
    assert board.romfs_start - FLASH_BASE >= 640 * 1024


def test_mpremote_deploys_romfs_that_stays_over_resets():
    build(NAME)
    data = bytes(range(256)) * 40
    with Rp2040Emulator(load_board(NAME), pty=True) as emulator:
        deploy_romfs(
            emulator.port, build_romfs([("data.bin", data), (SINE.name, SINE.read_bytes())])
        )
        code = "d = open('/rom/data.bin', 'rb').read()\nprint(d == bytes(range(256)) * 40)"
        assert mpremote(emulator.port, "soft-reset", "exec", code).strip() == "True"
        code = "import tflm\nprint(tflm.Interpreter('/rom/sine.tflite').model.in_flash)"
        assert mpremote(emulator.port, "soft-reset", "exec", code).strip() == "True"
        with pytest.raises(TargetError, match="ZeroDivisionError"):
            mpremote(emulator.port, "exec", "1 / 0")


# What two cores compute is in test_cores.py.
def test_cores_soft_reset_goes_back_to_one():
    build(NAME)
    with Rp2040Emulator(load_board(NAME), pty=True) as emulator:
        code = "import tflm\nprint(tflm.cores(2))"
        for _ in range(2):
            assert mpremote(emulator.port, "soft-reset", "exec", code).strip() == "1"
        assert mpremote(emulator.port, "resume", "exec", code).strip() == "2"
        with pytest.raises(TargetError, match="cores: 1 or 2"):
            mpremote(emulator.port, "resume", "exec", "tflm.cores(3)")
