"""The arena over time as a picture: one box per buffer, operators across, offsets upwards.

A box spans the operators during which its buffer lives and the bytes that it takes; hovering shows
name, shape, bytes and lifetime. Striped places belong to two buffers: there an output overwrites
an input in place. Hatched places are free. The tail lies on top, across all operators; a band
marks the worst moment. Fused layers are one moment as wide as all of them. The picture fetches
nothing and has no script. Runs on MicroPython, too, for the web page.
"""

from .text import escape, number, short
from .timeline import shared_bytes

WIDTH, HEIGHT, MARGIN, LEGEND, BOTTOM = 1120, 660, 72, 10, 140
TENSOR, VARIABLE, SCRATCH, OVERLAP, TAIL, FREE = (
    "tensor",
    "variable",
    "scratch",
    "overlap",
    "tail",
    "free",
)
WORST = "worst moment"
KINDS = (  # class of a box, fill, what the legend calls it
    (TENSOR, "#4878a8", "tensor"),
    (VARIABLE, "#7a5ca8", "variable"),
    (SCRATCH, "#c07830", "scratch"),
    (OVERLAP, "url(#both)", "output over input"),
    (TAIL, "#707070", "tail"),
    (FREE, "url(#free)", "free"),
)
FILLS = {kind: fill for kind, fill, _ in KINDS}
TICKS = 4
LABEL_WIDTH, LABEL_HEIGHT = 7, 16  # pixels of a character
STEP = 15  # pixels between two names of operators
OP_NAME = 26  # characters of an operator's name
STYLE = """
.free rect, .tail rect, .tensor rect, .variable rect, .scratch rect { stroke: white; }
.tensor rect, .variable rect, .scratch rect { fill-opacity: 0.85; }
g:hover > rect { stroke: black; stroke-width: 2; }
.overlap, .worst { pointer-events: none; }
text { pointer-events: none; fill: #222; }
.in { fill: white; }
@media (prefers-color-scheme: dark) {
.paper { fill: #16181d; }
text { fill: #d8d8d8; }
.grid { stroke: #3a3d44; }
#free .paper { fill: #1d2026; }
#free .line { fill: #3a3d44; }
.free rect, .tail rect, .tensor rect, .variable rect, .scratch rect { stroke: #16181d; }
g:hover > rect { stroke: white; }
}
"""
PATTERN = (
    '<pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect class="paper" width="6" height="6" fill="{}"/>'
    '<rect class="line" width="{}" height="6" fill="{}"/></pattern>'
)
PATTERNS = PATTERN.format("free", "#fafafa", 1, "#d0d0d0")
PATTERNS += PATTERN.replace(' class="paper"', "").format("both", "#4878a8", 3, "#c8d8e8")


class _Scales:
    """From scopes and bytes to pixels."""

    def __init__(self, report):
        self.report = report
        self.head = report.details["head_bytes"]
        self.scopes = max([b["last_used"] for b in report.buffers] or [0]) + 1
        self.total = max(self.head + report.details["tail_bytes"], 1)
        self.column = (WIDTH - 2 * MARGIN) / self.scopes

    def x(self, scope):
        return MARGIN + self.column * scope

    def y(self, nbytes):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - MARGIN - LEGEND) * nbytes / self.total

    def frame(self, first, last, low, high):
        """Return left, right, top, bottom of the bytes low..high from scope first to last."""
        left = self.x(self.report.start_of(first))
        return left, self.x(last + 1), self.y(high), self.y(low)


def svg(report, patterns=PATTERNS):
    """Return the picture of *report*, a Timeline, as an SVG document.

    patterns  "" where the same page has a picture before this one
    """
    scales = _Scales(report)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
        "<style>" + STYLE + "</style><defs>" + patterns + "</defs>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    parts += _legend()
    parts += _bytes_axis(scales)
    parts += _operators_axis(scales)
    parts.append(_free(scales))
    parts += [_buffer(scales, buffer) for buffer in report.buffers]
    parts += [_overlap(scales, read, written) for read, written in report.overlaps()]
    parts += [_buffer_label(scales, buffer) for buffer in report.buffers]
    parts += _tail(scales)
    parts += _worst(scales)
    parts.append("</svg>")
    return "\n".join([part for part in parts if part]) + "\n"


def shape_of(report, buffer):
    """Return the type and shape of the tensor that lies in *buffer*, "" for scratch."""
    tensor = report.tensor(buffer)
    if tensor is None:
        return ""
    return tensor.type_name + " " + "x".join([str(size) for size in tensor.shape])


def _legend():
    x, parts = MARGIN, []
    for _, fill, text in KINDS:
        parts.append(f'<rect class="key" x="{x}" y="12" width="14" height="14" fill="{fill}"/>')
        parts.append(f'<text x="{x + 20}" y="23">{text}</text>')
        x += 48 + LABEL_WIDTH * len(text)
    frame = 'fill="none" stroke="#d03030" stroke-width="2"'
    parts.append(f'<rect class="key" x="{x}" y="12" width="14" height="14" {frame}/>')
    parts.append(f'<text x="{x + 20}" y="23">{WORST}</text>')
    return parts


def _bytes_axis(scales):
    parts = []
    for i in range(TICKS + 1):
        nbytes = scales.total * i // TICKS
        y = scales.y(nbytes)
        ends = f'x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}"'
        parts.append(f'<line class="grid" {ends} stroke="#ddd"/>')
        place = f'x="{MARGIN - 6}" y="{y + 4:.1f}"'
        parts.append(f'<text {place} text-anchor="end">{number(nbytes)}</text>')
    return parts


def _operators_axis(scales):
    """The operators' names, turned; only as many as there is room for."""
    parts, free = [], 0  # pixels from which on there is room
    y = HEIGHT - BOTTOM + 12
    for moment in scales.report.moments():
        left, right, _, _ = scales.frame(moment.scope, moment.scope, 0, 0)
        x = (left + right) / 2
        if x < free:
            continue
        free = x + STEP
        turn = f'transform="translate({x:.1f} {y}) rotate(-45)" text-anchor="end"'
        text = escape(short(_name_of(scales.report, moment), OP_NAME))
        parts.append(f"<text {turn}>{text}</text>")
    return parts


def _name_of(report, moment):
    scope = moment.scope
    if report.start_of(scope) < scope:
        return moment.label
    node, name = report.ops.get(scope, ("", "input" if scope == 0 else "subgraph"))
    return f"{node} {name}".strip()


def _box(kind, frame, title):
    """Return a box of KINDS; *frame* is left, right, top, bottom in pixels."""
    left, right, top, bottom = frame
    box = f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 1):.1f}"'
    box += f' height="{max(bottom - top, 1):.1f}" fill="{FILLS[kind]}"/>'
    title = escape(title)
    return f'<g class="{kind}" data-name="{title}"><title>{title}</title>{box}</g>'


def _label(frame, texts):
    """Return the first of *texts* that has room at the top of *frame*, or upright in it, or ""."""
    left, right, top, bottom = frame
    x, width, height = (left + right) / 2, right - left, bottom - top
    if height < LABEL_HEIGHT or width < LABEL_HEIGHT:
        return ""
    for text in texts:
        needed = LABEL_WIDTH * len(text)
        place = None
        if width >= needed:
            place = f'x="{x:.1f}" y="{top + 13:.1f}"'
        elif height >= needed:
            place = f'transform="translate({x + 4:.1f} {(top + bottom) / 2:.1f}) rotate(-90)"'
        if place:
            shown = escape(text)
            return f'<text class="in" {place} text-anchor="middle" fill="white">{shown}</text>'
    return ""


def own_scopes(report, buffer):
    """Return (first, last) of the longest time that no overlap hides a part of *buffer*."""
    pairs = [pair for pair in report.overlaps() if any([one is buffer for one in pair])]
    shared = [
        (
            report.start_of(max(a["first_used"], b["first_used"])),
            min(a["last_used"], b["last_used"]),
        )
        for a, b in pairs
    ]
    best, start = (0, -1), report.start_of(max(buffer["first_used"], 0))
    for scope in range(start, buffer["last_used"] + 2):
        hidden = any([first <= scope <= last for first, last in shared])
        if hidden or scope > buffer["last_used"]:
            if scope - 1 - start > best[1] - best[0]:
                best = start, scope - 1
            start = scope + 1
    return best


def _buffer(scales, buffer):
    report = scales.report
    first, last = max(buffer["first_used"], 0), max(buffer["last_used"], 0)
    tensor = report.tensor(buffer)
    kind = SCRATCH if tensor is None else VARIABLE if tensor.is_variable else TENSOR
    low, high = buffer["offset"], buffer["offset"] + buffer["size"]
    shape = f" {shape_of(report, buffer)}" if tensor else ""
    title = f"{buffer['name']}:{shape} {number(buffer['size'])} bytes at {number(low)}, "
    title += f"from {report.label(first)} to {report.label(last)}"
    return _box(kind, scales.frame(first, last, low, high), title)


def _buffer_label(scales, buffer):
    low, high = buffer["offset"], buffer["offset"] + buffer["size"]
    first, last = own_scopes(scales.report, buffer)
    size, name = number(buffer["size"]), short(buffer["name"])
    part = short(name.rsplit("/", 1)[-1], 16)
    texts = f"{name}: {size}", f"{part}: {size}", size
    return _label(scales.frame(first, last, low, high), texts)


def _overlap(scales, read, written):
    """Mark the bytes that two buffers share, while both are in use."""
    low = max(read["offset"], written["offset"])
    high = min(read["offset"] + read["size"], written["offset"] + written["size"])
    first = max(read["first_used"], written["first_used"])
    last = min(read["last_used"], written["last_used"])
    title = f"{written['name']} is written over {read['name']}: "
    title += f"{number(shared_bytes(read, written))} bytes that are overwritten by then"
    return _box(OVERLAP, scales.frame(first, last, low, high), title)


def _free(scales):
    frame = scales.frame(0, scales.scopes - 1, 0, scales.head)
    return _box(FREE, frame, "free: no buffer needs these bytes at this moment")


def _tail(scales):
    """The tail's kinds one above the other: it grows down, so the last one lies lowest."""
    low, parts = scales.head, []
    for kind, _, used, count in reversed(list(scales.report.details["kinds"])):
        title = f"tail: {number(used)} bytes of {kind} in {count} pieces"
        frame = scales.frame(0, scales.scopes - 1, low, low + used)
        parts.append(_box(VARIABLE if kind == "variables" else TAIL, frame, title))
        parts.append(_label(frame, (f"{kind}: {number(used)}", kind)))
        low += used
    return parts


def _worst(scales):
    """A frame around the worst moment, with its bytes above."""
    worst = scales.report.worst_moment()
    left, right, top, bottom = scales.frame(worst.scope, worst.scope, 0, scales.total)
    box = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
    text = f"{WORST}: {worst.label}, {number(worst.nbytes)} bytes in use"
    x = min(max((left + right) / 2, 180), WIDTH - 180)
    place = f'x="{x:.1f}" y="{top - 8:.1f}" text-anchor="middle" font-weight="bold"'
    return [
        f'<rect class="worst" {box} fill="none" stroke="#d03030" stroke-width="2"/>',
        f"<text {place}>{escape(text)}</text>",
    ]
