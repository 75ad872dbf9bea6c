"""Modelled cycles: costs of instructions, and the plugin's counts that they are made of."""

import shutil

import pytest

from support.native.assembler import assembled
from tflm_host.measure import bench
from tflm_host.measure.cycles import CORES, disassemble, modelled
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU

MODEL = ROOT / "models" / "digits_cnn.tflite"
M4, M0 = CORES["Cortex-M4F"], CORES["Cortex-M0+"]
pytestmark = [
    pytest.mark.firmware,
    pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed"),
]


@pytest.mark.parametrize(
    ("lines", "cycles", "jump"),
    [
        (["ldr r0, [r1]", "ldr r2, [r1, #4]", "add r0, r2"], 2 + 1 + 1, 0),
        (["str r0, [r1, #8]", "strb.w r0, [r1, r2]"], 1 + 2, 0),
        (["ldrd r0, r1, [r2]", "ldmia.w r3!, {r4-r6, sl, lr}"], 3 + 6, 0),
        (["smlad r0, r1, r2, r0", "sdiv r0, r0, r1"], 1 + 7, 0),
        (["vldmia r0!, {d0-d2}", "vmla.f32 s0, s1, s2", "vdiv.f32 s0, s1, s2"], 7 + 3 + 14, 0),
        (["pop {r4, r5, pc}"], 1 + 3 + 2, 0),
        (["l: subs r0, #1", "bne.n l"], 2, 2),
        (["cmp r0, #3", "tbb [pc, r0]"], 1 + 2, 3),
        (["blx r3"], 1, 2),
    ],
)
def test_costs_of_a_cortex_m4(tmp_path, lines, cycles, jump):
    code = assembled(tmp_path, "-mcpu=cortex-m4", [".fpu fpv4-sp-d16", *lines])
    assert M4.costs(disassemble([code])[code]) == (cycles, jump)


@pytest.mark.parametrize(
    ("lines", "cycles", "jump"),
    [
        (["ldr r0, [r1]", "ldrb r2, [r1, r0]", "muls r0, r2"], 2 + 2 + 1, 0),
        (["ldmia r0!, {r1, r2, r3}", "push {r4, lr}"], 4 + 3, 0),
        (["pop {r4, pc}"], 1 + 2 + 3, 0),
        (["l: b l"], 1, 1),
        (["bx lr"], 1, 1),
        (["mrs r0, PRIMASK"], 3, 0),
    ],
)
def test_costs_of_a_cortex_m0_plus(tmp_path, lines, cycles, jump):
    code = assembled(tmp_path, "-mcpu=cortex-m0plus", lines)
    assert M0.costs(disassemble([code])[code]) == (cycles, jump)


def test_run_from_empty_caches_misses_more_lines_and_takes_as_many_cycles():
    warm, cold = (
        bench.measure("MPS2_AN386", MODEL.name, MODEL.read_bytes(), is_cold=is_cold)
        for is_cold in (False, True)
    )
    assert warm.missed < cold.missed < warm.missed + 2048  # lines that the cache has
    assert warm.f4_missed <= cold.f4_missed
    assert warm.cycles == cold.cycles


@pytest.fixture(scope="module", params=["MPS2_AN386", "M0PLUS"])
def measured(request):
    """The cost of a model, and the parts of the plugin's report."""
    seen = []
    blocks = bench.Blocks

    class Kept(blocks):
        def parts(self):
            seen.append(super().parts())
            return seen[0]

    bench.Blocks = Kept
    try:
        cost = bench.measure(request.param, MODEL.name, MODEL.read_bytes(), "c")
    finally:
        bench.Blocks = blocks
    return request.param, cost, seen[0]


def test_blocks_hold_the_instructions_that_the_clock_counts(measured):
    _, cost, parts = measured

    def instructions(part):
        listing = disassemble(list(part.blocks))
        return sum(len(listing[code]) * count for code, (count, _) in part.blocks.items())

    counted = instructions(parts[5]) - instructions(parts[1])
    assert abs(counted - cost.invoke) <= cost.invoke // 10_000 + 1


def test_cycles_are_those_of_the_parts_and_all_filters_are_read(measured):
    target, cost, parts = measured
    core = CORES[bench.load_board(target).cpu]
    assert cost.cycles == modelled(core, parts[5]) - modelled(core, parts[1])
    assert cost.invoke < cost.cycles < 2 * cost.invoke
    assert MODEL.stat().st_size / 2 < cost.model_bytes
    assert 0 < cost.missed_code < cost.missed
    data = cost.missed - cost.missed_code
    if target == "M0PLUS":
        assert cost.waiting == cost.cycles + 110 * cost.missed
        assert cost.f4_waiting is None
        assert all(part.art_data == part.art_jumps == part.art_late == 0 for part in parts)
    else:
        assert cost.waiting == cost.cycles + 34 * data + 56 * cost.missed_code
        part = parts[5]
        assert part.art_data + part.art_jumps == cost.f4_missed > 0
        assert cost.f4_waiting == cost.cycles + 5 * cost.f4_missed + part.art_late
        assert 1.05 * cost.cycles < cost.f4_waiting < 1.5 * cost.cycles
