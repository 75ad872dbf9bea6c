"""The arena over time as a picture: one box a buffer, operators across, offsets upwards.

A box spans the operators during which its buffer lives and the bytes that it takes; hovering
shows name, shape, bytes and lifetime. Striped places belong to two buffers: there an output is
written over the input that its operator uses up. What stays hatched is free. The tail lies on
top, across all operators. Nothing is fetched and nothing is scripted.
"""

from xml.sax import saxutils

from .arena_report import shared_bytes
from .terminal import visible

WIDTH, HEIGHT, MARGIN, LEGEND = 1120, 600, 72, 28
KINDS = {  # class of a box: fill, what the legend calls it
    "tensor": ("#4878a8", "tensor"),
    "variable": ("#7a5ca8", "variable"),
    "scratch": ("#d89048", "scratch"),
    "overlap": ("url(#both)", "output over input"),
    "tail": ("#808080", "tail"),
    "free": ("url(#free)", "free"),
}
TICKS = 4
LABEL_WIDTH, LABEL_HEIGHT = 7, 16  # pixels of a character
STYLE = """
.free rect, .tail rect, .tensor rect, .variable rect, .scratch rect { stroke: white; }
.tensor rect, .variable rect, .scratch rect { fill-opacity: 0.8; }
g:hover > rect { stroke: black; stroke-width: 2; }
.overlap { pointer-events: none; }
text { pointer-events: none; }
"""
PATTERN = (
    '<pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="6" height="6" fill="{}"/>'
    '<rect width="{}" height="6" fill="{}"/></pattern>'
)
PATTERNS = PATTERN.format("free", "#fafafa", 1, "#d0d0d0") + PATTERN.format(
    "both", "#4878a8", 3, "#c8d8e8"
)

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14px sans-serif; margin: 2em; }}
svg {{ max-width: 100%; height: auto; }}
table {{ border-collapse: collapse; margin-top: 1em; }}
td, th {{ padding: 2px 12px; text-align: right; border-bottom: 1px solid #ddd; }}
td:first-child, th:first-child {{ text-align: left; }}
td:first-child {{ max-width: 40em; overflow-wrap: anywhere; }}
</style>
<h1>{title}</h1>
<p>arena <b>{arena:,}</b> bytes: head {head:,}, tail {tail:,}; {planner} plan.
Worst moment: {worst}, {live:,} bytes in use.</p>
{picture}
<table>
<tr><th>buffer</th><th>shape</th><th>bytes</th><th>offset</th><th>first</th><th>last</th></tr>
{rows}
</table>
</html>
"""


def escape(text):
    """Return *text*, which may be a name from a model, for the inside of an element."""
    return saxutils.escape(visible(text))


class _Scales:
    """From scopes and bytes to pixels."""

    def __init__(self, report):
        self.report = report
        self.head = report.details["head_bytes"]
        self.scopes = max([b["last_used"] for b in report.buffers], default=0) + 1
        self.total = max(self.head + report.details["tail_bytes"], 1)

    def x(self, scope):
        return MARGIN + (WIDTH - 2 * MARGIN) * scope / self.scopes

    def y(self, nbytes):
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN - LEGEND) * nbytes / self.total

    def frame(self, first, last, low, high):
        """Return left, right, top, bottom of the bytes low..high from scope first to last."""
        return self.x(first), self.x(last + 1), self.y(high), self.y(low)


def svg(report):
    """Return the picture of *report*, an ArenaReport, as an SVG document."""
    scales = _Scales(report)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
        f"<style>{STYLE}</style><defs>{PATTERNS}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_legend(),
        *_axes(scales),
        _free(scales),
        *(_buffer(scales, buffer) for buffer in report.buffers),
        *(_overlap(scales, *pair) for pair in report.overlaps()),
        *(_buffer_label(scales, buffer) for buffer in report.buffers),
        *_tail(scales),
        "</svg>",
    ]
    return "\n".join(filter(None, parts)) + "\n"


def html(report):
    """Return a page of its own with the picture and a table of the memory plan."""
    details, worst = report.details, report.worst_moment()
    return PAGE.format(
        title=escape(report.path),
        arena=report.arena_bytes,
        head=details["head_bytes"],
        tail=details["tail_bytes"],
        planner=report.planner,
        worst=escape(worst.label),
        live=worst.nbytes,
        picture=svg(report),
        rows="\n".join(_row(report, buffer) for buffer in report.buffers),
    )


def _row(report, buffer):
    figures = (buffer[key] for key in ("size", "offset", "first_used", "last_used"))
    cells = "".join(f"<td>{figure:,}</td>" for figure in figures)
    name, shape = escape(buffer["name"]), escape(_shape(report, buffer))
    return f"<tr><td>{name}</td><td>{shape}</td>{cells}</tr>"


def _tensor(report, buffer):
    """Return the model's tensor that lies in *buffer*, None for scratch."""
    if buffer["tensor"] < 0:
        return None
    return report.model.subgraphs[buffer["subgraph"]].tensor(buffer["tensor"])


def _shape(report, buffer):
    tensor = _tensor(report, buffer)
    if tensor is None:
        return ""
    return f"{tensor.type_name} " + "x".join(map(str, tensor.shape))


def _legend():
    x = MARGIN
    for fill, text in KINDS.values():
        yield f'<rect class="key" x="{x}" y="12" width="14" height="14" fill="{fill}"/>'
        yield f'<text x="{x + 20}" y="23">{text}</text>'
        x += 48 + LABEL_WIDTH * len(text)


def _axes(scales):
    for i in range(TICKS + 1):
        nbytes = scales.total * i // TICKS
        y = scales.y(nbytes)
        yield (
            f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{nbytes:,}</text>'
        )
    step = max(scales.scopes // 16, 1)
    for scope in range(0, scales.scopes, step):
        label = scales.report.label(scope).rsplit(" ", 1)[0] if scope else "input"
        x = (scales.x(scope) + scales.x(scope + 1)) / 2
        place = f'x="{x:.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle"'
        yield f"<text {place}>{escape(label)}</text>"


def _box(kind, frame, title):
    """Return a box of KINDS; *frame* is left, right, top, bottom in pixels."""
    left, right, top, bottom = frame
    box = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 1):.1f}"'
        f' height="{max(bottom - top, 1):.1f}" fill="{KINDS[kind][0]}"/>'
    )
    tip = f"<title>{escape(title)}</title>"
    attributes = f'class="{kind}" data-name={saxutils.quoteattr(visible(title))}'
    return f"<g {attributes}>{tip}{box}</g>"


def _label(frame, text):
    """Return *text* for the middle of the top of *frame*, or nothing where it has no room."""
    left, right, top, bottom = frame
    if bottom - top < LABEL_HEIGHT or right - left < LABEL_WIDTH * len(text):
        return ""
    place = f'x="{(left + right) / 2:.1f}" y="{top + 13:.1f}" text-anchor="middle"'
    return f'<text {place} fill="white">{escape(text)}</text>'


def _own_scopes(report, buffer):
    """Return (first, last) of the longest time that no overlap hides a part of *buffer*."""
    pairs = [pair for pair in report.overlaps() if buffer in pair]
    shared = [
        (max(a["first_used"], b["first_used"]), min(a["last_used"], b["last_used"]))
        for a, b in pairs
    ]
    best, start = (0, -1), max(buffer["first_used"], 0)
    for scope in range(start, buffer["last_used"] + 2):
        hidden = any(first <= scope <= last for first, last in shared)
        if hidden or scope > buffer["last_used"]:
            best = max(best, (start, scope - 1), key=lambda span: span[1] - span[0])
            start = scope + 1
    return best


def _buffer(scales, buffer):
    report = scales.report
    first, last = max(buffer["first_used"], 0), max(buffer["last_used"], 0)
    tensor = _tensor(report, buffer)
    variable = tensor is not None and tensor.is_variable
    kind = "scratch" if tensor is None else "variable" if variable else "tensor"
    low, high = buffer["offset"], buffer["offset"] + buffer["size"]
    shape = f" {_shape(report, buffer)}" if tensor else ""
    title = f"{buffer['name']}:{shape} {buffer['size']:,} bytes at {low:,}, "
    title += f"from {report.label(first)} to {report.label(last)}"
    return _box(kind, scales.frame(first, last, low, high), title)


def _buffer_label(scales, buffer):
    low, high = buffer["offset"], buffer["offset"] + buffer["size"]
    first, last = _own_scopes(scales.report, buffer)
    return _label(scales.frame(first, last, low, high), f"{buffer['size']:,}")


def _overlap(scales, read, written):
    """Mark the bytes that two buffers share, while both are in use."""
    low = max(read["offset"], written["offset"])
    high = min(read["offset"] + read["size"], written["offset"] + written["size"])
    first = max(read["first_used"], written["first_used"])
    last = min(read["last_used"], written["last_used"])
    title = f"{written['name']} is written over {read['name']}: "
    title += f"{shared_bytes(read, written):,} bytes that are used up by then"
    return _box("overlap", scales.frame(first, last, low, high), title)


def _free(scales):
    frame = scales.frame(0, scales.scopes - 1, 0, scales.head)
    return _box("free", frame, "free: no buffer needs these bytes at this moment")


def _tail(scales):
    """The tail's kinds one above the other: it grows down, so the last one lies lowest."""
    low = scales.head
    for kind, _, used, count in reversed(scales.report.details["kinds"]):
        title = f"tail: {used:,} bytes of {kind} in {count} pieces"
        frame = scales.frame(0, scales.scopes - 1, low, low + used)
        yield _box("variable" if kind == "variables" else "tail", frame, title)
        yield _label(frame, kind)
        low += used
