"""Runs on the board for `tflm deploy`: looks at the board, writes models, tries them.

The host sends this file, then calls its functions. Each prints one line of JSON behind MARK. A
part of an image never mounts: the old header is erased first, and the start of the new one is
written last.

Source: MicroPython extmod/modvfs.c, ports/rp2/rp2_flash.c and ports/stm32/vfs_rom_ioctl.c
@v1.25.0 (vfs.rom_ioctl; mpremote uses it in the same way).
"""

import gc
import json
import os
import sys
from binascii import a2b_base64, hexlify

MARK = "tflm:"
SEGMENTS, SEGMENT, PREPARE, WRITE, COMPLETE, BLOCK_SIZE = 1, 2, 3, 4, 5, 6  # vfs.rom_ioctl
BLOCK_COUNT_OF, BLOCK_SIZE_OF, ERASE_OF = 4, 5, 6  # ioctl of a block device
EEXIST, EINVAL, EROFS = 17, 22, 30
CHUNK = 4096  # bytes sent at once, unless the flash wants to be written in larger ones
# Bytes that hold the start of the header and that a flash programs at once: a page of QSPI, a word
# of an STM32F4 or F7, a flash word of an H7.
PAGE, WORD, FLASH_WORD = 256, 4, 32
MAGIC = b"\xd2\xcd\x31"
PART = ".tflm.part"  # behind the name of a file that is not complete yet
ROM = "/rom"


class Rom:
    """ROMFS partition 0: a block device (rp2), or memory behind vfs.rom_ioctl (stm32)."""

    def __init__(self):
        import vfs

        self.call = vfs.rom_ioctl
        self.device = self.call(SEGMENT, 0)
        self.view = memoryview(self.device)
        self.is_blocks = hasattr(self.device, "ioctl")
        if self.is_blocks:
            self.block = self.device.ioctl(BLOCK_SIZE_OF, 0)
            self.size = self.device.ioctl(BLOCK_COUNT_OF, 0) * self.block
        else:
            self.block = max(self.call(BLOCK_SIZE, 0), 0)  # 0: all is erased at once
            self.size = len(self.view)
        self.chunk = min(self.block or CHUNK, CHUNK)

    def check_writable(self):
        """Raise OSError where the partition cannot be written; changes nothing."""
        if not self.is_blocks and not self.block:
            _checked(self.call(PREPARE, 0, 0))

    def begin(self, nbytes):
        """Unmount /rom and destroy the old image's header; *nbytes* are going to be written."""
        import vfs

        try:  # noqa: SIM105 - no contextlib on boards
            vfs.umount(ROM)
        except OSError:
            pass
        if self.block:
            self._erase(0)
        else:
            self.chunk = max(CHUNK, _checked(self.call(PREPARE, 0, nbytes)))
        if self.has_image():  # erasing does nothing: it is RAM
            self._program(0, bytes(16))

    def write(self, offset, data):
        """Write one chunk. The first of a block erases it; begin() erased that of the header.

        Power may go while a chunk is written: of the first one, the header's start comes last.
        """
        if self.block and offset and offset % self.block == 0:
            self._erase(offset)
        last = self._last_written()
        if offset == 0 and len(data) > last:
            self._program(last, data[last:])
            data = data[:last]
        self._program(offset, data)

    def _last_written(self):
        if self.is_blocks:
            return PAGE
        return WORD if "STM32F" in getattr(sys.implementation, "_machine", "") else FLASH_WORD

    def complete(self):
        """Say that all is written. The port of an STM32 knows no such command."""
        code = 0 if self.is_blocks else self.call(COMPLETE, 0)
        if code != -EINVAL:
            _checked(code)

    def has_image(self):
        return bytes(self.view[: len(MAGIC)]) == MAGIC

    def digest(self, start, end):
        return _digest(self.view[start:end])

    def _erase(self, offset):
        if self.is_blocks:
            self.device.ioctl(ERASE_OF, offset // self.block)
        else:
            _checked(self.call(PREPARE, 0, offset, self.block))

    def _program(self, offset, data):
        if self.is_blocks:
            self.device.writeblocks(offset // self.block, data, offset % self.block)
        else:
            _checked(self.call(WRITE, 0, offset, data))


def _checked(code):
    if code < 0:
        raise OSError(-code)
    return code


def _digest(view):
    from hashlib import sha256

    total = sha256()
    for i in range(0, len(view), CHUNK):
        total.update(view[i : i + CHUNK])
    return hexlify(total.digest()).decode()


rom = None  # the partition that is written; None: files are


def emit(value):
    print(MARK + json.dumps(value))


# Looking


def look(folder):
    """Print the board's facts and its room; *folder* is "" for ROMFS if there is one."""
    global rom  # noqa: PLW0603 - the state of a board is its names
    import tflm

    rom = None if folder else _find_rom()
    facts = {"version": tflm.__version__, "backends": tflm.backends(), "old": []}
    facts["build"], facts["flash"] = _build(), _flash()
    if rom:
        facts["room"], facts["folder"] = rom.size, ROM
        if rom.has_image():
            facts["old"] = _names(ROM)
        facts["image"] = rom.has_image()
    else:
        folder = folder or os.getcwd()
        facts["room"], facts["folder"] = _free(folder), folder
        facts["old"] = _names(folder)
    facts["in_place"] = rom is not None
    emit(facts)


def _build():
    """Return [kernels, layout] of this build, None without C kernels."""
    try:
        import _tflm
    except ImportError:
        return None
    return [_tflm.isa, _tflm.layout]


def _flash():
    """Return which flash the board has, as tflm.run.prepared says it; None without that module."""
    try:
        from tflm.run.prepared import flash_here
    except ImportError:
        return None
    return flash_here()


def _find_rom():
    """Return the partition, or None on a board without one that can be written."""
    import vfs

    if not hasattr(vfs, "rom_ioctl") or vfs.rom_ioctl(SEGMENTS) < 1:
        return None
    try:
        found = Rom()
        found.check_writable()
    except OSError as error:
        if error.errno != EROFS:
            raise
        return None
    return found


def _names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _free(folder):
    """Return the free bytes of the filesystem of *folder*, 0 where nothing can be written.

    None where there is no such folder.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return None
    for name in names:
        if name.endswith(PART):  # of a deploy that was interrupted
            os.remove(folder.rstrip("/") + "/" + name)
    try:
        values = os.statvfs(folder)
    except (OSError, AttributeError):
        return 0
    return values[1] * values[4]


def check(ops, kernels, sizes):
    """Say which *ops*, pairs of (code or name, version), and *kernels* are missing.

    Say, too, whether blocks of *sizes* bytes fit.
    """
    import tflm

    resolver = tflm.default_resolver()
    missing = [i for i in range(len(ops)) if resolver.find_op(ops[i][0], ops[i][1]) is None]
    missing += [name for name in kernels if not has_kernel(name)]
    gc.collect()
    blocks = []
    try:
        for size in sizes:
            blocks.append(bytearray(size))
        fits = True
    except MemoryError:
        fits = False
    blocks = None
    gc.collect()
    emit({"missing": missing, "fits": fits, "free": gc.mem_free()})


def has_kernel(name):
    from tflm import kernels
    from tflm.ops.index import kernel_index

    try:
        from _tflm import form
    except ImportError:
        return kernels.find(name) is not None
    return form(kernel_index(name)) or kernels.find(name) is not None


# Writing


def begin(nbytes):
    rom.begin(nbytes)
    emit(rom.chunk)


def write(offset, text):
    rom.write(offset, a2b_base64(text))


def digest(start, end):
    emit(rom.digest(start, end))


def append(path, mode, text):
    with open(path + PART, mode) as file:
        file.write(a2b_base64(text))


def file_digest(path):
    from hashlib import sha256

    total = sha256()
    with open(path + PART, "rb") as file:
        while True:
            data = file.read(512)
            if not data:
                break
            total.update(data)
    emit(hexlify(total.digest()).decode())


def rename(path):
    """Put the complete file in the place of an old one of this name."""
    try:
        os.rename(path + PART, path)
    except OSError as error:
        if error.errno != EEXIST:  # a filesystem that does not replace files
            raise
        os.remove(path)
        os.rename(path + PART, path)


# Trying


def prove(path):
    """Load the model, run it once on the inputs of fill(), print the outputs."""
    import tflm
    from tflm.base.clock import ticks_diff, ticks_us

    gc.collect()
    interp = tflm.Interpreter(path)  # as a program does: outside of /rom nothing is trusted
    for tensor in interp.inputs:
        fill(tensor.data)
    start = ticks_us()
    interp.invoke()
    taken = ticks_diff(ticks_us(), start)
    outputs = [_digest(tensor.data) for tensor in interp.outputs]
    facts = {"model": _digest(interp.model.buf), "outputs": outputs, "microseconds": taken}
    facts["in_flash"] = interp.model.in_flash
    facts["arena"] = interp.arena_used_bytes()
    facts["backend"] = interp.backend
    emit(facts)


def fill(data):
    """Fill an input with bytes that are finite as float32, too."""
    for i in range(len(data)):
        data[i] = (i * 37 + (i >> 5)) & 63
