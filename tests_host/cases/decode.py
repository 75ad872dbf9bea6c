"""Models of TFLM_DECODE."""

from functools import partial
from math import prod

from cases.op import Op
from support.draw.one_op import OneOp, pack
from support.models.model_builder import Quant

TYPES = ("INT8", "INT8", "INT16", "INT32", "INT64", "FLOAT32", "BOOL")
TABLE, HUFFMAN, PRUNED = range(3)


def packed(text):
    """Return a text of bits as bytes, some zeros behind them."""
    text += "0" * (-len(text) % 32 + 32)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def header(kind, bits=0, stride=0):
    return bytes([kind, 1, 0, 0, 1, bits, stride]) + bytes(9)


def _quant(draw, shape, dtype, has_zeros):
    """Return the quantization of an output: of channels, along the first or the last axis."""
    if dtype not in ("INT8", "INT16"):
        return None, 1
    axis = draw.rng.choice((0, len(shape) - 1))
    channels = shape[axis] if draw.odds(0.6) else 1
    zeros = [draw.zero_point() if has_zeros and dtype == "INT8" else 0 for _ in range(channels)]
    return Quant(
        [draw.scale() for _ in range(channels)], zeros, axis if channels > 1 else 0
    ), channels


def _of_table(draw, shape, dtype):
    bits, (quant, channels) = draw.size(1, 7), _quant(draw, shape, dtype, False)
    stride = draw.size(1, 1 << bits)
    text = "".join(format(draw.size(0, stride - 1), f"0{bits}b") for _ in range(prod(shape)))
    table = draw.bytes_of(dtype, stride * channels)
    return packed(text), header(TABLE, bits, stride) + table, quant


def _pruned(draw, shape, dtype):
    quant, _ = _quant(draw, shape, dtype, True)
    flags = [draw.size(0, 1) for _ in range(prod(shape))]
    table = draw.bytes_of(dtype, sum(flags))
    return packed("".join(map(str, flags))), header(PRUNED) + table, quant


def _huffman(draw, shape, dtype):
    """Symbols of 1, 2, 3 and 3 bits: the first look-up has 2, the second 1."""
    is_long = dtype == "INT16" or draw.odds(0.5)
    low, high = (-32768, 32767) if dtype == "INT16" else (-128, 127)
    symbols = [draw.size(low, high) for _ in range(4)]
    codes = ("0", "10", "110", "111")
    mask, shift = (0xFFFF, 27) if is_long else (0xFF, 11)

    def found(symbol, bits):
        return 1 << (shift + 4) | bits << shift | (symbols[symbol] & mask)

    entries = [found(0, 1), found(0, 1), found(1, 2), 1, found(2, 1), found(3, 1)]
    text = "".join(draw.rng.choice(codes) for _ in range(prod(shape)))
    table = pack("I" if is_long else "H", entries)
    quant = draw.quant_of(dtype)
    return packed(text), header(HUFFMAN, 1 << 4 | is_long) + table, quant


def decode(make, types, limit, draw):
    model = OneOp(draw)
    inputs, outputs = [], []
    for _ in range(draw.size(1, limit)):
        dtype, shape = draw.rng.choice(types), draw.shape()
        encoded, ancillary, quant = make(draw, shape, dtype)
        inputs += [model.const([len(data)], "UINT8", data) for data in (encoded, ancillary)]
        outputs.append(model.builder.tensor(shape, dtype, quant))
    model.builder.op("TFLM_DECODE", inputs, outputs)
    return model.builder.build([], outputs), []


CASES = {
    "decode_table": Op(partial(decode, _of_table, TYPES, 3), kernel="decode"),
    "decode_pruned": Op(partial(decode, _pruned, TYPES, 3), kernel="decode"),
    "decode_huffman": Op(partial(decode, _huffman, ("INT8", "INT16"), 3), kernel="decode"),
}
