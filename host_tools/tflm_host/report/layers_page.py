"""The page of `tflm compare --html`: layers of two models, and histograms of their numbers."""

from pathlib import Path

from .arena_page import STYLE
from .layers import BINS, EXACT
from .text import escape, number, page, short

WIDTH, HEIGHT = 480, 120  # of a histogram
PICTURES = """
.first { fill: var(--link); fill-opacity: 0.45; }
.second { fill: none; stroke: var(--bad); stroke-width: 1.5; }
td { white-space: nowrap; } td:nth-child(2), th:nth-child(2), td:nth-child(n+6), th:nth-child(n+6)
{ text-align: left; }
figure { margin: 0.5rem 0 2rem; max-width: 40rem; } figure svg { min-width: 0; }
"""


def html(names, runs, layers, counts):
    """Return the page.

    names   paths of both models;  runs  how many
    layers  [layers.Layer], worst first;  counts  what layers.histograms() gave for the first ones
    """
    first, second = (escape(Path(name).name) for name in names)
    body = [
        f"<p>{number(runs)} runs of <code>{first}</code> (filled) and <code>{second}</code> (line)"
        " on the same numbers. The signal of a layer is the first model, its noise the difference."
        " Added noise is the share of the signal's power that the inputs did not have.</p>",
        _table(layers),
    ]
    body += [_figure(*pair) for pair in zip(layers, counts, strict=False)]
    return page(f"{first} and {second}", STYLE + PICTURES, "\n".join(body))


def ratio(decibels):
    """Return a signal-to-noise ratio as text."""
    return "equal" if decibels == EXACT else f"{decibels:.1f} dB"


def _table(layers):
    heads = ("node", "op", "noise added", "ratio", "largest difference", "why", "tensor")
    rows = "".join(_row(layer) for layer in layers)
    head = "".join(f"<th>{text}</th>" for text in heads)
    return f'<div class="scroll" tabindex="0"><table><tr>{head}</tr>{rows}</table></div>'


def _row(layer):
    cells = (
        str(layer.second.node),
        layer.second.op,
        f"{layer.added:.2%}",
        ratio(layer.ratio),
        f"{layer.largest:.4g}",
        layer.why,
        short(layer.second.name),
    )
    return "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in cells) + "</tr>"


def _figure(layer, counts):
    """Return the histograms of a layer: heights are square roots, so that rare numbers show."""
    low, high = layer.limits
    heights = (counts / max(1, counts.max())) ** 0.5 * (HEIGHT - 4)
    step = WIDTH / BINS
    bars = "".join(
        f'<rect class="first" x="{i * step:g}" y="{HEIGHT - tall:.1f}" width="{step:g}"'
        f' height="{tall:.1f}"/>'
        for i, tall in enumerate(heights[0])
    )
    line = " ".join(
        f"{x * step:g},{HEIGHT - tall:.1f}"
        for i, tall in enumerate(heights[1])
        for x in (i, i + 1)
    )
    name = escape(f"{layer.second.node} {layer.second.op}")
    caption = f"<b>{name}</b> {low:.4g} .. {high:.4g} {escape(layer.why)}"
    label = f"Histograms of node {name}"
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{bars}'
        f'<polyline class="second" points="{line}"/></svg><figcaption>{caption}</figcaption>'
        "</figure>"
    )
