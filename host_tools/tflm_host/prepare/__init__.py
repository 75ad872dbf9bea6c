"""`tflm prepare`: the work that depends only on the model, done here for one core's kernels."""

from binascii import crc32
from functools import partial
from math import inf

from tflm.base.arena import align_up
from tflm.base.errors import ModelError, StateError
from tflm.base.layout import ALIGNMENT, WORD
from tflm.extra.state import CONSTANTS, constants_sum
from tflm.memory import offline
from tflm.memory.planner import PLANNERS
from tflm.model import PREPARED, SUM, Model
from tflm.run import prepared
from tflm.schema import OP_WHILE

from ..model import flatfile
from ..model.flash_cache import ART_CACHE, ART_LINE, ART_WAIT, LINE, RP2_CACHE, misses_of
from ..model.settled import settled_model
from ..model.widen import fold_float16, unpack_int4
from ..plan.optimal import optimal
from .constants.dsp_wide import FEW_POSITIONS, MANY_POSITIONS, NEVER
from .decompress import decompressed
from .divide import choose, divisions
from .fold import fold_constants
from .moves import insert_moves
from .options import round_ram, word_of
from .padding import fold_padding
from .prune import prune
from .search import CYCLES, instructions_of
from .snapshot import PreparedGraph

try:
    import _tflm
except ImportError as error:  # no C compiler on this machine
    _tflm, _reason = None, str(error)


SUM_BYTES = 4
# Part of the gain of constants that fused layers may cost where flash waits. Misses are estimated
# for builds in which no loop lies in RAM, so the gain is less certain there.
KEPT_GAIN = {("armv6m", RP2_CACHE): 1.0}
KEPT_GAIN_OF_OTHERS = 0.4
MULTIPLES = {"dsp": 4, "mve": 4}  # of channels that may go, as many stay: kernels read whole words
FEW_PARAMETERS = 512  # bytes of all nodes


class KernelsMissingError(ModelError):
    """No model can be prepared on this machine."""


def prepare(
    data,
    isa,
    planner=optimal,
    ram=None,
    by_rows=True,
    feed=False,
    small=False,
    large=False,
    flash_cache=0,
    first_memory=None,
):
    """Return the model *data*, unprepared or prepared, prepared for the kernels of *isa*.

    ram  bytes of arena; no more layers are fused than this needs
    by_rows  whether any layers may be fused
    feed  take the input row by row, not as a whole
    small  keep filters as they are, without packed weights for that core
    large  pack filters that few positions read, too
    flash_cache  bytes of cache through which the core reads the file, 0 for full speed
    first_memory  bytes of the first of two memories: buffers that it cannot take lie in the second
    Raises ModelError if the runtime refuses it or it cannot be prepared, ArenaError if a buffer
    that cannot move is larger than the first memory.
    """
    if _tflm is None:
        raise KernelsMissingError(f"preparing a model needs C kernels on this machine: {_reason}")
    ram = round_ram(ram)
    word = word_of(ram, by_rows, feed, small, large, flash_cache)
    data = settled_model(decompressed(data))
    constants = _constants_of(Model(data, prepared=False))
    root = flatfile.read(Model(data, prepared=False).buf)
    for name in (PREPARED, SUM, CONSTANTS, offline.NAME):
        flatfile.drop_metadata(root, name)
    if any([fold_float16(root), unpack_int4(root), fold_constants(root), fold_padding(root)]):
        data = flatfile.write(root)
    packed_from = NEVER if small else FEW_POSITIONS if large else MANY_POSITIONS
    make = partial(PreparedGraph, isa=isa, packed_from=packed_from)
    graph_of = partial(make, flash_cache=flash_cache)
    before = instructions_of(graph_of(data)) if flash_cache else 0
    if OP_WHILE not in {code for code, _, _ in Model(data, prepared=False).opcodes}:
        prune(root, data, MULTIPLES.get(isa, 1))  # which runs the model once: a loop might not end
    search = {"feed": feed, "flash_cache": flash_cache}
    if feed and ram is None:
        ram = _as_low_as_whole(root, graph_of, search)
    pruned = flatfile.write(root)
    most_cost = _most_cost(before, graph_of(pruned), flash_cache) if flash_cache else inf
    root, best = _grouped(root, graph_of, ram, by_rows, search, most_cost)
    if flash_cache and ram is not None and best.nbytes > ram:
        graph_of = make  # constants in flash take no scratch
        root = flatfile.read(Model(pruned, prepared=False).buf)
        root, best = _grouped(root, graph_of, ram, by_rows, search)
    most = _most_arena(data, ram) if flash_cache and not best.groups else 0
    return written(root, graph_of, planner, best.groups, word, constants, most, first_memory)


def _constants_of(model):
    """Return the sum of its constants; None where an earlier version, without it, prepared it."""
    try:
        return constants_sum(model)
    except StateError:
        return None


def written(root, graph_of, planner, groups=(), word=0, constants=0, most=0, first=None):
    """Return *root*, a flatfile, as the file of a model prepared with *groups* (see groups.py).

    graph_of  returns the PreparedGraph of a file
    word  what `options.word_of` says of the options
    constants  the sum of the unprepared model's, of which a saved state knows it, or None
    most  bytes of arena with which parameters that pay there are copied to it
    first  bytes of the first of two memories, None for one
    Neither a clock nor chance decides anything: the same *root* gives the same bytes everywhere.
    """
    plan = _remembered(planner)
    graph = graph_of(flatfile.write(root))
    nbytes = graph.plan(plan, groups)
    apart = _apart(graph, plan, groups, nbytes)
    copied = _is_copied(graph, nbytes, most)
    if first is None or nbytes <= first:
        plans = plan, groups, apart
    else:
        plans = PLANNERS["overlap"], groups, apart, first & -ALIGNMENT
        graph.plan(*plans)
    size = len(graph.pack(0, 0, copied=copied))
    if graph.has_state and constants is not None:
        flatfile.add_metadata(root, CONSTANTS, constants.to_bytes(WORD, "little"))
    flatfile.add_metadata(root, SUM, bytes(SUM_BYTES))
    flatfile.add_metadata(root, PREPARED, bytes(size))
    plain = flatfile.write(root)
    pos, _ = Model(plain, prepared=False).metadata_entry(PREPARED)
    graph = graph_of(plain)  # all constants lie at other positions in this file
    graph.plan(*plans)
    return _summed(_inserted(plain, pos, graph.pack(pos, len(plain), word, copied)))


def _apart(graph, plan, groups, nbytes):
    """Return (subgraph, node) of nodes whose outputs lie apart from their inputs, in *nbytes*.

    A channel block is computed for all positions if no output replaces an input; else its filter
    is read from flash once a row. So outputs lie apart where that takes no more arena. *plan* can
    take long: it tries all of them, and the quick planner one after the other.
    """
    if graph.isa != "armv6m" or graph.flash_cache < RP2_CACHE:
        return ()
    large, quick, apart = graph.in_channel_blocks(), PLANNERS["overlap"], set()
    if not large or graph.plan(plan, groups, large) <= nbytes:
        return large
    for node in large:
        if graph.plan(quick, groups, {*apart, node}) <= nbytes:
            apart.add(node)
    return apart if graph.plan(plan, groups, apart) <= nbytes else ()


def _is_copied(graph, nbytes, most):
    """Tell whether to copy the parameters of *graph* to the arena, of *nbytes* without them.

    Each run reads them once. In flash that costs cache misses, for which other work of the PC must
    make up. An unprepared model has them in its arena, too. On an STM32F4 misses cost less than
    the arena of many parameters. Of a few, kernels read some in their loops, and wait each time.
    """
    parameters = graph.parameters_bytes()
    if graph.flash_cache == ART_CACHE:
        most = most if parameters <= FEW_PARAMETERS else 0
        misses = parameters // ART_LINE * ART_WAIT
    else:
        misses = parameters // LINE * misses_of(graph.isa)[0]
    return nbytes + align_up(parameters) <= most and graph.gain() < misses


def _most_arena(data, ram):
    """Return the bytes of arena that the unprepared *data* takes, or *ram* if that is less."""
    needed = Model(data, prepared=False).arena_required()
    return needed if ram is None else min(needed, ram)


def _as_low_as_whole(root, graph_of, search):
    """Return the bytes that a model which is fed may take: what it takes with the whole input.

    None where what would be chosen anyway takes no more.
    """
    data = flatfile.write(root)
    fed, whole = (
        _grouped(flatfile.read(Model(data).buf), graph_of, None, True, {**search, "feed": feed})[1]
        for feed in (True, False)
    )
    return whole.nbytes if fed.nbytes > whole.nbytes else None


def _grouped(root, graph_of, ram, by_rows, search, most_cost=inf):
    """Return *root*, with helpful copies in it, and the chosen Division of its nodes.

    search  options of `divisions`
    most_cost  of a division, without *ram*

    Copies keep the gaps of whole layers from adding up, so they are tried with the remaining
    groups. With layers fused and no copies the arena is often lower.
    """
    quick = PLANNERS["overlap"]
    data = flatfile.write(root)
    plain = graph_of(data)
    found = moved = list(divisions(plain, quick, **search))
    if insert_moves(root, graph_of, plain.plan(quick)):
        moved = list(divisions(graph_of(flatfile.write(root)), quick, **search))
    ways = [*moved, *found] if by_rows else moved[:1]
    if not ways:
        raise ModelError("no fused layers of this model can take its input row by row")
    best = choose(ways, ram, most_cost)
    if best not in moved:
        root = flatfile.read(Model(data).buf)
    return root, best


def _most_cost(before, after, flash_cache):
    """Return the cost of fused layers with which a run takes no longer than an unprepared one's.

    before  instructions of the products of the unprepared model;  after  a PreparedGraph
    """
    work = instructions_of(after)
    gained = (before - work) * CYCLES + after.gain()
    kept = KEPT_GAIN.get((after.isa, flash_cache), KEPT_GAIN_OF_OTHERS)
    return kept * gained / CYCLES / work


def _summed(data):
    """Return the file *data* with the sum that Model.check() compares."""
    pos, _ = Model(data, prepared=False).metadata_entry(SUM)
    end = pos + SUM_BYTES
    total = crc32(data[end:], crc32(data[:pos]))
    return data[:pos] + total.to_bytes(SUM_BYTES, "little") + data[end:]


def _inserted(plain, pos, snapshot):
    """Return the file *plain* with *snapshot*, complete except for its checksum, at *pos*."""
    out = bytearray(plain)
    end = pos + len(snapshot)
    out[pos:end] = snapshot
    total = _tflm.checksum(out, pos + prepared.SUMMED, end)
    out[pos + 4 : pos + 8] = total.to_bytes(4, "little", signed=True)
    return bytes(out)


def _remembered(planner):
    """Return *planner* with a memory of its results."""
    plans = {}

    def plan(buffers, overlaps=()):
        key = tuple(buffers), tuple(overlaps)
        if key not in plans:
            plans[key] = planner(buffers, overlaps)
        return plans[key]

    return plan
