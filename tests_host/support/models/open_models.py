"""A dilated convolution as Keras 3 and its converter write it, with the batch open or fixed."""

import random
import struct

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.model import flatfile

LENGTH, CHANNELS = 8, 3
SHAPE = [1, LENGTH, 1, CHANNELS]


def dilated(*, is_open=False, times=1):
    """Return SPACE_TO_BATCH_ND, CONV_2D, BATCH_TO_SPACE_ND and RELU of int8, of SHAPE.

    is_open  the batch is -1 in each shape_signature and 1 in each shape, also where it is 2
    times    of these nodes one behind the other
    """
    rng = random.Random(7)
    b = ModelBuilder("a dilated convolution")
    quant = Quant(0.5, 3)
    x, *wholes = (b.tensor(SHAPE, "INT8", quant) for _ in range(1 + 2 * times))
    halves = [b.tensor([2, LENGTH // 2, 1, CHANNELS], "INT8", quant) for _ in range(2 * times)]
    block = b.tensor([2], "INT32", data=struct.pack("<2i", 2, 1))
    zeros = b.tensor([2, 2], "INT32", data=bytes(16))
    weights = b.tensor(
        [CHANNELS, 3, 1, CHANNELS], "INT8", Quant([0.1, 0.2, 0.3]), rng.randbytes(27)
    )
    sizes = {"padding": 0, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1}
    at = x
    for i in range(0, 2 * times, 2):
        (blocks, mixed), (out, y) = halves[i : i + 2], wholes[i : i + 2]
        b.op("SPACE_TO_BATCH_ND", [at, block, zeros], [blocks])
        b.op("CONV_2D", [blocks, weights], [mixed], **sizes)
        b.op("BATCH_TO_SPACE_ND", [mixed, block, zeros], [out])
        b.op("RELU", [out], [y])
        at = y
    data = b.build([x], [at])
    if not is_open:
        return data
    root = flatfile.read(data)
    for tensor in root.subgraphs[0].tensors[: 1 + 4 * times]:
        tensor.shape = [1, *tensor.shape[1:]]
        tensor.shape_signature = [-1, *tensor.shape[1:]]
    return flatfile.write(root)
