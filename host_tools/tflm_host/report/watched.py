"""Show what a model saw: lines of text, and in the terminal the frame, its boxes and the input."""

from dataclasses import dataclass, field

import numpy as np
from rich.color import Color
from rich.control import Control
from rich.style import Style
from rich.text import Text

from .answers import amount, are_shares, is_ranking, name_of, numbers_of, ranked
from .heard import BLOCKS
from .terminal import GAP, number, out, paint, say, visible

TOP = 3  # classes shown
SHOWN = 8  # numbers shown of an output that has no classes
HALF = "\N{UPPER HALF BLOCK}"
LINES = 8  # of the terminal, for text
LEAST = 8  # pixels of a side
LUMA = (0.299, 0.587, 0.114)
INKS = (
    *((64, 224, 96), (255, 96, 224), (255, 208, 64), (64, 176, 255)),
    *((255, 96, 64), (160, 128, 255), (64, 224, 224), (224, 224, 224)),
)


def ink_of(kind):
    """Return the colour of the boxes of class *kind*: red, green, blue."""
    return INKS[kind % len(INKS)]


@dataclass
class View:
    """A frame as people see it.

    seen    the targets.watching.Seen;  things  of a detector, in the frame's pixels
    pixels  uint8 of height, width, 3;  fitted  uint8 of the input's height, width, 1 or 3
    results [(output, label, value as text)] of outputs that no detector reads
    """

    seen: object
    pixels: np.ndarray
    fitted: np.ndarray
    things: list
    results: list = field(default_factory=list)

    def facts(self):
        """Return what --json prints."""
        seen = self.seen
        return {
            "frame": seen.name,
            "width": seen.form.width,
            "height": seen.form.height,
            "format": seen.form.format,
            "fit_microseconds": seen.fit_microseconds,
            "run_microseconds": seen.run_microseconds,
            "things": [_facts_of(thing) for thing in self.things],
            "results": [{"output": o, "label": n, "value": v} for o, n, v in self.results],
        }

    def title(self):
        seen = self.seen
        times = f"fit {number(seen.fit_microseconds)} us, run {number(seen.run_microseconds)} us"
        return f"{seen.name}, {seen.form}: {times}"

    def lines(self):
        """Return a line for each thing or result."""
        found = [str(thing) for thing in self.things]
        found += [f"{label or output} {value}" for output, label, value in self.results]
        return found or ["nothing found"]


def _facts_of(thing):
    return {
        "label": thing.label,
        "score": round(thing.score, 4),
        "x": thing.x,
        "y": thing.y,
        "width": thing.width,
        "height": thing.height,
        "points": [list(point) for point in thing.points],
    }


def results_of(graph, outputs, labels):
    """Return [(output, label, value)]: the best classes, or the first numbers of an output."""
    found = []
    for i, data in zip(graph.outputs, outputs, strict=True):
        info = graph.tensor(i)
        values = numbers_of(info, data)
        if values is None:
            continue
        if is_ranking(info) and not any(value != value for value in values):
            shares = are_shares(values)
            for k in ranked(values)[:TOP]:
                found.append((info.name, name_of(labels, k), amount(values[k], shares)))
        else:
            text = ", ".join(amount(value, False) for value in values[:SHOWN])
            more = " ..." if values[SHOWN:] else ""
            found.append((info.name, "", text + more))
    return found


def show(view, is_live, is_moving=False):
    """Print *view*: lines, and pictures where *is_live*.

    is_moving  whether a terminal shows it in place of the last one
    """
    if is_moving and is_live and out.is_terminal:
        out.control(Control.clear(), Control.home())
    say(paint(view.title(), "bold"))
    for line in view.lines():
        say("  " + line)
    if is_live:
        for line in picture(view, out.width, out.height):
            out.print(line, soft_wrap=True)


def picture(view, columns, lines):
    """Return Texts: the frame with its boxes, and beside it the input, within so much room."""
    columns = max((columns - len(GAP)) // 2, LEAST)
    rows = max(2 * (lines - LINES), 2 * LEAST)
    left = scaled(view.pixels, columns, rows)
    draw(left, view.things, view.seen.form)
    fitted = view.fitted if view.fitted.shape[2] == 3 else np.repeat(view.fitted, 3, axis=2)
    right = scaled(fitted, columns, rows)
    has_colours = out.color_system is not None and "utf" in (out.encoding or "").lower()
    render = half_blocks if has_colours else characters
    shown = [render(left), render(right)]
    height, width, channels = view.fitted.shape
    titles = visible(str(view.seen.form)), f"input {width}x{height}x{channels}"
    wide = max(left.shape[1], len(titles[0]))
    found = [Text(f"{titles[0]:{wide}}{GAP}{titles[1]}", "dim")]
    for i in range(max(map(len, shown))):
        line = shown[0][i] if i < len(shown[0]) else Text()
        if i < len(shown[1]):
            line = line + Text(" " * (wide - line.cell_len) + GAP) + shown[1][i]
        found.append(line)
    return found


def scaled(pixels, columns, rows):
    """Return a copy of *pixels*, as large as fits into so many; never enlarged."""
    height, width = pixels.shape[:2]
    factor = max(width / columns, height / rows, 1)
    wide, high = max(round(width / factor), 1), max(round(height / factor), 1)
    at_y = (2 * np.arange(high) + 1) * height // (2 * high)
    at_x = (2 * np.arange(wide) + 1) * width // (2 * wide)
    return pixels[at_y][:, at_x].copy()


def draw(pixels, things, form):
    """Draw the outlines of *things*, which count pixels of *form*, and their points."""
    height, width = pixels.shape[:2]

    def at(x, y):
        x, y = x * width // form.width, y * height // form.height
        return min(max(x, 0), width - 1), min(max(y, 0), height - 1)

    for thing in things:
        ink = ink_of(thing.kind)
        x0, y0 = at(thing.x, thing.y)
        x1, y1 = at(thing.x + thing.width - 1, thing.y + thing.height - 1)
        x1, y1 = max(x0, x1), max(y0, y1)
        pixels[[y0, y1], x0 : x1 + 1] = ink
        pixels[y0 : y1 + 1, [x0, x1]] = ink
        for point in thing.points:
            x, y = at(*point)
            pixels[y, x] = ink


def half_blocks(pixels):
    """Return a Text for each two rows of *pixels*."""
    if len(pixels) % 2:
        pixels = np.concatenate([pixels, pixels[-1:]])
    found = []
    for above, below in zip(pixels[0::2].tolist(), pixels[1::2].tolist(), strict=True):
        line = Text()
        for top, bottom in zip(above, below, strict=True):
            line.append(HALF, Style(color=Color.from_rgb(*top), bgcolor=Color.from_rgb(*bottom)))
        found.append(line)
    return found


def characters(pixels):
    """Return a Text for each two rows of *pixels*, of characters: bright ones are dense."""
    light = pixels @ np.array(LUMA)
    if len(light) % 2:
        light = np.concatenate([light, light[-1:]])
    levels = (light[0::2] + light[1::2]) / 2
    steps = np.minimum(levels.astype(int) * len(BLOCKS) // 256, len(BLOCKS) - 1)
    return [Text("".join(BLOCKS[step] for step in row)) for row in steps.tolist()]
