"""Layers that give images of another size, or of another type: steps of a random chain."""

import struct

from support.models.model_builder import SAME, VALID
from support.nets.sparse_networks import MOST_DEPTH, Network

TALLEST = 40  # rows or columns of an image that grows
ONE_STEP = {"padding": SAME, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1}


class Sizes(Network):
    """A network with images that grow and shrink, and many of them beside each other."""

    def nearest(self):
        """Take the nearest pixels: twice or four times as many, or any number."""
        self._resize("RESIZE_NEAREST_NEIGHBOR")

    def bilinear(self):
        self._resize("RESIZE_BILINEAR")

    def _resize(self, name):
        sizes = [self._size(n) for n in self.shape[1:3]]
        way = self._choice(None, None, "align_corners", "half_pixel_centers")
        options = {way: True} if way else {}
        target = self.builder.tensor([2], "INT32", None, struct.pack("<2i", *sizes))
        shape = [1, *sizes, self.shape[3]]
        output = self.builder.tensor(shape, "INT8", self._quant())
        self.builder.op(name, [self.at, target], [output], **options)
        self.at, self.shape = output, shape

    def _size(self, size):
        wanted = self._choice(2 * size, 2 * size, 4 * size, 3 * size, self.rng.randint(1, 20))
        return wanted if wanted <= TALLEST else size

    def transposed(self):
        """Spread each pixel over a window of the output."""
        padding = self._choice(SAME, VALID)
        axes = [self._spread(size, padding) for size in self.shape[1:3]]
        (rows, columns), channels = axes, self.rng.randint(1, MOST_DEPTH)
        values = self._weights([channels, rows[0], columns[0], self.shape[3]], 0)
        constants = self._parameters(values, 0, self._choice(True, True, False))
        shape = [1, rows[2], columns[2], channels]
        target = self.builder.tensor([4], "INT32", None, struct.pack("<4i", *shape))
        output = self._data(shape)
        options = {"padding": padding, "stride_h": rows[1], "stride_w": columns[1]}
        ends = [target, constants[0], self.at, *constants[1:]]
        self.builder.op("TRANSPOSE_CONV", ends, [output], activation=0, **options)
        self.at, self.shape = output, shape

    def _spread(self, size, padding):
        """Return taps, stride and output size of an axis."""
        taps, stride = self.rng.randint(1, 5), self._choice(1, 2, 2, 2, 4)
        stride = stride if size * stride + taps <= TALLEST else 1
        more = self.rng.randint(0, stride - 1)
        if padding == SAME:
            return taps, stride, size * stride - more
        return taps, stride, (size - 1) * stride + taps + more

    def abreast(self):
        """Put three to five images beside each other: this one, and what is made of it."""
        before, shape, quant = self.at, self.shape, self._quant()
        axis = self._choice(2, 3, 3)
        images = [(before, shape[axis])]
        for _ in range(self.rng.randint(2, 4)):
            channels = self.rng.randint(1, 4) if axis == 3 else shape[3]
            values = self._weights([channels, 1, 1, shape[3]], 0)
            made = self.builder.tensor([*shape[:3], channels], "INT8", quant)
            constants = self._parameters(values, 0, True)
            self.builder.op("CONV_2D", [before, *constants], [made], **ONE_STEP)
            images.append((made, channels if axis == 3 else shape[2]))
        self.rng.shuffle(images)
        shape = [*shape]
        shape[axis] = sum(extent for _, extent in images)
        output = self.builder.tensor(shape, "INT8", quant)
        numbers = [number for number, _ in images]
        self.builder.op("CONCATENATION", numbers, [output], axis=axis, activation=0)
        self.at, self.shape = output, shape

    def floating(self):
        """Go by way of float32."""
        floats = self.builder.tensor(self.shape, "FLOAT32")
        self.builder.op("DEQUANTIZE", [self.at], [floats])
        output = self._data(self.shape)
        self.builder.op("QUANTIZE", [floats], [output])
        self.at = output

    def _quant(self):
        return self.builder.subgraphs[0].tensors[self.at].quant
