"""What a model saw as one HTML page, with all pictures inside: `tflm watch --html`."""

import base64

from ..model.pictures import png
from .text import escape, page
from .watched import ink_of

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --line: #d8dadf; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6ea; --paper: #16181d; --line: #3a3d44; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; padding: 1rem; max-width: 75rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; } h1, h2, li { overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 20rem; max-width: 36rem; }
figure img, figure svg { width: 100%; height: auto; image-rendering: pixelated; display: block; }
"""
FONT = 14  # letters of a frame's height


def html(title, about, views):
    """Return the page; *about* is a line of text on the model and where it ran."""
    sections = "\n".join(map(_section, views))
    return page(escape(title), STYLE, f"<p>{escape(about)}</p>\n{sections}")


def _section(view):
    height, width, channels = view.fitted.shape
    found = "; ".join(view.lines())
    lines = "".join(f"<li>{escape(line)}</li>" for line in view.lines())
    kind = "grey" if channels == 1 else "colours"
    return (
        f"<section><h2>{escape(view.title())}</h2>\n"
        f'<div class="pair"><figure>{_frame(view, found)}<figcaption>frame</figcaption></figure>\n'
        f'<figure><img src="{_data(view.fitted)}" width="{width}" height="{height}"'
        f' alt="the input as the model sees it">'
        f"<figcaption>input as the model sees it: {width}x{height}, {kind}</figcaption></figure>"
        f"</div>\n<ul>{lines}</ul></section>"
    )


def _frame(view, found):
    width, height = view.seen.form.width, view.seen.form.height
    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="frame: {escape(found)}">',
        f'<image href="{_data(view.pixels)}" width="{width}" height="{height}"/>',
    ]
    parts += [_thing(thing, height / FONT) for thing in view.things]
    return "".join(parts) + "</svg>"


def _thing(thing, size):
    ink = f"#{bytes(ink_of(thing.kind)).hex()}"
    edge = f'fill="none" stroke="{ink}" stroke-width="2" vector-effect="non-scaling-stroke"'
    text = (
        f'<rect x="{thing.x}" y="{thing.y}" width="{thing.width}" height="{thing.height}" {edge}/>'
    )
    for x, y in thing.points:
        text += f'<circle cx="{x}" cy="{y}" r="{size / 4:.2f}" fill="{ink}"/>'
    y = thing.y - size / 5 if thing.y > size else thing.y + thing.height + size
    text += f'<text x="{thing.x}" y="{y:.2f}" font-size="{size:.2f}" fill="{ink}"'
    text += ' stroke="#000" stroke-width="0.15" paint-order="stroke">'
    return text + f"{escape(thing.label)} {thing.score:.2f}</text>"


def _data(pixels):
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode()
