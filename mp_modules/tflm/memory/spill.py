"""The memory plan in two memories: buffers that the first one cannot take lie in the second.

A buffer's life decides which. Counted reads gain little. Over 63 models of others in four sizes of
first memory, 49 % of accesses go to the second, in place of 52 %. Over 10 larger models it is 41 %
either way.
"""

from ..base.layout import TAIL
from ..base.port import const
from .planner import ONLINE

_MANY = const(180)  # buffers: a plan of more takes too long to be made again and again
_BACK = const(24)  # buffers that may come back
_SINGLE = const(8)  # rounds that move one buffer each; later ones move more


def divide(buffers, overlaps, planner, room):
    """Plan *buffers* so that the first memory has at most *room* bytes of them.

    Returns (offsets, bytes in the first memory, bytes at the start of the second). Offsets into
    the second have TAIL more. The buffers move one by one. At the moment with most bytes, the one
    with the longest life moves, because kernels use it least often. Then some come back that
    still fit, the shortest life first. Buffers with fixed offsets stay: then the first memory may
    get more than *room* bytes.
    """
    is_far = [False] * len(buffers)
    offsets, height = _part(buffers, overlaps, planner, is_far, False)
    if len(buffers) > _MANY:  # what lies above *room* moves
        for i, offset in offsets.items():
            is_far[i] = offset + buffers[i][0] > room and buffers[i][3] == ONLINE
        height = max(
            [offset + buffers[i][0] for i, offset in offsets.items() if not is_far[i]] + [0]
        )
    else:
        moves = 0
        while height > room and _move(buffers, is_far, 1 << max(moves - _SINGLE, 0)):
            moves += 1
            offsets, height = _part(buffers, overlaps, planner, is_far, False)
        back = [(b[2] - b[1], -b[0], i) for i, b in enumerate(buffers) if is_far[i]]
        for _, _, i in sorted(back)[:_BACK]:
            is_far[i] = False
            tried = _part(buffers, overlaps, planner, is_far, False)
            if tried[1] <= room:
                offsets, height = tried
            else:
                is_far[i] = True
    far, spilled = _part(buffers, overlaps, planner, is_far, True)
    for i, offset in far.items():
        offsets[i] = offset + TAIL
    return [offsets[i] for i in range(len(buffers))], height, spilled


def _part(buffers, overlaps, planner, is_far, wanted):
    """Plan the buffers of one memory; return {buffer: offset} and the height."""
    chosen = [i for i in range(len(buffers)) if is_far[i] is wanted]
    place = {i: k for k, i in enumerate(chosen)}
    pairs = [(place[a], place[b], gap) for a, b, gap in overlaps if a in place and b in place]
    offsets = planner([buffers[i] for i in chosen], pairs)[0]
    height = max([offset + buffers[i][0] for i, offset in zip(chosen, offsets)] + [0])
    return {i: offset for i, offset in zip(chosen, offsets)}, height


def _move(buffers, is_far, count):
    """Move *count* buffers to the second memory; return whether any could be moved."""
    can = [i for i, b in enumerate(buffers) if b[0] and b[3] == ONLINE and not is_far[i]]
    is_any = len(can) > 0
    for _ in range(count):
        best, most = None, 0
        for k in can:
            moment = buffers[k][1]
            live = [i for i in can if buffers[i][1] <= moment <= buffers[i][2]]
            total = sum([buffers[i][0] for i in live])
            if total > most:
                best, most = (
                    max([(buffers[i][2] - buffers[i][1], buffers[i][0], i) for i in live]),
                    total,
                )
        if best is None:
            break
        can.remove(best[2])
        is_far[best[2]] = True
    return is_any
