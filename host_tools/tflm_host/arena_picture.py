"""The arena over time as a picture: one box a buffer, operators across, offsets upwards.

A box spans the operators during which its buffer lives and the bytes that it takes; hovering
shows name, bytes and lifetime. The tail lies on top, across all operators. Nothing is fetched.
"""

from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT, MARGIN = 960, 480, 56
TENSOR, SCRATCH, TAIL = "#4878a8", "#d89048", "#808080"
TICKS = 4

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14px sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; margin-top: 1em; }}
td, th {{ padding: 2px 12px; text-align: right; border-bottom: 1px solid #ddd; }}
td:first-child, th:first-child {{ text-align: left; }}
</style>
<h1>{title}</h1>
<p>arena {arena:,} bytes: head {head:,}, tail {tail:,}; {planner} plan</p>
{picture}
<table>
<tr><th>buffer</th><th>bytes</th><th>offset</th><th>first</th><th>last</th></tr>
{rows}
</table>
</html>
"""


class _Scales:
    """From scopes and bytes to pixels."""

    def __init__(self, details):
        buffers = details["buffers"]
        self.scopes = max([b["last_used"] for b in buffers], default=0) + 1
        self.total = max(details["head_bytes"] + details["tail_bytes"], 1)

    def x(self, scope):
        return MARGIN + (WIDTH - 2 * MARGIN) * scope / self.scopes

    def y(self, nbytes):
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * nbytes / self.total


def svg(report):
    """Return the picture of *report*, an ArenaReport, as an SVG document."""
    details = report.details
    scales = _Scales(details)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_axes(scales),
        *(_buffer(scales, buffer) for buffer in details["buffers"]),
        _tail(scales, details),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def html(report):
    """Return a page of its own with the picture and a table of the memory plan."""
    details = report.details
    return PAGE.format(
        title=escape(report.path),
        arena=report.arena_bytes,
        head=details["head_bytes"],
        tail=details["tail_bytes"],
        planner=report.planner,
        picture=svg(report),
        rows="\n".join(_row(buffer) for buffer in details["buffers"]),
    )


def _row(buffer):
    figures = (buffer[key] for key in ("size", "offset", "first_used", "last_used"))
    cells = "".join(f"<td>{figure:,}</td>" for figure in figures)
    return f"<tr><td>{escape(buffer['name'])}</td>{cells}</tr>"


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
        label = "input" if scope == 0 else f"op {scope - 1}"
        x = (scales.x(scope) + scales.x(scope + 1)) / 2
        yield f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{label}</text>'


def _box(frame, fill, title, label):
    """Return a box; *frame* is left, right, top, bottom in pixels."""
    left, right, top, bottom = frame
    box = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 1):.1f}"'
        f' height="{max(bottom - top, 1):.1f}" fill="{fill}" fill-opacity="0.75" stroke="white"/>'
    )
    readable = bottom - top > 14 and right - left > 7 * len(label)
    text = f'<text x="{left + 4:.1f}" y="{top + 13:.1f}" fill="white">{escape(label)}</text>'
    tip = f"<title>{escape(title)}</title>"
    return f"<g data-name={quoteattr(title)}>{tip}{box}{text if readable else ''}</g>"


def _buffer(scales, buffer):
    first, last = max(buffer["first_used"], 0), max(buffer["last_used"], 0)
    bottom, top = scales.y(buffer["offset"]), scales.y(buffer["offset"] + buffer["size"])
    title = f"{buffer['name']}: {buffer['size']:,} bytes at {buffer['offset']:,}, "
    title += f"scopes {first} to {last}"
    fill = SCRATCH if buffer["tensor"] < 0 else TENSOR
    frame = scales.x(first), scales.x(last + 1), top, bottom
    return _box(frame, fill, title, f"{buffer['size']:,}")


def _tail(scales, details):
    head = details["head_bytes"]
    kinds = ", ".join(f"{kind} {used:,}" for kind, _, used, _ in details["kinds"])
    frame = scales.x(0), scales.x(scales.scopes), scales.y(scales.total), scales.y(head)
    return _box(frame, TAIL, f"tail: {details['tail_bytes']:,} bytes ({kinds})", "tail")
