"""Run the C kernels as WebAssembly, by wasmtime: for machines without a C compiler.

The wheel of a release has them, made by wasm.py. They have a memory of their own: a run gets
copies of the arena and of the model, and the arena goes back.
"""

import ctypes
from threading import Lock

from ..places import SOURCES
from .native import TAIL_OFFSET

KERNELS = SOURCES / "kernels.wasm"  # only in a release's wheel
CURE = "pip install wasmtime"  # their only need
ISA = "portable"  # which wasm.py compiles

_ALIGNMENT = 16
_PAGE = 65536
_FACTS = 32  # bytes of tflm_spaces_t and tflm_place_t, words of 4 bytes there
# Of firmware/tflm/audio/front.h: bytes of a state, offset of the output in it, samples of a
# window, bytes of the longest line.
AUDIO_STATE, AUDIO_OUTPUT, AUDIO_WINDOW, AUDIO_LINE = 2160, 5, 480, 80
# Words of tflm_mel_t in firmware/tflm/audio/mel.h, and how many there are.
MEL_SIZE, MEL_SAMPLES, MEL_VALUES, MEL_NBYTES, MEL_WORDS = 3, 5, 11, 18, 33
# Bytes of tflm_picture_t in firmware/tflm/image/picture.h; words of tflm_fit_t, and how many.
PICTURE, FIT_WIDTHS, FIT_CHANNELS, FIT_ROW_BYTES, FIT_WORDS = 92, 11, 17, 24, 25
FIT_TABLE = 256
FIT = "size", "make", "begin", "feed"  # functions that begin with tflm_fit_


def _aligned(address):
    return (address + _ALIGNMENT - 1) & -_ALIGNMENT


def _config():
    """Let wasmtime keep what it compiles, 0.14 s, for the next process, where it can write."""
    from wasmtime import Config, WasmtimeError

    config = Config()
    try:
        config.cache = True
    except WasmtimeError:  # the home is read-only, or there is none
        return Config()
    return config


class WasmKernels:
    """The checked library's functions for _tflm, which also run on copies: see native.load()."""

    def __init__(self, wasm):
        from wasmtime import Engine, Instance, Module, Store

        engine = Engine(_config())
        self._store = Store(engine)
        exports = Instance(self._store, Module(engine, wasm), []).exports(self._store)
        self._memory = exports["memory"]
        self._run, self._form = exports["tflm_run"], exports["tflm_form"]
        self._plan_rows = exports["tflm_plan_rows"]
        self._audio_feed = exports["tflm_audio_feed"]
        self._mel_state_size = exports["tflm_mel_state_size"]
        self._mel_feed, self._mel_normalize = (
            exports["tflm_mel_feed"],
            exports["tflm_mel_normalize"],
        )
        self._fit = {name: exports["tflm_fit_" + name] for name in FIT}
        self._fence = exports["tflm_fence"]
        self._facts = _aligned(exports["__heap_base"].value(self._store))
        self._one_at_a_time = Lock()  # a Store is no other thread's meanwhile

    def tflm_form(self, kernel):
        with self._one_at_a_time:
            return self._form(self._store, kernel)

    def tflm_fence(self, file, size, header):
        """Check a snapshot as tflm_fence() does, in a copy of the file."""
        with self._one_at_a_time:
            self._grow(self._facts + size)
            base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
            ctypes.memmove(base + self._facts, file, size)
            return self._fence(self._store, self._facts, size, header)

    def tflm_run_checked(self, spaces, sizes, table, place, last, slices, budget):
        """Run nodes as tflm_run() does, in copies of the spaces, which have these sizes."""
        with self._one_at_a_time:
            arena = _aligned(self._facts + _FACTS)
            model = _aligned(arena + sizes.of[0])
            tail = _aligned(model + sizes.of[1])
            self._grow(tail + sizes.of[2])
            far = spaces.of[2] + TAIL_OFFSET & (1 << 64) - 1
            base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
            ctypes.memmove(base + arena, spaces.of[0], sizes.of[0])
            ctypes.memmove(base + model, spaces.of[1], sizes.of[1])
            ctypes.memmove(base + tail, far, sizes.of[2])
            facts = (ctypes.c_uint32 * 5).from_address(base + self._facts)
            there = tail - TAIL_OFFSET & (1 << 32) - 1
            facts[:] = arena, model, there, place.node, place.done
            goes_on = self._run(
                self._store, self._facts, table, self._facts + 12, last, slices, budget
            )
            ctypes.memmove(spaces.of[0], base + arena, sizes.of[0])
            ctypes.memmove(far, base + tail, sizes.of[2])
            place.node, place.done = facts[3], facts[4]
        return bool(goes_on)

    def plan_rows(self, words):
        """Run tflm_plan_rows() on a copy of the array *words*, and copy the result back."""
        with self._one_at_a_time:
            self._grow(self._facts + words.nbytes)
            base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
            ctypes.memmove(base + self._facts, words.ctypes.data, words.nbytes)
            done = self._plan_rows(self._store, self._facts)
            ctypes.memmove(words.ctypes.data, base + self._facts, words.nbytes)
        return bool(done)

    def tflm_audio_feed(self, front, samples, count, line):
        """Do what the C function does, in copies of the memory at these addresses."""
        count = min(count, AUDIO_WINDOW)
        with self._one_at_a_time:
            state = self._facts
            pcm = _aligned(state + AUDIO_STATE)
            output = _aligned(pcm + 2 * AUDIO_WINDOW)
            self._grow(output + AUDIO_LINE)
            base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
            ctypes.memmove(base + state, front, AUDIO_STATE)
            ctypes.memmove(base + pcm, samples, 2 * count)
            done = self._audio_feed(self._store, state, pcm, count, output)
            ctypes.memmove(front, base + state, AUDIO_STATE)
            if done & 1:
                is_raw = ctypes.c_uint8.from_address(front + AUDIO_OUTPUT).value == 0
                nbytes = AUDIO_LINE if is_raw else AUDIO_LINE // 2
                ctypes.memmove(line, base + output, nbytes)
        return done

    def _areas(self, *sizes):
        """Return the address of each of so many areas, and what to add for this process's."""
        places = [self._facts]
        for size in sizes:
            places.append(_aligned(places[-1] + size))
        self._grow(places.pop())
        return places, ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def tflm_mel_state_size(self, tables, size):
        """Check tables as the C function does, in a copy of them."""
        with self._one_at_a_time:
            (copy,), base = self._areas(size)
            ctypes.memmove(base + copy, tables, size)
            return self._mel_state_size(self._store, copy, size)

    def tflm_mel_feed(self, tables, state, samples, count, line):
        """Do what the C function does, in copies of the memory at these addresses."""
        facts = (ctypes.c_int32 * MEL_WORDS).from_address(tables)
        size, width = facts[MEL_SIZE], facts[MEL_VALUES] * facts[MEL_NBYTES]
        nbytes = self.tflm_mel_state_size(tables, size)
        skipped = (ctypes.c_int32 * 3).from_address(state)[2]
        count = min(count, facts[MEL_SAMPLES] + skipped)
        with self._one_at_a_time:
            areas, base = self._areas(size, nbytes, 2 * count, width)
            for area, source, length in zip(
                areas, (tables, state, samples), (size, nbytes, 2 * count), strict=False
            ):
                ctypes.memmove(base + area, source, length)
            done = self._mel_feed(self._store, *areas[:3], count, areas[3])
            ctypes.memmove(state, base + areas[1], nbytes)
            if done & 1:
                ctypes.memmove(line, base + areas[3], width)
        return done

    def tflm_mel_normalize(self, tables, lines, count, _work, output):
        """Do what the C function does, in copies of the memory; leaves _work as it is."""
        facts = (ctypes.c_int32 * MEL_WORDS).from_address(tables)
        size, items = facts[MEL_SIZE], count * facts[MEL_VALUES]
        with self._one_at_a_time:
            areas, base = self._areas(size, 2 * items, 8 * count, items)
            ctypes.memmove(base + areas[0], tables, size)
            ctypes.memmove(base + areas[1], lines, 2 * items)
            self._mel_normalize(self._store, *areas[:2], count, *areas[2:])
            ctypes.memmove(output, base + areas[3], items)

    def tflm_fit_size(self, words):
        """Return the bytes of a state, as the C function does."""
        with self._one_at_a_time:
            (copy,), base = self._areas(PICTURE)
            ctypes.memmove(base + copy, words, PICTURE)
            return self._fit["size"](self._store, copy)

    def tflm_fit_make(self, state, words, table):
        """Fill a state as the C function does."""
        nbytes = self.tflm_fit_size(words)
        facts = (ctypes.c_int32 * (PICTURE // 4)).from_address(words)
        length = FIT_TABLE * facts[17] * facts[19]
        with self._one_at_a_time:
            areas, base = self._areas(PICTURE, length, nbytes)
            ctypes.memmove(base + areas[0], words, PICTURE)
            ctypes.memmove(base + areas[1], table, length)
            self._fit["make"](self._store, areas[2], *areas[:2])
            ctypes.memmove(state, base + areas[2], nbytes)

    def tflm_fit_begin(self, state):
        """Begin a frame, in a copy of the state."""
        nbytes = self._fit_bytes(state)
        with self._one_at_a_time:
            (copy,), base = self._areas(nbytes)
            ctypes.memmove(base + copy, state, nbytes)
            self._fit["begin"](self._store, copy)
            ctypes.memmove(state, base + copy, nbytes)

    def _fit_bytes(self, state):
        """Return the bytes of a state that is made."""
        return self.tflm_fit_size(state + 4)  # behind is_busy

    def tflm_fit_feed(self, state, rows, count, start, is_row, out):
        """Do what the C function does, in copies of the memory at these addresses."""
        nbytes = self._fit_bytes(state)
        facts = (ctypes.c_int32 * FIT_WORDS).from_address(state)
        width, height = facts[FIT_WIDTHS : FIT_WIDTHS + 2]
        values = width * (1 if is_row else height)
        sizes = nbytes, count * facts[FIT_ROW_BYTES], values * facts[FIT_CHANNELS] * facts[18]
        with self._one_at_a_time:
            areas, base = self._areas(*sizes)
            for area, source, length in zip(areas, (state, rows, out), sizes, strict=True):
                ctypes.memmove(base + area, source, length)
            done = self._fit["feed"](
                self._store, areas[0], areas[1], count, start, int(is_row), areas[2]
            )
            ctypes.memmove(state, base + areas[0], nbytes)
            ctypes.memmove(out, base + areas[2], sizes[2])
        return done

    def _grow(self, nbytes):
        missing = nbytes - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))


def load():
    """Return the kernels; raises ImportError where there is no wasmtime."""
    return WasmKernels(KERNELS.read_bytes())
