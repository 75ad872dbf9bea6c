"""A dilated convolution as Keras 3 and its converter write it, with the batch open or fixed."""

import random
import struct

from support.models.model_builder import ModelBuilder, Quant
from tflm_host.model import flatfile

LENGTH, CHANNELS = 8, 3
SHAPE = [1, LENGTH, 1, CHANNELS]


def dilated(*, is_open=False):
    """Return SPACE_TO_BATCH_ND, CONV_2D, BATCH_TO_SPACE_ND and RELU of int8, of SHAPE.

    is_open  the batch is -1 in each shape_signature and 1 in each shape, also where it is 2
    """
    rng = random.Random(7)
    b = ModelBuilder("a dilated convolution")
    quant = Quant(0.5, 3)
    x, out, y = (b.tensor(SHAPE, "INT8", quant) for _ in range(3))
    blocks, mixed = (b.tensor([2, LENGTH // 2, 1, CHANNELS], "INT8", quant) for _ in range(2))
    block = b.tensor([2], "INT32", data=struct.pack("<2i", 2, 1))
    zeros = b.tensor([2, 2], "INT32", data=bytes(16))
    weights = b.tensor(
        [CHANNELS, 3, 1, CHANNELS], "INT8", Quant([0.1, 0.2, 0.3]), rng.randbytes(27)
    )
    b.op("SPACE_TO_BATCH_ND", [x, block, zeros], [blocks])
    sizes = {"padding": 0, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1}
    b.op("CONV_2D", [blocks, weights], [mixed], **sizes)
    b.op("BATCH_TO_SPACE_ND", [mixed, block, zeros], [out])
    b.op("RELU", [out], [y])
    data = b.build([x], [y])
    if not is_open:
        return data
    root = flatfile.read(data)
    for tensor in root.subgraphs[0].tensors[:5]:
        tensor.shape = [1, *tensor.shape[1:]]
        tensor.shape_signature = [-1, *tensor.shape[1:]]
    return flatfile.write(root)
