"""What `decode` writes for any encoding, one that ends early too; it reads no byte more."""

import ctypes
import mmap
import os
import random
import struct

import pytest

from support.native.native_call import Call, run_nodes
from tflm.base import layout
from tflm.ops.index import kernel_index

TABLE, WORDS, PRUNED, LONG_WORDS = range(4)  # as in ops/decode.py
HEADER = bytes(16)
PAGE = mmap.PAGESIZE
CASES = 400


def bits_of(encoded):
    return "".join(format(byte, "08b") for byte in encoded)


def looked_up(part, zeros, encoded, table):
    """Return the elements of a table or of a pruned tensor, one for each index or flag."""
    text, size, bits = bits_of(encoded), part["size"], part["bits"]
    made, taken = b"", 0
    for i in range(part["elements"]):
        channel = i // part["run"] % part["channels"]
        index = int(text[i * bits : (i + 1) * bits], 2)
        at = taken if part["kind"] == PRUNED else channel * part["stride"] + index
        taken += index
        if part["kind"] == PRUNED and not index:
            number = zeros[channel if len(zeros) > 1 else 0]
            made += (number & (1 << 8 * size) - 1).to_bytes(size, "little")
        elif at < part["table"]:
            made += table[at * size : (at + 1) * size]
        else:
            made += bytes(size)
    return made


def words_of(part, encoded, entries):
    """Return the elements of Huffman codes: *entries* are numbers."""
    shift = 27 if part["kind"] == LONG_WORDS else 11
    text, at, made = bits_of(encoded) + "0" * 32, 0, b""
    for _ in range(part["elements"]):
        width, place, entry = part["bits"], 0, 0
        while True:
            place += int(text[at : at + width], 2) if at < 8 * len(encoded) else 0
            if place >= part["table"] or at >= 8 * len(encoded):
                entry = 0
                break
            at += width
            entry = entries[place]
            count = entry >> shift & 15
            if entry >> shift + 4 & 1:
                at -= max(width - count, 0)
                break
            width = count + 1
            place += entry & (1 << shift) - 1
        made += (entry & (1 << 8 * part["size"]) - 1).to_bytes(part["size"], "little")
    return made


def drawn_table(rng):
    """Return (words, zero points, encoded, table, the output) of a table or a pruned tensor."""
    size, kind = rng.choice((1, 2, 4, 8)), rng.choice((TABLE, PRUNED))
    bits = 1 if kind == PRUNED else rng.randint(1, 7)
    run, channels = rng.randint(1, 5), rng.randint(1, 4)
    elements = run * channels * rng.randint(1, 4)
    stride = rng.randint(1, 1 << bits)
    entries = rng.randint(0, channels * stride if kind == TABLE else elements)
    encoded = rng.randbytes((elements * bits + 7) // 8)
    part = {"kind": kind, "bits": bits, "elements": elements, "size": size}
    part |= {"nbytes": len(encoded), "table": entries, "run": run, "channels": channels}
    part["stride"] = stride
    zeros = [rng.randint(-128, 127) for _ in range(rng.choice((1, channels)))]
    table = rng.randbytes(entries * size)
    return part, zeros, encoded, table, looked_up(part, zeros, encoded, table)


def drawn_words(rng):
    """Return the same of Huffman codes; most entries are of no use, and codes end early."""
    kind, size = rng.choice(((WORDS, 1), (LONG_WORDS, 1), (LONG_WORDS, 2)))
    shift, code = (27, "I") if kind == LONG_WORDS else (11, "H")
    entries = []
    for _ in range(rng.randint(1, 40)):
        symbol = rng.randrange(1 << (8 * size)) if rng.random() < 0.7 else None
        count = rng.choice((0, 1, 2, 3, 8, 11))
        low = rng.randint(0, 9) if symbol is None else symbol
        entries.append((symbol is not None) << shift + 4 | count << shift | low)
    encoded = bytes(
        rng.choice((0, 0, 1, 128, rng.randrange(256))) for _ in range(rng.randint(1, 8))
    )
    elements = rng.randint(1, 40)
    part = {"kind": kind, "bits": rng.choice((1, 2, 3, 4, 12)), "elements": elements, "size": size}
    part |= {"nbytes": len(encoded), "table": len(entries), "run": elements, "channels": 1}
    part["stride"] = 0
    table = struct.pack(f"<{len(entries)}{code}", *entries)
    return part, [0], encoded, table, words_of(part, encoded, entries)


def record_of(part, zeros):
    return struct.pack(f"<{10 + len(zeros)}i", *part.values(), len(zeros), *zeros)


@pytest.mark.parametrize("draw", [drawn_table, drawn_words])
def test_any_encoding_gives_what_the_format_says(draw):
    rng = random.Random(41)
    for case in range(CASES):
        first, second = draw(rng), draw(rng)
        records = b"".join(record_of(*one[:2]) for one in (first, second))
        held = [HEADER + first[3], second[2], HEADER + second[3]]
        outputs = [*held, bytes(len(first[4])), bytes(len(second[4]))]
        call = Call("decode", struct.pack("<i", 2) + records, [first[2]], outputs)
        assert call.run(run_nodes) == [*held, first[4], second[4]], case


@pytest.mark.parametrize("draw", [drawn_table, drawn_words])
def test_as_many_outputs_are_written_as_the_record_says(draw):
    rng = random.Random(43)
    for _ in range(20):
        part, zeros, encoded, table, wanted = draw(rng)
        records = 2 * record_of(part, zeros)  # one more than there are
        outputs = [HEADER + table, bytes(len(wanted)), bytes(200 + len(wanted))]
        call = Call("decode", struct.pack("<i", 1) + records, [encoded], outputs)
        assert call.run(run_nodes) == [outputs[0], wanted, outputs[2]]


def run_at_end(part, zeros, encoded, table, size):
    """Run the kernel on an *encoded* that ends where memory ends: to read on is a signal."""
    libc = ctypes.CDLL(None, use_errno=True)
    pages = mmap.mmap(-1, 2 * PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    assert libc.mprotect(ctypes.c_void_p(address + PAGE), ctypes.c_size_t(PAGE), 0) == 0
    at = PAGE - len(encoded)
    pages[at:PAGE] = encoded
    data = HEADER + table
    arena = bytearray(data + bytes(-len(data) % 16 + size) + bytes(256))
    output, record = len(data) + -len(data) % 16, len(arena) - 240
    refs = [at << 1 | layout.MODEL, 0 << 1 | layout.ARENA, output << 1 | layout.ARENA]
    words = struct.pack("<3ii", *refs, 1) + record_of(part, zeros)
    record += -record % 16
    arena[record : record + len(words)] = words
    entry = record + 160
    struct.pack_into(
        layout.NODE_FORMAT, arena, entry, kernel_index("decode"), 3, record << 1 | layout.ARENA
    )
    run_nodes(arena, memoryview(pages), entry, 0, 1)
    return bytes(arena[output : output + size])


@pytest.mark.parametrize("draw", [drawn_table, drawn_words])
def test_nothing_behind_the_encoded_bytes_is_read(draw):
    rng = random.Random(42)
    child = os.fork()
    if child == 0:
        same = False
        try:
            for _ in range(CASES // 4):
                *facts, wanted = draw(rng)
                same = run_at_end(*facts, len(wanted)) == wanted
                if not same:
                    break
        finally:
            os._exit(not same)
    assert os.waitpid(child, 0)[1] == 0  # a signal: it read on
