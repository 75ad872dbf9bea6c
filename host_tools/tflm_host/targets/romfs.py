"""Read-only file system images for MicroPython's /rom, with every file's data aligned.

    image    = d2 cd 31, uint length, records...
    record   = uint kind, uint length, payload
    folder   = kind 4; payload: uint length of the name, name, records
    file     = kind 5; payload: uint length of the name, name, one data record
    data     = kind 2; payload: the bytes of the file
    padding  = kind 1; payload: skipped by every reader

A uint is big-endian groups of seven bits, bit 7 set on all but the last; the first may be zero.
A padding record in front of a file record aligns the file's data. Stock firmware mounts such an
image, and a model in it can be used in place. Offsets count from the start of the image, which a
board maps at an aligned address.

Runs on MicroPython, too: the web page that talks to boards has it.

Source: MicroPython extmod/vfs_rom.c and mpremote/romfs.py @v1.25.0 (the format).
"""

MAGIC = b"\xd2\xcd\x31"
PADDING, DATA, FOLDER, FILE = 1, 2, 4, 5
FOLDER_LENGTH = 4  # bytes of the uint of a folder's length, so that it is known beforehand
MAX_HEADER = 9  # mpremote reads no further for the length of the image
MAX_DEPTH = 32  # of folders
SHORTEST = 2  # bytes of an empty record
MORE = 0x80  # set on every byte of a uint but its last


class RomfsError(ValueError):
    """An image that breaks the format, or a file name that it cannot hold."""


def build_romfs(files, align=16):
    """Return an image that holds *files*, pairs of (name, bytes), data aligned to *align*.

    A name with slashes in it, such as "lib/a.py", puts its file into folders.
    """
    names = [name for name, _ in files]
    for name in names:
        _check_path(name)
        if names.count(name) > 1 or any(other.startswith(name + "/") for other in names):
            raise RomfsError(f"two files are called '{name}'")
    if align < 1 or align & (align - 1):
        raise RomfsError(f"alignment {align} is not a power of two")
    # The padding depends on the header's length and the header on the padding: try each length.
    for header in range(len(MAGIC) + 1, MAX_HEADER + 1):
        body = _records(files, align, header)
        length = _uint(len(body))
        if len(MAGIC) + len(length) <= header:
            return MAGIC + _wide(length, header - len(MAGIC)) + body
    raise RomfsError(f"{len(body)} bytes are too many for an image")


def _check_path(path):
    """Raise RomfsError unless *path* is one that a board can open, in /rom and nowhere else."""
    parts = path.split("/")
    if len(parts) > MAX_DEPTH:
        raise RomfsError(f"{path[:40]!r}...: {len(parts)} folders, {MAX_DEPTH} at most")
    for part in parts:
        if part in ("", ".", "..") or "\0" in part or "\\" in part or not _is_utf8(part):
            raise RomfsError(f"{path!r} is not a file name")


def _is_utf8(name):
    try:
        name.encode()
    except UnicodeEncodeError:  # a surrogate, of a name that is no UTF-8 on this machine
        return False
    return True


def list_romfs(image):
    """Return (name, offset, size) of every file of *image*, as a board would find them.

    A file in folders has them in its name: "lib/a.py".
    """
    if image[: len(MAGIC)] != MAGIC:
        raise RomfsError("no ROMFS image: bad magic")
    length, pos = _read_uint(image, len(MAGIC), len(image))
    end = pos + length
    if end > len(image):
        raise RomfsError(f"image ends at {len(image)}, its header says {end}")
    return _read_folder(image, pos, end, "")


def _records(files, align, start):
    """Return the records of *files*, the first of which lies at byte *start* of the image."""
    body = bytearray()
    for name, content in _grouped(files):
        write = _folder if isinstance(content, list) else _file
        body += write(name, content, align, start + len(body))
    body += _padding(-(start + len(body)) % align, align)
    return bytes(body)


def _grouped(files):
    """Return (name, bytes) of files and (name, files) of folders, in the order of the first."""
    entries, order = {}, []
    for name, data in files:
        folder, slash, rest = name.partition("/")
        if folder not in entries:
            order.append(folder)
        if slash:
            entries.setdefault(folder, []).append((rest, data))
        else:
            entries[name] = data
    return [(name, entries[name]) for name in order]


def _folder(name, files, align, start):
    encoded = name.encode()
    front = _uint(len(encoded)) + encoded
    size = len(_uint(FOLDER)) + FOLDER_LENGTH + len(front)
    payload = front + _records(files, align, start + size)
    length = _uint(len(payload))
    if len(length) > FOLDER_LENGTH:
        raise RomfsError(f"{len(payload)} bytes are too many for a folder")
    return _uint(FOLDER) + _wide(length, FOLDER_LENGTH) + payload


def _file(name, data, align, start):
    encoded = name.encode()
    front = _uint(len(encoded)) + encoded + _uint(DATA) + _uint(len(data))
    front = _uint(FILE) + _uint(len(front) + len(data)) + front
    return _padding(-(start + len(front)) % align, align) + front + data


def _padding(nbytes, align):
    """Return a padding record of *nbytes*, or of *align* more where no record is so short."""
    if nbytes == 0:
        return b""
    while nbytes < SHORTEST:
        nbytes += align
    for size in range(1, 6):
        length = _uint(nbytes - 1 - size) if nbytes > size else b""
        if len(length) == size:
            return _uint(PADDING) + length + bytes(nbytes - 1 - size)
    # No length fits exactly (129 bytes: one length byte is too short, two are too long).
    return _padding(nbytes + align, align)


def _wide(encoded, size):
    """Return a uint as *size* bytes, the first of which are zeros."""
    return bytes([MORE]) * (size - len(encoded)) + encoded


def _uint(value):
    groups = [value & 0x7F]
    value >>= 7
    while value:
        groups.append(MORE | (value & 0x7F))
        value >>= 7
    return bytes(reversed(groups))


def _read_uint(image, pos, end):
    value = 0
    while pos < end:
        byte = image[pos]
        pos += 1
        value = value << 7 | (byte & 0x7F)
        if not byte & MORE:
            return value, pos
    raise RomfsError(f"number runs past the end of its record at {pos}")


def _read_record(image, pos, end):
    """Return kind, first byte of the payload and the byte after it."""
    kind, pos = _read_uint(image, pos, end)
    length, pos = _read_uint(image, pos, end)
    if length > end - pos:
        raise RomfsError(f"record at {pos} runs past the end of its parent")
    return kind, pos, pos + length


def _read_folder(image, pos, end, prefix):
    """Return the list of list_romfs() for the records from *pos* to *end*."""
    files = []
    while pos < end:
        kind, start, pos = _read_record(image, pos, end)
        if kind == FOLDER:
            name, start = _read_name(image, start, pos, prefix)
            files += _read_folder(image, start, pos, prefix + name + "/")
        elif kind == FILE:
            name, start = _read_name(image, start, pos, prefix)
            files.append((prefix + name,) + _read_data(image, name, start, pos))
    return files


def _read_name(image, pos, end, prefix):
    """Return the name at *pos* of a file or folder in *prefix*, and the byte after it."""
    length, pos = _read_uint(image, pos, end)
    if length > end - pos:
        raise RomfsError(f"name at {pos} runs past the end of its record")
    encoded = bytes(image[pos : pos + length])
    try:
        name = encoded.decode()
    except UnicodeDecodeError:
        raise RomfsError(f"the name {encoded!r} at {pos} is no UTF-8") from None
    if "/" in name:
        raise RomfsError(f"{name!r} at {pos} is not a file name")
    _check_path(prefix + name)
    return name, pos + length


def _read_data(image, name, pos, end):
    """Return where the data of the file *name* lies, and its size."""
    while pos < end:
        kind, start, pos = _read_record(image, pos, end)
        if kind == DATA:
            return start, pos - start
    raise RomfsError(f"file '{name}' has no data")
