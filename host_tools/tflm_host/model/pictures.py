"""Pictures as PNG files, without Pillow."""

import struct
import zlib

GREY, RGB = 0, 2  # colour types
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(pixels):
    """Return the PNG file of *pixels*, uint8 of height, width and 1 or 3 channels."""
    height, width, channels = pixels.shape
    kind = {1: GREY, 3: RGB}[channels]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)  # 0: a row is not filtered
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return SIGNATURE + b"".join(map(_chunk, parts))


def _chunk(part):
    name, data = part
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
