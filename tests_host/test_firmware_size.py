"""Sizes read from a linker map."""

from tflm_host.firmware_size import difference, measure

MAP = """
Discarded input sections

 .text.unused   0x0000000000000000       0x10 /x/build/BOARD/tflm/runner.o

Linker script and memory map

 .text.run      0x0000000000001000       0x20 /x/build/BOARD/tflm/runner.o
 .text.a_name_that_is_long_enough_for_a_line
                0x0000000000001020      0x100 /x/build/BOARD/tflm/kernels/portable/conv_2d.o
 .rodata.frozen
                0x0000000000002000     0x1000 /x/build/BOARD/frozen_content.o
 .data.x        0x0000000020000000        0x4 /x/build/BOARD/py/gc.o
 .bss.heap      0x0000000020000010      0x800 /x/build/BOARD/main.o
 .debug_info    0x0000000000000001      0x900 /x/build/BOARD/main.o
 .text.dropped  0x0000000000000000       0x30 /x/build/BOARD/tflm/runner.o
"""


def test_measure_map_sums_kept_sections_by_part():
    assert measure(MAP) == {
        "firmware": (0x20 + 0x100 + 0x1000 + 4, 4 + 0x800),
        "tflm C": (0x120, 0),
        "tflm Python": (0x1000, 0),
    }


def test_difference_shows_sign_or_equality():
    assert [difference(*pair) for pair in [(5, None), (5, 5), (1500, 5), (5, 1500)]] == [
        "",
        "=",
        "+1,495",
        "-1,495",
    ]
