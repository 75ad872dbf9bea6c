"""The C stack of kernels: read from GCC's graphs of calls, and bounded on every core."""

import pytest

from tflm.ops.collect import rows
from tflm_host.measure import ledger, stack

NODE = (
    'node: {{ title: "{}" label: "{}\\nfirmware/x.c:1:2\\n{} bytes ({})\\n0 dynamic objects" }}\n'
)
EDGE = 'edge: {{ sourcename: "{}" targetname: "{}" label: "x.c:3:4" }}\n'


def node(name, nbytes, kind="static"):
    return NODE.format(name, name, nbytes, kind)


def edges(*pairs):
    return "".join(EDGE.format(*pair) for pair in pairs)


def test_measure_adds_the_frames_of_the_deepest_chain_across_files():
    first = node("tflm_conv", 100) + node("x.c:row", 40) + node("x.c:tail", 60)
    first += edges(("tflm_conv", "x.c:row"), ("tflm_conv", "x.c:tail"), ("x.c:row", "tflm_sums"))
    first += 'node: { title: "tflm_sums" label: "tflm_sums\\nsums.h:1:2" shape : ellipse }\n'
    second = node("tflm_sums", 30) + edges(("tflm_sums", "memset"))
    assert stack.measure([first, second]) == {
        "tflm_conv": 170,
        "x.c:row": 70,
        "x.c:tail": 60,
        "tflm_sums": 30,
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (node("f", 8) + node("g", 8) + edges(("f", "g"), ("g", "f")), "calls itself"),
        (node("f", 8, "dynamic"), "f has a frame that is dynamic"),
    ],
)
def test_measure_refuses_a_stack_without_bound(text, words):
    with pytest.raises(ValueError, match=words):
        stack.measure([text])


@pytest.mark.parametrize("board", stack.OF_ISA.values())
def test_no_kernel_takes_more_stack_than_the_limit(board):
    saved = ledger.parse(stack.saved_in(board).read_text(), stack.KEYS)
    assert {name for (name,) in saved} == {kernel.name for kernel in rows().kernels}
    assert max(row["stack"] for row in saved.values()) <= stack.LIMIT


@pytest.mark.parametrize("board", stack.OF_ISA.values())
def test_stack_of_a_built_firmware_is_what_the_table_says(board):
    found = stack.kernels_of(board, [kernel.name for kernel in rows().kernels])
    if not found:
        pytest.skip(f"no firmware of {board} has graphs of calls: run `make boards`")
    saved = ledger.parse(stack.saved_in(board).read_text(), stack.KEYS)
    assert max(found.values()) <= stack.LIMIT
    changed = {n: s for n, s in found.items() if ledger.rose(s, saved[n,]["stack"])}
    assert changed == {}, "run `make size-save`, and look at what has risen"


def test_diff_counts_kernels_above_the_limit(monkeypatch, capsys):
    monkeypatch.setattr(ledger, "committed", lambda _path: "kernel,stack\ncopy,8\n")
    found = [("dsp", "MPS2_AN386", {"copy": 16, "conv": stack.LIMIT + 1})]
    assert stack.compare(found) == 1
    assert "MPS2_AN386: conv takes more than 3,328 bytes of stack" in capsys.readouterr().out
