"""The caches of flash that measure/flash.h has, beside lists that do the same on random traces."""

import ctypes
import random
import shutil
from collections import Counter

import pytest

from support.native.assembler import assembled
from tflm_host.measure.blocks import FLAGS, HEADER
from tflm_host.measure.cycles import CORES, disassemble
from tflm_host.model.native import link

CODE_LINES, DATA_LINES, LINE, WAITS = 64, 8, 16, 5  # of an STM32F4, as RM0090 has them

C = f"""
#include "{HEADER}"
xip_t xip;
art_t art;
void clear(void) {{ xip = (xip_t) {{{{{{0}}}}}}; art = (art_t) {{.current = 0}}; }}
uint64_t xip_at(uint64_t start, uint64_t end) {{ return xip_read(&xip, start, end); }}
void data(uint64_t start, uint64_t end) {{ art_read(&art, start, end); }}
void run(uint64_t start, uint64_t end, const unsigned char *cycles, bool is_jump) {{
    art_run(&art, start, end, cycles, is_jump);
}}
uint64_t missed(void) {{ return art.missed; }}
uint64_t jumps(void) {{ return art.jumps; }}
uint64_t late(void) {{ return art.late; }}
unsigned least(unsigned first, unsigned second, bool is_wide, bool is_after_load) {{
    return least_cycles(first, second, is_wide, is_after_load);
}}
bool load(unsigned first, bool is_wide) {{ return is_load(first, is_wide); }}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("flash")
    (folder / "flash.c").write_text(C)
    link(folder / "flash.so", FLAGS, [folder / "flash.c"])
    library = ctypes.CDLL(str(folder / "flash.so"))
    address = ctypes.c_uint64
    for name, types in (
        ("xip_at", [address, address]),
        ("data", [address, address]),
        ("run", [address, address, ctypes.c_char_p, ctypes.c_bool]),
        *((name, []) for name in ("missed", "jumps", "late")),
        ("least", [ctypes.c_uint, ctypes.c_uint, ctypes.c_bool, ctypes.c_bool]),
        ("load", [ctypes.c_uint, ctypes.c_bool]),
    ):
        getattr(library, name).argtypes = types
        getattr(library, name).restype = address
    library.load.restype = ctypes.c_bool
    return library


@pytest.fixture
def flash(library):
    library.clear()
    return library


class Lru:
    """A list of lines, the one used last at its end."""

    def __init__(self, size):
        self.size, self.lines = size, []

    def misses(self, line):
        is_missed = line not in self.lines
        if not is_missed:
            self.lines.remove(line)
        self.lines = [*self.lines, line][-self.size :]
        return is_missed


def lines_of(start, end, nbytes):
    return range(start // nbytes, (end - 1) // nbytes + 1)


@pytest.mark.parametrize("span", [12 << 10, 17 << 10, 60 << 10])
def test_cache_of_an_rp2040_has_1024_sets_of_two_lines(flash, span):
    rng, sets = random.Random(span), {}
    for _ in range(4000):
        start = 8 * rng.randrange(span // 8) + rng.randrange(8)
        end = start + rng.choice((1, 2, 4, 40))
        missed = sum(
            sets.setdefault(line % 1024, Lru(2)).misses(line) for line in lines_of(start, end, 8)
        )
        assert flash.xip_at(start, end) == missed


@pytest.mark.parametrize("span", [100, 140, 400, 20000])
def test_an_stm32f4_keeps_eight_lines_of_data(flash, span):
    rng, lru, missed = random.Random(span), Lru(DATA_LINES), 0
    for _ in range(3000):
        start = rng.randrange(span)
        end = start + rng.choice((1, 2, 4, 4))
        missed += sum(map(lru.misses, lines_of(start, end, LINE)))
        flash.data(start, end)
    assert flash.missed() == missed


class Art:
    """Waits for code, one event after the other."""

    def __init__(self):
        self.lru, self.line, self.ran, self.counts = Lru(CODE_LINES), None, 0, Counter()

    def run(self, start, end, cycles, is_jump):
        for i, line in enumerate(lines_of(start, end, LINE)):
            if line != self.line:
                if self.lru.misses(line):
                    if is_jump and i == 0:
                        self.counts["jumps"] += 1
                    else:
                        self.counts["late"] += min(max(WAITS + 1 - self.ran, 0), WAITS)
                self.line, self.ran = line, 0
            self.ran += cycles[i]


@pytest.mark.parametrize("span", [700, 1100, 1300, 9000])
def test_an_stm32f4_waits_for_jumps_and_for_late_prefetches(flash, span):
    rng, art, end = random.Random(span), Art(), None
    for _ in range(3000):
        is_jump = end is None or rng.random() < 0.6
        start = 2 * rng.randrange(span // 2) if is_jump else end
        end = start + 2 * rng.randrange(1, 40)
        cycles = [rng.randrange(10) for _ in lines_of(start, end, LINE)]
        art.run(start, end, cycles, is_jump)
        flash.run(start, end, bytes(cycles), is_jump)
    assert (flash.jumps(), flash.late()) == (art.counts["jumps"], art.counts["late"])
    assert flash.jumps() > 0 and flash.late() > 0


def test_a_loop_that_fits_waits_once_and_a_longer_one_in_each_round(flash):
    def rounds(lines):
        flash.clear()
        for _ in range(10):
            flash.run(0, lines * LINE, bytes([4] * lines), True)
        return flash.jumps(), flash.late()

    assert rounds(CODE_LINES) == (1, (CODE_LINES - 1) * 2)
    assert rounds(CODE_LINES + 1) == (10, 10 * CODE_LINES * 2)


INSTRUCTIONS = """
ldr r0, [r1]
ldr r2, [r1, r3]
ldrsh r4, [r0, r1]
str r0, [r1]
ldrb.w r8, [r2], #1
ldr r1, [sp, #8]
strh r3, [r2, #6]
push {r0-r4, lr}
pop {r0, r3, r5}
stmia r1!, {r2-r5}
add r0, r1
ldmia.w r3!, {r4-r9, ip}
ldrd r0, r1, [r2]
strd r3, r4, [r2, #8]
smlad r0, r1, r2, r0
movs r0, #3
vldr s0, [r1]
vldr s1, [r1, #4]
vstr s0, [r2]
ldr.w r9, [r0, r1, lsl #2]
cmp r0, #3
tbb [pc, r0]
"""


@pytest.mark.firmware
def test_cycles_of_instructions_are_those_of_the_core(library, tmp_path):
    if shutil.which("arm-none-eabi-as") is None:
        pytest.skip("no cross assembler")
    lines = [".fpu fpv4-sp-d16", *INSTRUCTIONS.split("\n")]
    code = assembled(tmp_path, "-mcpu=cortex-m4", lines)
    at, total, is_after_load = 0, 0, False
    while at < len(code):
        first, second = (int.from_bytes(code[i : i + 2], "little") for i in (at, at + 2))
        is_wide = first >> 11 >= 29
        total += library.least(first, second, is_wide, is_after_load)
        is_after_load = library.load(first, is_wide)
        at += 4 if is_wide else 2
    assert total == CORES["Cortex-M4F"].costs(disassemble([code])[code])[0]
