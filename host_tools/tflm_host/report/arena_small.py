"""Small pictures of arenas over time, all to one scale, for a page that has STYLE.

A column is a moment, operators from left to right. A box is a buffer: its height is its bytes.
"""

from .arena_picture import SCRATCH, TENSOR, VARIABLE, own_scopes
from .text import escape, number

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 26, 24  # margins
LABEL_WIDTH, LABEL_HEIGHT = 30, 15  # pixels of a box that has its bytes in it
STYLE = """
.small text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.small .all { fill: var(--soft); stroke: var(--line); }
.small .tensor, .small .scratch, .small .variable { stroke: var(--paper); }
.small .tensor { fill: #3f70a3; } .small .variable { fill: #7a5ca8; }
.small .scratch { fill: #a8641f; }
.small .both { fill: #a9c8e6; stroke: none; } .small .tail { fill: #6b6f76; stroke: var(--paper); }
.small text.in { fill: #fff; text-anchor: middle; }
.small .top { stroke: var(--bad); stroke-width: 2; }
.small text.bytes { font-weight: bold; font-size: 15px; }
.small .other { stroke: var(--ink); stroke-dasharray: 4 4; opacity: 0.6; }
"""


class _Frame:
    """From scopes and bytes to pixels; *most* bytes are as high as the picture."""

    def __init__(self, report, most):
        self.report = report
        self.scopes = max(buffer["last_used"] for buffer in report.buffers) + 1
        self.most = most

    def y(self, nbytes):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * nbytes / self.most

    def x(self, scope):
        return LEFT + (WIDTH - LEFT - RIGHT) * scope / self.scopes

    def _sides(self, scopes, low, high):
        left, right = self.x(self.report.start_of(max(scopes[0], 0))), self.x(scopes[1] + 1)
        return left, right, self.y(high), self.y(low)

    def box(self, kind, scopes, low, high, title):
        """Return a box of the bytes low..high; *scopes* is (first, last)."""
        left, right, top, bottom = self._sides(scopes, low, high)
        place = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}"'
        text = f'<rect class="{kind}" {place} height="{bottom - top:.1f}"><title>{escape(title)}'
        return text + "</title></rect>"

    def label(self, scopes, low, high, text):
        """Return *text* in such a box, "" where it has no room."""
        left, right, top, bottom = self._sides(scopes, low, high)
        if right - left < LABEL_WIDTH or bottom - top < LABEL_HEIGHT:
            return ""
        middle = f'x="{(left + right) / 2:.1f}" y="{(top + bottom) / 2 + 4:.1f}"'
        return f'<text class="in" {middle}>{escape(text)}</text>'


def small(report, most, beside=0):
    """Return the picture of *report*, a Timeline, as SVG.

    most    bytes that are as high as the picture
    beside  bytes of another arena, which a dashed line shows, or 0
    """
    frame = _Frame(report, most)
    nbytes = report.arena_bytes
    count = len(report.details["nodes"])
    label = f"arena of {number(nbytes)} bytes while {count} operators run"
    parts = [f'<svg class="small" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">']
    everything = 0, frame.scopes - 1
    parts.append(frame.box("all", everything, 0, nbytes, "free at this moment"))
    parts += _buffers(frame) + _overlaps(frame) + _labels(frame)
    parts += _tail(frame, everything)
    parts.append(_line("top", frame.y(nbytes)))
    if beside:
        parts.append(_line("other", frame.y(beside)))
    y = frame.y(nbytes) - 8
    parts.append(f'<text class="bytes" x="{LEFT}" y="{y:.1f}">{number(nbytes)} bytes</text>')
    parts.append(
        f'<text x="{LEFT}" y="{HEIGHT - 7}">{count} operators, one after the other</text>'
    )
    parts.append("</svg>")
    return "\n".join(parts)


def _line(kind, y):
    return f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'


def _buffers(frame):
    parts = []
    for buffer in frame.report.buffers:
        tensor = frame.report.tensor(buffer)
        kind = SCRATCH if tensor is None else VARIABLE if tensor.is_variable else TENSOR
        scopes = buffer["first_used"], max(buffer["last_used"], 0)
        low, size = buffer["offset"], buffer["size"]
        title = f"{buffer['name']}: {number(size)} bytes"
        parts.append(frame.box(kind, scopes, low, low + size, title))
    return parts


def _overlaps(frame):
    parts = []
    for read, written in frame.report.overlaps():
        ends = [buffer["offset"] + buffer["size"] for buffer in (read, written)]
        scopes = (
            max(read["first_used"], written["first_used"]),
            min(read["last_used"], written["last_used"]),
        )
        title = f"{written['name']} is written over {read['name']}"
        low = max(read["offset"], written["offset"])
        parts.append(frame.box("both", scopes, low, min(ends), title))
    return parts


def _labels(frame):
    """The bytes of each buffer, while no overlap hides a part of it."""
    parts = []
    for buffer in frame.report.buffers:
        low, size = buffer["offset"], buffer["size"]
        scopes = own_scopes(frame.report, buffer)
        parts.append(frame.label(scopes, low, low + size, number(size)))
    return [part for part in parts if part]


def _tail(frame, scopes):
    """The tail, across all operators: its kinds one above the other."""
    low, parts = frame.report.details["head_bytes"], []
    for kind, _, used, _ in reversed(frame.report.details["kinds"]):
        label = f"{kind}: {number(used)}"
        parts.append(frame.box("tail", scopes, low, low + used, f"{label} bytes"))
        parts.append(frame.label(scopes, low, low + used, label))
        low += used
    return parts
