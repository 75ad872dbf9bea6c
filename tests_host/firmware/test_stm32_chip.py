"""The STM32F4 on Unicorn, without the STM32 port: firmware of NETDUINOPLUS2 runs there, too.

That firmware needs the core, the serial port and SysTick. Code on the board does the rest: it
drives the flash controller by its registers, as ST's HAL does. test_stm32_firmware.py has the
STM32 port.
"""

import json
import struct

import pytest

from tflm_host.places import ROOT
from tflm_host.targets import cortex_m4
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.repl import ExecError, RawRepl, TargetError
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.stm32 import ChipLink, Stm32Emulator
from tflm_host.targets.stm32_chip import FLASH as FLASH_START
from tflm_host.targets.stm32_chip import HAS_RECEIVED, PARTS, Stm32F4

BOARD = "NETDUINOPLUS2"
MODELS = ("sine", "digits_cnn", "digits_ds_cnn")
BOOT_SECONDS, SECONDS = 30, 60
SECTOR, SECTOR_BYTES = 11, 128 * 1024
FREE = 0x080E0000  # that sector, behind the models

RUN = """
import tflm
from binascii import hexlify
def run(name):
    interp = tflm.Interpreter("/rom/" + name + ".tflite", keep_inputs=True)
    with open("/rom/" + name + ".in", "rb") as file:
        while file.readinto(interp.inputs[0].data):
            interp.inputs[0].assign(interp.inputs[0].data)
            interp.invoke()
            print(hexlify(interp.outputs[0].data).decode(), end="")
"""
FLASH = """
from machine import mem8, mem16, mem32
KEYR, SR, CR = 0x40023C04, 0x40023C0C, 0x40023C10
def unlock():
    mem32[KEYR] = 0x45670123
    mem32[KEYR] = 0xCDEF89AB
def program(address, value, memory=mem32):
    mem32[SR] = 0xF3
    mem32[CR] = 1
    memory[address] = value
    mem32[CR] = 0
    return mem32[SR]
def erase(sector):
    mem32[SR] = 0xF3
    mem32[CR] = 2 | sector << 3
    mem32[CR] = 2 | sector << 3 | 1 << 16
    return mem32[SR]
"""
# SysTick interrupts every 2,000 cycles, while the core has numbers in all its registers.
INTERRUPTED = """
from machine import mem32
def series(n):
    x = 0.0
    for i in range(1, n):
        x = x + 1.0 / (i * i) if i & 1 else x - 0.5 / i
    return x
quiet = series(400)
mem32[0xE000E014] = 2000
mem32[0xE000E018] = 0
noisy = series(400)
mem32[0xE000E014] = 0xFFFFFF
mem32[0xE000E018] = 0
print(quiet == noisy, quiet)
"""


def golden(name):
    return json.loads((ROOT / "models" / f"{name}.json").read_text())["golden"]


@pytest.fixture(scope="module")
def image():
    build(BOARD)
    files = [(f"{name}.in", bytes.fromhex(golden(name)["inputs"])) for name in MODELS]
    models = [ROOT / "models" / f"{name}.tflite" for name in MODELS]
    return build_romfs([*files, *((path.name, path.read_bytes()) for path in models)])


@pytest.fixture(scope="module")
def emulator(image):
    with Stm32Emulator(load_board(BOARD), image) as started:
        yield started


@pytest.fixture
def board(emulator):
    """The REPL of a board that was switched on just now, and its chip."""
    emulator.chip.power_on()
    return entered(emulator)


def entered(emulator):
    return Board(emulator.link)


class Board:
    """The REPL of the board at *link*, entered."""

    def __init__(self, link):
        self._repl = RawRepl(link)
        self._repl.enter(BOOT_SECONDS)

    def exec(self, code, timeout=SECONDS):
        return self._repl.exec(code, timeout)


@pytest.mark.parametrize("name", MODELS)
def test_model_gives_the_golden_bytes(board, name):
    board.exec(RUN)
    assert board.exec(f"run({name!r})") == golden(name)["outputs"]


def test_interrupts_leave_numbers_and_flags_alone(board, emulator):
    before = emulator.chip.exceptions
    is_equal, value = board.exec(INTERRUPTED).split()
    assert is_equal == "True"
    expected = sum(1 / i**2 if i & 1 else -0.5 / i for i in range(1, 400))
    assert float(value) == pytest.approx(expected, rel=1e-5)
    assert emulator.chip.exceptions - before > 100


@pytest.mark.usefixtures("board")
def test_ctrl_c_stops_a_program(emulator):
    emulator.link.write(b"while True: pass\n" + b"\x04")
    for _ in range(50):
        emulator.chip.step()
    emulator.link.write(b"\x03")
    found = b""
    while not found.endswith(b"\x04>"):
        found += emulator.link.read(BOOT_SECONDS)
    assert b"KeyboardInterrupt" in found


def test_reset_by_software_forgets_names(board, emulator):
    board.exec("kept = 5")
    with pytest.raises(TargetError):
        board.exec("from machine import mem32\nmem32[0xE000ED0C] = 0x05FA0004\n", 1)
    again = entered(emulator)
    assert again.exec("print('kept' in globals())") == "False\n"
    again.exec("from machine import mem32\nmem32[0xE000ED0C] = 4\n")  # without the key


def test_address_of_nothing_is_a_fault_that_ends_the_program(board, emulator):
    with pytest.raises(TargetError, match="(?s)it stopped.*fault: pc=") as caught:
        board.exec("from machine import mem32\nprint(mem32[0x60000000])")
    why = emulator.why_stopped(str(caught.value))
    assert why.startswith("it ended at")
    assert "the core faulted in machine_mem_subscr, called from " in why


def test_flash_without_keys_stays_as_it_is(board, emulator):
    board.exec(FLASH)
    before = len(emulator.chip.flash.erased), emulator.chip.flash.programmed
    assert board.exec(f"print(program({FREE}, 0), mem32[{FREE}])") == "128 -1\n"
    assert board.exec(f"print(erase({SECTOR}))") == "0\n"
    board.exec("mem32[KEYR] = 1\nunlock()")  # after a wrong one the right ones do not count
    assert board.exec(f"print(program({FREE}, 0), mem32[{FREE}])") == "128 -1\n"
    assert (len(emulator.chip.flash.erased), emulator.chip.flash.programmed) == before


def test_flash_is_programmed_from_1_to_0_and_erased_by_sector(board, emulator):
    board.exec(FLASH + "unlock()")
    assert board.exec(f"print(program({FREE}, 0x0FF0FF00), hex(mem32[{FREE}]))") == "1 0xff0ff00\n"
    assert board.exec(f"print(program({FREE}, 0x00FFFF00), hex(mem32[{FREE}]))") == "1 0xf0ff00\n"
    assert board.exec(f"print(program({FREE} + 5, 0x12, mem8), hex(mem8[{FREE} + 5]))") == (
        "1 0x12\n"
    )
    last = FREE + SECTOR_BYTES - 2
    assert board.exec(f"print(program({last}, 0x1234, mem16), hex(mem16[{last}]))") == (
        "1 0x1234\n"
    )
    before = board.exec(f"print(mem32[{FREE} - 4])")
    assert board.exec(f"print(erase({SECTOR}))") == "1\n"
    assert emulator.chip.flash.erased[-1] == SECTOR
    words = f"mem32[{FREE}], mem32[{FREE} + 4], mem16[{last}]"
    assert board.exec(f"print({words})") == "-1 -1 65535\n"
    assert board.exec(f"print(mem32[{FREE} - 4])") == before
    assert board.exec("mem32[CR] = -0x80000000\nprint(mem32[CR] < 0)") == "True\n"
    assert board.exec(f"print(program({FREE}, 0), mem32[{FREE}])") == "128 -1\n"


@pytest.mark.parametrize("left", [0, 1, 5])
def test_power_that_fails_leaves_the_words_written_before(board, emulator, left):
    board.exec(FLASH + f"unlock()\nerase({SECTOR})")
    emulator.chip.flash.operations_left = left
    with pytest.raises(TargetError, match="it stopped"):
        board.exec(f"for i in range(9):\n    program({FREE} + 4 * i, i)")
    assert emulator.why_stopped("").startswith("the power failed")
    emulator.chip.power_on()
    words = f"[mem32[{FREE} + 4 * i] for i in range(9)]"
    printed = entered(emulator).exec(f"from machine import mem32\nprint({words})")
    assert printed == f"{[*range(left), *[-1] * (9 - left)]}\n"


def test_power_that_fails_in_an_erase_leaves_half_of_the_sector(board, emulator):
    words = FREE, FREE + SECTOR_BYTES - 4
    board.exec(FLASH + f"unlock()\nfor at in {words}: program(at, 7)")
    emulator.chip.flash.operations_left = 0
    with pytest.raises(TargetError, match="it stopped"):
        board.exec(f"erase({SECTOR})")
    emulator.chip.power_on()
    code = f"from machine import mem32\nprint([mem32[at] for at in {words}])"
    assert entered(emulator).exec(code) == "[-1, 7]\n"


def test_peripheral_bits_have_words_of_their_own(board):
    code = """
from machine import mem32
port = 0x40020414
mem32[port] = 0
mem32[0x42000000 + (port - 0x40000000) * 32 + 4 * 9] = 1
print(mem32[port], mem32[0x42000000 + (port - 0x40000000) * 32 + 4 * 9], mem32[port - 4])
"""
    assert board.exec(code) == "512 1 65535\n"


def test_error_of_code_is_told_and_the_board_goes_on(board):
    with pytest.raises(ExecError, match="ZeroDivisionError"):
        board.exec("1 / 0")
    assert board.exec("print(6 * 7)") == "42\n"


def test_mpremote_talks_to_it_at_a_terminal(image):
    with Stm32Emulator(load_board(BOARD), image, pty=True) as emulator:
        assert mpremote(emulator.port, "exec", "print(6 * 7)") == "42\n"
        assert emulator.link is None
    emulator.close()


def test_image_larger_than_the_rom_and_a_clock_are_refused(image):
    board = load_board(BOARD)
    size = board.romfs_size
    with pytest.raises(TargetError, match=f"take {size + 1} bytes of /rom, it holds {size}"):
        Stm32Emulator(board, bytes(size + 1))
    with pytest.raises(TargetError, match="has no clock"):
        Stm32Emulator(board, image, icount=True)


def test_link_returns_nothing_from_a_board_that_says_nothing(emulator):
    emulator.chip.power_on()
    link = ChipLink(emulator.chip)
    while link.read(0.2):
        pass
    assert link.read(0) == b""


def test_without_unicorn_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(cortex_m4, "unicorn", None)
    with pytest.raises(TargetError, match="pip install unicorn"):
        Stm32Emulator(load_board(BOARD))


# Thumb code. R0: the serial port, R1: the interrupt controller, R5: RAM for both results.
ENABLES_AND_ASKS = (0x2220, 0x604A, 0x60C2, 0x6803, 0x602B, 0xE7FE)
HANDLER = (0x2200, 0x60C2, 0x6843, 0x606B, 0x4770)  # disables the interrupt, and reads a byte


def test_byte_at_the_serial_port_is_the_handlers_alone_while_its_interrupt_is_enabled():
    chip = Stm32F4(PARTS[BOARD])
    ram, code, handler = 0x20000000, FLASH_START + 0x400, FLASH_START + 0x440
    vector = FLASH_START + 4 * (cortex_m4.FIRST_IRQ + chip.part.irq)
    words = ((FLASH_START, ram + 1024), (FLASH_START + 4, code | 1), (vector, handler | 1))
    for address, word in words:
        chip.uc.mem_write(address, struct.pack("<I", word))
    for address, halves in ((code, ENABLES_AND_ASKS), (handler, HANDLER)):
        chip.uc.mem_write(address, struct.pack(f"<{len(halves)}H", *halves))
    chip.power_on()
    for name, value in (("R0", chip.part.usart), ("R1", cortex_m4.ENABLE), ("R5", ram)):
        chip._set(name, value)
    chip.received += b"ab"
    for _ in range(4):
        chip.step()
    status, byte = struct.unpack("<2I", chip.uc.mem_read(ram, 8))
    assert (status & HAS_RECEIVED, byte, chip.received) == (0, ord("a"), b"b")
    assert chip.exceptions == 1
    assert chip.registers.load(None, 0, 4, chip.part.usart) & HAS_RECEIVED  # polled, it is there
