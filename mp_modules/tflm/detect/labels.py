"""The labels of a model: from the zip at the end of its file, or from a file of lines."""

from struct import unpack

_END = b"PK\5\6"
_TAIL = 22  # bytes of a zip's end, which has no comment here


def read_labels(source):
    """Return the labels in *source*, one for each line.

    source  the name of a .tflite file whose metadata has one file of labels, or of a text file
    Raises ValueError where there are none, or several files of them.
    """
    with open(source, "rb") as file:
        if not source.endswith(".tflite"):
            return _lines(file.read())
        found = [entry for entry in _entries(file, source) if entry[0].lower().endswith(".txt")]
        if len(found) != 1:
            raise ValueError("%s: %d files of labels, 1 expected" % (source, len(found)))
        return _lines(_content(file, *found[0][1:]))


def _entries(file, source):
    """Return [(name, method, packed size, offset)] of the files in the zip."""
    end = file.seek(0, 2)
    file.seek(max(end - _TAIL, 0))
    tail = file.read(_TAIL)
    if len(tail) < _TAIL or tail[:4] != _END:
        raise ValueError("%s: no labels, there is no zip at its end" % source)
    _, _, _, _, count, size, start, _ = unpack("<4sHHHHIIH", tail)
    shift = end - _TAIL - size - start  # of offsets that count from the zip's own beginning
    at, found = start + shift, []
    for _ in range(count):
        file.seek(at)
        head = unpack("<4sHHHHHHIIIHHHHHII", file.read(46))
        name = file.read(head[10]).decode()
        found.append((name, head[4], head[8], head[16] + shift))
        at += 46 + head[10] + head[11] + head[12]
    return found


def _content(file, method, size, offset):
    """Return the bytes of a file in the zip, stored or deflated."""
    file.seek(offset + 26)
    file.seek(offset + 30 + sum(unpack("<HH", file.read(4))))
    data = file.read(size)
    if method == 0:
        return data
    try:
        from deflate import RAW, DeflateIO
    except ImportError:  # CPython
        from zlib import decompress

        return decompress(data, -15)
    from io import BytesIO

    return DeflateIO(BytesIO(data), RAW).read()


def _lines(data):
    """Return the lines without space around them, and without empty ones at the end."""
    lines = [line.strip() for line in data.decode().split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines
