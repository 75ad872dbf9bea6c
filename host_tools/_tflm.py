"""The C module `_tflm` (firmware/tflm/modtflm.c) for CPython: same names, arguments, errors.

The kernels are the same C files, built as a shared library on first import. Without a compiler
they are a release's WebAssembly, where wasmtime is installed; else there is no such module, as in
firmware without kernels. Where TFLM_CHECKED is set in the environment, it is the library with
sanitizers; see tflm_host/model/native.py.
"""

import os
from operator import index
from threading import RLock

import numpy as np

from tflm.base.layout import PREPARED_FORMAT
from tflm_host.model import native, wasm_kernels

_CHECKED = os.environ.get("TFLM_CHECKED", "0") != "0"
_WORD = 4
_NODE_SIZE = 8
_KERNELS_MAX = 0x7FFFFFFF
_RUNS_MAX = 0x3FFFFFFF
_SPOILT = 0xA5
_UNSET = 5
_beginning = RLock()  # two threads may ask at once, and a handler of signals within
_SLICES = 16  # of long nodes, until CPython sees to signals
_SLICE = 1 << 22  # products, as on boards
# Words of the array that feed() takes behind (node, place, room, state, bytes of a row, rows), and
# why it may refuse: firmware/tflm/binding_feed.h.
_FED_BYTES, _FED_HEIGHT, _FED_COUNT, _FED_WANTS, _FED_RUNS = range(4, 9)
_FED_MISFIT, _FED_STALE = 8, 9
_AUDIO_BANDS, _AUDIO_OUTPUT = 40, 5  # of a line; the offset in a state
# Words of tflm_mel_t, and how many there are: firmware/tflm/audio/mel.h.
_MEL_SAMPLES, _MEL_VALUES, _MEL_NORMAL, _MEL_HEADER = 5, 11, 19, 33
_LINES_MAX = 1 << 15
# Words of tflm_picture_t and tflm_fit_t, bits of a mode: image/picture.h, binding_image.h.
_PICTURE_WORDS, _PICTURE_SIZE, _PICTURE_TABLES = 23, 17, 19
_FIT_HEIGHT, _FIT_WIDTHS, _FIT_CHANNELS, _FIT_ROW_BYTES = 6, 11, 17, 24
_FIT_FRAME, _FIT_ROW, _FIT_BEGINS = 1, 2, 4
_FIT_MISFIT, _FIT_BUSY = 1, 2

isa = native.host_isa()
layout = PREPARED_FORMAT


def _library():
    """Return the kernels compiled here, or those of the wheel."""
    try:
        return native.load(_CHECKED, isa)
    except OSError as error:
        if _CHECKED or isa != wasm_kernels.ISA or not wasm_kernels.KERNELS.exists():
            raise ImportError(f"no C kernels: {error}") from error
        try:
            return wasm_kernels.load()
        except ImportError:
            cure = f"or {wasm_kernels.CURE}, which runs them without one"
            raise ImportError(f"no C kernels: {error}, {cure}") from error


_lib = _library()
_on_copies = _CHECKED or isinstance(_lib, wasm_kernels.WasmKernels)


class Graph:
    """The node table at the tagged offset *table*, with *count* nodes, ready to run.

    gate  Arena._gate: [state, runs, ...]; no buffer is watched here, CPython lets none be resized
    tail  the memory of the arena's tail, if that is another
    Raises ValueError where the table does not fit its space.
    """

    def __init__(self, arena, model, table, count, gate=None, _watched=(), tail=b""):
        arena = np.frombuffer(arena, np.uint8)
        model = np.frombuffer(model, np.uint8)
        tail = np.frombuffer(tail, np.uint8) if len(tail) else np.zeros(0, np.uint8)
        table, count = index(table), index(count)
        if not (arena.flags.writeable and tail.flags.writeable):
            raise TypeError("object with buffer protocol required")
        if (arena.ctypes.data | tail.ctypes.data) % _WORD:
            raise ValueError("arena is not aligned")
        if table < 0:
            raise ValueError("table")
        space, offset = (arena, model, tail, model)[table & 1 | table >> 28 & 2], table >> 1
        offset -= native.TAIL_OFFSET if space is tail else 0
        if not 0 <= offset <= space.size or (space.ctypes.data + offset) % _WORD:
            raise ValueError("table")
        if not 0 <= count <= (space.size - offset) // _NODE_SIZE:
            raise ValueError("count")
        self._buffers = arena, model, tail  # kept alive: the addresses below point into them
        at = tail.ctypes.data - native.TAIL_OFFSET
        self._spaces = native.Spaces((arena.ctypes.data, model.ctypes.data, at))
        self._sizes = native.Spaces((arena.size, model.size, tail.size))
        self._table = table
        self.node = 0  # that ran last, or that stopped the run
        self.first = 0  # with which a run of all begins: those before it are done for good
        self._count = count
        self._gate = gate
        self.turn = -1  # gate[1] where a run may begin
        self.keeps = False  # whether the next one may begin without more ado
        self._dead = np.zeros(0, int)  # offsets in the arena

    def begin(self):
        """Begin a run; return 0, or the negative number of the reason that forbids it."""
        gate = self._gate
        if gate is not None:
            with _beginning:
                if gate[0] != 0:
                    return -gate[0]
                if gate[1] != self.turn:
                    return -_UNSET
                gate[0] = 1
                gate[1] = (gate[1] + 1) & _RUNS_MAX
                if self.keeps:
                    self.turn = gate[1]
        self._has_run = False
        return 0

    def end(self, reason):
        """End the run, if it has begun: *reason* is what `begin` returned."""
        if reason != 0:
            return
        if self._has_run:  # not only other subgraphs, whose plans differ
            self._buffers[0][self._dead] = _SPOILT
        if self._gate is not None:
            self._gate[0] = 0

    def feed(self, row, words):
        """Run with this row of the input; return as firmware/tflm/binding_feed.h does.

        words  an array of int32 that the group's feeder made: see there
        """
        row, fed = np.frombuffer(row, np.uint8), np.frombuffer(words, np.int32)
        if row.size != fed[_FED_BYTES]:
            return -_FED_MISFIT
        if fed[_FED_COUNT] and fed[_FED_RUNS] != self._gate[1]:
            return -_FED_STALE
        reason = None
        try:
            reason = self.begin()
            if reason == 0:
                self._take_row(row, fed)
        finally:
            self.end(reason)
        if reason:
            return reason
        fed[_FED_RUNS] = self._gate[1]
        return int((fed[_FED_HEIGHT] - fed[_FED_COUNT]) % fed[_FED_HEIGHT])

    def _take_row(self, row, fed):
        node, place, room, state, size, height = fed[:_FED_COUNT].tolist()
        arena = self._buffers[0]
        goal, first, made = (slice(at, at + _WORD) for at in range(state, state + 12, _WORD))
        if fed[_FED_COUNT] == 0:
            arena[goal] = 0
            fed[_FED_WANTS] = self(node, node + 1)
        fed[_FED_COUNT] += 1
        if fed[_FED_WANTS]:
            number = int(np.subtract(*(arena[word].view(np.int32)[0] for word in (made, first))))
            if 0 <= number < room:
                arena[place + number * size :][:size] = row
                arena[made].view(np.int32)[0] += 1
            fed[_FED_WANTS] = self(node, node + 1)
        if fed[_FED_COUNT] == height:
            fed[_FED_COUNT] = 0
            self(node + 1)

    def spoil(self, dead, alive):
        """Let each run overwrite the views *dead* of the arena, but for bytes of views *alive*.

        So what a board's memory plan may destroy is destroyed here, and no test is right by luck.
        """
        self._dead = np.setdiff1d(self._offsets(dead), self._offsets(alive))

    def _offsets(self, views):
        first = self._buffers[0].ctypes.data
        starts = [np.frombuffer(view, np.uint8).ctypes.data - first for view in views if len(view)]
        sizes = [len(view) for view in views if len(view)]
        spans = [
            np.arange(start, start + size)
            for start, size in zip(starts, sizes, strict=True)
            if 0 <= start < self._buffers[0].size  # and not in the tail's memory
        ]
        return np.concatenate([np.zeros(0, int), *spans])

    def __call__(self, first=None, last=None):
        """Run nodes first..last-1, all as a run of their own; return how many are left."""
        if first is None:
            return self._run_all()
        first = index(first)
        last = self._count if last is None else index(last)
        if not 0 <= last <= self._count:
            raise ValueError("last")
        if not 0 <= first <= last:
            raise ValueError("first")
        place = native.Place(first, 0)
        self._has_run = True
        try:
            while self._run(place, last):
                pass  # here Ctrl-C comes through
        finally:
            if first < last:
                self.node = min(place.node, last - 1)
        return last - place.node

    def _run(self, place, last):
        """Run on from *place*; return whether that is to be called again."""
        where = self._table, place, last, _SLICES, _SLICE
        if _on_copies:
            return _lib.tflm_run_checked(self._spaces, self._sizes, *where)
        return _lib.tflm_run(self._spaces, *where)

    def _run_all(self):
        reason = None
        try:
            reason = self.begin()
            if reason == 0:
                return self(self.first)
        finally:
            self.end(reason)
        return reason


def form(kernel):
    """Return the form of this kernel's parameters, a number; 0 if the library does not have it."""
    kernel = index(kernel)
    return _lib.tflm_form(kernel) if 0 <= kernel <= _KERNELS_MAX else 0


def plan_rows(words):
    """Act a group out: see firmware/tflm/groups_plan.c. Boards do not have this function.

    words  an array of int32, in which the result is written; return whether there is one
    """
    if isinstance(_lib, wasm_kernels.WasmKernels):
        return _lib.plan_rows(words)
    return _lib.tflm_plan_rows(words.ctypes.data)


def checksum(buf, start, end):
    """Return the checksum of the words buf[start:end]; None where they are not aligned."""
    data = np.frombuffer(buf, np.uint8)[start:end]
    if data.ctypes.data % _WORD:
        return None
    total = 0
    for word in data[: data.size & -_WORD].view(np.uint32).tolist():
        total = ((total << 5 | total >> 27) ^ word) * 0x9E3779B1 & 0xFFFFFFFF
    return total - (total >> 31 << 32)


def fence(buf, header):
    """Return 0 where what the snapshot at *header* says is sound; see firmware/tflm/fence.h."""
    data = np.frombuffer(buf, np.uint8)
    return _lib.tflm_fence(data.ctypes.data, data.size, header)


def audio_claim(state):
    """Return whether nobody had *state*, an audio front end's; whoever has it now sets byte 0."""
    with _beginning:
        is_free = state[0] == 0
        state[0] = 1
    return is_free


def audio_feed(state, samples, start, line):
    """Return twice the number of the first sample left, + 1 where *line* was written.

    -1 where a call is under way.
    """
    samples = _pcm(samples)
    start = index(start)
    if not 0 <= start <= samples.size:
        raise ValueError("start")
    words, line = np.frombuffer(state, np.uint8), np.frombuffer(line, np.uint8)
    if line.size < _AUDIO_BANDS * (1 if state[_AUDIO_OUTPUT] else 2) or not line.flags.writeable:
        raise ValueError("line")
    if not audio_claim(state):
        return -1
    first = samples.ctypes.data + samples.itemsize * start
    try:
        done = _lib.tflm_audio_feed(
            words.ctypes.data, first, samples.size - start, line.ctypes.data
        )
    finally:
        state[0] = 0
    return 2 * start + done


def audio_mel(tables):
    """Return the bytes of a state of these *tables*; raises ValueError where they are none."""
    words = _tables(tables)
    size = _lib.tflm_mel_state_size(words.ctypes.data, words.size)
    if not size:
        raise ValueError("tables")
    return size


def audio_mel_feed(tables, state, samples, start, line):
    """Return what audio_feed does, for a state of the features of *tables*."""
    nbytes = audio_mel(tables)
    words, samples, start = _tables(tables), _pcm(samples), index(start)
    if not 0 <= start <= samples.size:
        raise ValueError("start")
    if len(state) < nbytes:
        raise ValueError("state")
    facts, line = words.view(np.int32), np.frombuffer(line, np.uint8)
    _, count, skipped = np.frombuffer(state, np.int32, 3)
    is_sound = 0 <= count < facts[_MEL_SAMPLES] and skipped >= 0
    if not is_sound or line.size < _line_size(facts) or not line.flags.writeable:
        raise ValueError("line")
    if not audio_claim(state):
        return -1
    first = samples.ctypes.data + samples.itemsize * start
    at = np.frombuffer(state, np.uint8).ctypes.data
    try:
        done = _lib.tflm_mel_feed(
            words.ctypes.data, at, first, samples.size - start, line.ctypes.data
        )
    finally:
        state[0] = 0
    return 2 * start + done


def audio_normalize(tables, lines, work, output):
    """Write what `lines`, int16, give as int8 where means and deviations are taken out."""
    audio_mel(tables)
    words, lines = _tables(tables), np.frombuffer(lines, np.uint8)
    facts, output = words.view(np.int32), np.frombuffer(output, np.uint8)
    count = lines.size // (2 * int(facts[_MEL_VALUES]))
    if len(work) < 2 * _WORD * count:
        raise ValueError("work")
    is_wanted = facts[_MEL_NORMAL] and facts[_MEL_NORMAL - 1] == 2
    fits = 0 < count < _LINES_MAX and output.size >= count * facts[_MEL_VALUES]
    if not is_wanted or not fits or not output.flags.writeable:
        raise ValueError("lines")
    work = np.frombuffer(work, np.uint8)
    _lib.tflm_mel_normalize(
        words.ctypes.data, lines.ctypes.data, count, work.ctypes.data, output.ctypes.data
    )


def image_fit(words, table):
    """Return the state that makes an input of pictures; ValueError where *words* cannot be."""
    words, table = np.frombuffer(words, np.int32), np.frombuffer(table, np.uint8)
    if words.size < _PICTURE_WORDS:
        raise ValueError("words")
    nbytes = _lib.tflm_fit_size(words.ctypes.data)
    if not nbytes or table.size < 256 * int(words[_PICTURE_TABLES]) * int(words[_PICTURE_SIZE]):
        raise ValueError("words")
    state = bytearray(nbytes)
    at = np.frombuffer(state, np.uint8).ctypes.data
    _lib.tflm_fit_make(at, words.ctypes.data, table.ctypes.data)
    return state


def image_feed(state, rows, start, out, mode):
    """Return twice the number of the first row left, + 1 where a row of the input was written.

    -1 where *rows* have another size, -2 where a call is under way.
    """
    facts = np.frombuffer(state, np.int32)
    height = int(facts[_FIT_HEIGHT])
    count = height if mode & _FIT_FRAME else 1
    if not 0 <= start <= count:
        raise ValueError("start")
    rows, out = np.frombuffer(rows, np.uint8), np.frombuffer(out, np.uint8)
    width, need = facts[_FIT_WIDTHS : _FIT_WIDTHS + 2].tolist()
    need = width * (1 if mode & _FIT_ROW else need) * int(np.prod(facts[_FIT_CHANNELS:][:2]))
    if out.size < need or not out.flags.writeable:
        raise ValueError("out")
    if rows.size != count * facts[_FIT_ROW_BYTES]:
        return -_FIT_MISFIT
    if not audio_claim(state):
        return -_FIT_BUSY
    at = facts.ctypes.data
    try:
        if mode & _FIT_BEGINS:
            _lib.tflm_fit_begin(at)
        is_row = mode & _FIT_ROW != 0
        return _lib.tflm_fit_feed(at, rows.ctypes.data, count, start, is_row, out.ctypes.data)
    finally:
        state[0] = 0


def _tables(tables):
    words = np.frombuffer(tables, np.uint8)
    if words.size < _WORD * _MEL_HEADER or words.ctypes.data % _WORD:
        raise ValueError("tables")
    return words


def _line_size(facts):
    return facts[_MEL_VALUES] * facts[_MEL_NORMAL - 1]


def _pcm(samples):
    """Return *samples*, a buffer of int16 or of their bytes, as a contiguous array of int16."""
    found = np.asarray(samples if hasattr(samples, "__array__") else memoryview(samples))
    if found.ndim != 1:
        raise ValueError(f"samples: one channel expected, shape {found.shape} given")
    if found.dtype in (np.uint8, np.int8):
        if found.size % 2:
            raise ValueError("samples: an odd number of bytes")
        return np.ascontiguousarray(found).view(np.int16)
    if found.dtype != np.int16:
        raise TypeError(f"samples: int16 expected, {found.dtype} given")
    return np.ascontiguousarray(found)
