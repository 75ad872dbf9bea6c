"""A model's arena as HTML, for `tflm arena --html` and the web page.

Runs on MicroPython, too: the web page has it.
"""

from .arena_picture import shape_of, svg
from .duration import about, milliseconds
from .room import cures, fits, left_on, misfits
from .text import escape, number, page, short

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --line: #d8dadf; --soft: #f4f5f7;
  --good: #1a7f37; --bad: #b3261e; --link: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --paper: #16181d; --line: #3a3d44;
  --soft: #1f2228; --good: #56d364; --bad: #ff7b72; --link: #79b8ff; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; padding: 1rem; max-width: 75rem; }
h1 { font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.arena { font-size: 1.4rem; } .arena b { font-size: 2.2rem; }
.scroll { overflow-x: auto; scrollbar-width: thin; }
.sideways { display: none; font-size: 0.9rem; }
@media (max-width: 46rem) { .sideways { display: block; } }
svg { width: 100%; min-width: 44rem; height: auto; }
table { border-collapse: collapse; } code { overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
td, th { padding: 2px 12px; text-align: right; border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; padding-left: 0; }
#boards td:nth-child(3) { white-space: nowrap; }
#plan td:first-child { max-width: 40em; overflow-wrap: anywhere; }
td.text, th.text { text-align: left; }
.yes { color: var(--good); } .no { color: var(--bad); }
summary { cursor: pointer; font-weight: bold; margin: 0.6rem 0; }
"""


def html(report, advice, boards, ways=()):
    """Return a page of its own; arguments as of body().

    ways  [arena_rows.Way] to prepare the model
    """
    title = escape(report.path)
    sections = body(report, advice, boards) + _ways(ways, boards)
    return page(title, STYLE, sections)


def body(report, advice, boards):
    """Return all sections on *report*, a Timeline.

    advice  [Advice]
    boards  rows of board_facts()
    """
    details = report.details
    facts = (report.arena_bytes, details["head_bytes"], details["tail_bytes"])
    arena, head, tail = [number(nbytes) for nbytes in facts]
    parts = [
        f'<p class="arena">arena <b>{arena}</b> bytes</p>',
        f"<p>head {head} (tensors and scratch, {report.planner} plan), tail {tail} (what stays),"
        + " their sum rounded up to 16. An interpreter without <code>arena=</code> allocates just"
        + " the arena.</p>",
        _fits(report, boards),
        "<h2>The arena over time</h2>",
        _picture(svg(report), "picture of the arena"),
        _worst(report),
        _helps(advice),
        _details(report, boards),
    ]
    return "\n".join(parts)


def _picture(drawing, label):
    hint = '<p class="sideways">The picture goes on to the right: scroll it sideways.</p>'
    start = f'{hint}<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
    return f"{start}{drawing}</div>"


def _ways(ways, boards):
    """Return the arena of each of *ways* to prepare the model, with pictures of fused layers."""
    if not ways:
        return ""
    rows, pictures = [], ""
    for way in ways:
        misfits = _named([board for board in boards if not fits(way.report, board)])
        groups = ", ".join([f"{first} to {last}" for first, last in way.groups])
        rows.append([way.name, number(way.arena_bytes), groups, misfits])
        if groups:
            drawing = svg(way.report, patterns="")
            pictures += f"<h3>{way.name}</h3>" + _picture(drawing, "picture of it " + way.name)
    titles = "prepared", "arena", "<operators that run row by row", "<does not fit on"
    return f"\n<h2>Prepared</h2>{table('ways', titles, rows)}{pictures}"


def _fits(report, boards):
    fit, not_fit = [], []
    for board in boards:
        (fit if fits(report, board) else not_fit).append(board)
    text = ""
    if fit:
        text += f'<p><b class="yes">Fits</b> {_named(fit)}.</p>' + _times(report, fit)
    if not_fit:
        text += f'<p><b class="no">Does not fit</b> {_named(not_fit)}.</p>'
        text += _other_memories(report, not_fit)
    for kernels, line in cures(report, boards):
        text += f"<p>Missing there: {', '.join(kernels)}. In a clone of tflm:"
        text += f" <code>{escape(line)}</code></p>"
    return text


def _other_memories(report, boards):
    """Return which of *boards* lack nothing but heap, and have another memory for an arena."""
    found = [board for board in boards if board["memories"] and not misfits(report, board, 0)]
    if not found:
        return ""
    parts = []
    for board in found:
        parts.append(f"{board['title'] or board['name']} {', '.join(board['memories'])}")
    text = f"<p>Boards with another memory beside the heap: {'; '.join(parts)}."
    return text + " On a PC, <code>tflm arena MODEL --board NAME</code> divides the arena.</p>"


def _times(report, boards):
    """Return about how long a run takes on the *boards* that people buy."""
    sold, _ = _in_order(boards)
    times = milliseconds(report.model, sold)
    known = [
        f"{about(times[board['name']])} on a {board['title']}"
        for board in sold
        if times[board["name"]] is not None
    ]
    return f"<p>A run takes about {', '.join(known)}.</p>" if known else ""


def _in_order(boards):
    """Return the *boards* that people buy, by the names on their boxes, and the others."""
    sold = sorted([board for board in boards if board["title"]], key=lambda b: b["title"])
    return sold, [board for board in boards if not board["title"]]


def _named(boards):
    """Return the names of *boards* on their boxes, and then the emulated ones."""
    sold, others = _in_order(boards)
    sold = [board["title"] for board in sold]
    emulated = [board["name"] for board in others]
    if emulated:
        emulated[0] = "emulated: " + emulated[0]
    return "; ".join([", ".join(names) for names in (sold, emulated) if names])


def _worst(report):
    worst = report.worst_moment()
    rows = [
        f"<li>{escape(short(b['name']))}: {number(b['size'])} bytes {shape_of(report, b)}</li>"
        for b in sorted(worst.live, key=lambda b: -b["size"])
    ]
    title = f"<h2>Worst moment: {escape(worst.label)}, {number(worst.nbytes)} bytes in use</h2>"
    return title + "<ul>" + "".join(rows) + "</ul>"


def _helps(advice):
    rows = [f"<li>{escape(one.line())}</li>" for one in advice]
    if not rows:
        rows = ["<li>nothing that is known here</li>"]
    return "<h2>What would help</h2><ul>" + "".join(rows) + "</ul>"


def _details(report, boards):
    return (
        _fold("Boards", _boards(report, boards))
        + _fold("By operator", _operators(report))
        + _fold("In the tail", _kinds(report))
        + _fold("Memory plan", _plan(report))
    )


def _fold(title, text):
    return f'<details><summary>{title}</summary><div class="scroll">{text}</div></details>'


def table(name, titles, rows):
    """Return a table; a title with "<" before it is of a column of text."""
    kinds = [' class="text"' if title[0] == "<" else "" for title in titles]
    columns = range(len(titles))
    head = "".join([f"<th{kinds[i]}>{titles[i].lstrip('<')}</th>" for i in columns])
    lines = ["".join([f"<td{kinds[i]}>{row[i]}</td>" for i in columns]) for row in rows]
    text = "".join([f"<tr>{line}</tr>\n" for line in lines])
    return f'<table id="{name}">\n<tr>{head}</tr>\n{text}</table>'


def _boards(report, boards):
    rows, times = [], milliseconds(report.model, boards)
    sold, others = _in_order(boards)
    for board in sold + others:
        heap, rom = left_on(report, board)
        verdict = '<span class="yes">fits</span>'
        missing = misfits(report, board)
        if missing:
            verdict = f'<span class="no">does not fit: {escape(", ".join(missing))}</span>'
        sizes = [number(size) for size in (board["heap"], heap, board["rom"], rom)]
        sizes.append(about(times[board["name"]]))
        title = board["title"] or "emulated"
        rows.append([title, board["name"], board["cpu"]] + sizes + [verdict])
    titles = (
        "board",
        "<--board",
        "<core",
        "heap",
        "left",
        "/rom",
        "left",
        "a run",
        "<model and arena",
    )
    return table("boards", titles, rows)


def _operators(report):
    in_use = {moment.scope: moment.nbytes for moment in report.moments()}
    rows = []
    for index, op, nbytes in report.details["nodes"]:
        head = in_use.get(report.scopes[index], 0)
        rows.append([index, escape(op), number(head), number(nbytes)])
    return table("operators", ("node", "<operator", "head in use", "tail"), rows)


def _kinds(report):
    rows = [
        [kind, number(requested), number(used), count]
        for kind, requested, used, count in report.details["kinds"]
    ]
    return table("kinds", ("kind", "requested", "used", "pieces"), rows)


def _plan(report):
    rows = []
    for buffer in report.buffers:
        keys = "size", "offset", "first_used", "last_used"
        figures = [number(buffer[key]) for key in keys]
        rows.append([escape(buffer["name"]), escape(shape_of(report, buffer))] + figures)
    return table("plan", ("buffer", "<shape", "bytes", "offset", "first", "last"), rows)
