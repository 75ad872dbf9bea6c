"""`tflm arena`: the bytes of arena that a model needs, exactly, and their use."""

import click

from tflm.base.errors import ModelError

from ..model.files import model_files, read_model, write_file
from ..places import here
from ..plan.compare import DEFAULT, NAMES, compare
from ..report import room
from ..report.arena_advice import advise
from ..report.arena_page import html
from ..report.arena_picture import svg
from ..report.arena_report import in_two, measure, measure_shared
from ..report.arena_rows import by_rows
from ..report.board_memories import placed
from ..report.duration import about
from ..report.errors import fail, reports_errors
from ..report.terminal import Grid, number, paint, progress, say, short
from ..targets.boards import PROGRAM_HEAP, SOLD, all_board_names, board_facts, load_board
from ..targets.run import HOST
from .common import BoardName, Memories, print_json

ALL = "all"
WHOSE = {
    "linear": "no sharing at all",
    "greedy": "TFLM's",
    "best_fit": "TFLite's",
    "overlap": "ours, on boards",
    "optimal": "ours, of tflm plan",
}
WELL_KNOWN = "RPI_PICO", "RPI_PICO2", "NUCLEO_F446RE"  # boards whose time is printed


@click.command("arena")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option(
    "--board",
    type=BoardName(all_board_names()),
    help="Show this board only, and all its memories.",
)
@click.option(
    "--planner",
    type=click.Choice([*NAMES, ALL]),
    default=DEFAULT,
    show_default=True,
    help="The planner; all compares them for one model.",
)
@click.option("--rows", is_flag=True, help="Prepare it, too: whole, fused, and fed.")
@click.option("--preserve-inputs", is_flag=True, help="Never overwrite inputs.")
@click.option("--preserve-intermediates", is_flag=True, help="Never overwrite tensors.")
@click.option("--constants", multiple=True, metavar="NAME", help="In RAM, for set_constant().")
@click.option(
    "--memory",
    type=Memories(),
    metavar="FIRST,SECOND",
    help="Bytes of two memories, such as 64K,512K, for tflm.Arena(first, tail=second).",
)
@click.option("--details", is_flag=True, help="List buffers, operators and boards, too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--svg", "svg_file", type=click.Path(dir_okay=False), help="Write a picture.")
@click.option("--html", "html_file", type=click.Path(dir_okay=False), help="Write a page.")
@reports_errors
def arena(models, board, planner, rows, memory, details, as_json, svg_file, html_file, **preserve):
    """Print the bytes of arena that MODEL needs, the number to allocate on any board.

    The last line has this number. Before it come the worst moment, advice, and the boards that it
    does not fit. With --board, lines behind it say which bytes lie in the heap, and which in
    another memory. Several models, or a folder of models, give one line each. Exit status 1 if one
    of them cannot run, or does not fit on the board that --board names, or into --memory.
    """
    paths = model_files(models)
    if (svg_file or html_file or rows or memory or planner == ALL) and len(paths) != 1:
        raise click.UsageError("--svg, --html, --rows, --memory and --planner all take one model")
    if preserve["constants"] and (rows or planner == ALL):
        raise click.UsageError("--constants goes neither with --rows nor with --planner all")
    plan = DEFAULT if planner == ALL else planner
    preserves = preserve["preserve_inputs"] or preserve["preserve_intermediates"]
    if memory and (preserves or planner == "optimal"):
        raise click.UsageError("--memory goes with the planners of boards, without --preserve-...")
    if len(paths) > 1:
        _many(paths, plan, preserve, board, as_json)
        return
    report = measure(paths[0], plan, **preserve)
    plans = compare(read_model(paths[0])) if planner == ALL else []
    two = in_two(report, plan, memory, planner == ALL) if memory else None
    divides = not memory and not preserves and plan != "optimal"  # as a board does it
    place = placed(report, board, plan) if board and divides else None
    two = two or place
    ways = by_rows(read_model(paths[0]), board or HOST) if rows else []
    if svg_file:
        write_file(svg_file, svg(report))
    if html_file:
        page = html(report, advise(report, board), board_facts(), ways)
        write_file(html_file, page)
    if as_json:
        print_json({**_answer(report, board, plans, ways), **(two.as_json() if two else {})})
    else:
        divided = _divided(report) if divides and not board and not details else []
        _print_one(report, board, plans, ways, details or board, place, divided)
        for line in two.lines() if two else ():
            say(line)
    if (two and not two.fits) or (board and _misfits(report, board, place)):
        fail()


def _shown(board):
    return [board] if board else all_board_names()


def _misfits(report, board, place):
    """Return why the model does not run on *board*; *place*, a Placed or None, has its arena."""
    return room.misfits(report, *board_facts([board]), _in_heap(place))


def _in_heap(place):
    """Return how many bytes of the arena lie in the heap; None: all, without a fitting *place*."""
    return place.in_heap if place and place.fits else None


def _answer(report, board, rows=(), ways=()):
    shown = _shown(board)
    answer = report.as_json()
    fits = answer["boards"]
    answer["boards"] = {name: fits[name] for name in shown}
    boards = board_facts(shown)
    answer["room"] = {board["name"]: room.left_on(report, board) for board in boards}
    times = answer["milliseconds"]
    answer["milliseconds"] = {name: times[name] for name in shown}
    answer["missing_kernels"] = {b["name"]: room.missing_kernels(report, b) for b in boards}
    answer["advice"] = [advice.as_json() for advice in advise(report, board)]
    if rows:
        answer["planners"] = [row.as_json() for row in rows]
    if ways:
        answer["prepared"] = [way.as_json() for way in ways]
    return answer


def _divided(report):
    """Return the names of boards that have room for the arena only with another memory."""
    fits = report.fits()
    tried = [name for name in all_board_names() if load_board(name).memories and not fits[name]]
    places = [placed(report, name, report.planner) for name in tried]
    return [p.board for p in places if p.fits and not _misfits(report, p.board, p)]


def _print_one(report, board, rows, ways, is_long, place, divided):
    """Print the result last: a terminal shows the end."""
    shown = _shown(board)
    facts = report.details
    say(paint(report.path, "bold"), f" ({number(report.model_bytes)} bytes)")
    if is_long:
        _print_tail(report)
        _print_plan(report)
        _print_ops(report)
    if rows:
        _print_planners(rows)
    if ways:
        _print_ways(ways, shown)
    _print_moment(report)
    _print_advice(report, board)
    if is_long:
        _print_boards(report, shown, place)
    else:
        _print_misfits(report, shown, divided)
    head, tail = number(facts["head_bytes"]), number(facts["tail_bytes"])
    parts = f" bytes: head {head} ({report.planner} plan), tail {tail}"
    say("\narena: ", paint(number(report.arena_bytes), "bold"), parts)


def _print_tail(report):
    kinds = Grid("\nin the tail", "kind", ">requested", ">used", ">count")
    for kind, requested, used, count in report.details["kinds"]:
        kinds.add_row(kind, number(requested), number(used), number(count))
    kinds.show()


def _print_misfits(report, shown, divided):
    fits = report.fits()
    misfits = [name for name in shown if not fits[name]]
    _print_times(report, [name for name in WELL_KNOWN if fits.get(name)])
    if not misfits:
        say("\nfits on every board; --details lists them, buffers and operators")
        return
    say("\n", paint("does not fit", "red"), f" on {', '.join(misfits)}; --details says why")
    if divided:
        say(f"with a second memory it fits on {', '.join(divided)}; --board says how")
    _print_cures(report, shown)


def _print_times(report, names):
    times = report.milliseconds()
    known = [f"{about(times[name])} on a {SOLD[name]}" for name in names]
    if known:
        say(f"\na run takes about {', '.join(known)}")


def _print_cures(report, shown):
    for kernels, line in here(room.cures(report, board_facts(shown)), ()):
        say(f"this adds {', '.join(kernels)} to the firmware, where its flash has room:")
        say(f"  {line}")


def _print_planners(rows):
    grid = Grid("\nplanners", "planner", "whose", ">head", ">arena", "")
    for row in rows:
        note = ""
        if row.bound == row.head_bytes:
            note = "no plan is lower"
        elif row.bound is not None:
            gap = (row.head_bytes - row.bound) / row.head_bytes
            note = f"no plan is below {number(row.bound)} (gap {gap:.1%})"
        figures = number(row.head_bytes), number(row.arena_bytes)
        grid.add_row(row.planner, WHOSE.get(row.planner, "the model's"), *figures, note)
    grid.show()


def _print_ways(ways, shown):
    grid = Grid("\nprepared", "", ">arena", "!groups of layers, over time", "!does not fit on")
    boards = board_facts(shown)
    for way in ways:
        misfits = ", ".join(b["name"] for b in boards if not room.fits(way.report, b))
        grid.add_row(way.name, number(way.arena_bytes), way.picture(), misfits)
    grid.show()


def _print_moment(report):
    worst = report.worst_moment()
    say(f"\nworst moment: {worst.label}, {number(worst.nbytes)} bytes in use:")
    for buffer in worst.live:
        say(f"  {number(buffer['size']):>10}  {short(buffer['name'])}")
    together = [pair for pair in report.overlaps() if all(b in worst.live for b in pair)]
    for read, written in together:
        say(f"  {short(written['name'])} overwrites {short(read['name'])} in place")


def _print_advice(report, board):
    say("\nwhat would help:")
    found = advise(report, board)
    for advice in found:
        say(f"  {advice.line()}")
    if not found:
        say("  nothing that is known here")


def _print_plan(report):
    plan = Grid("\nmemory plan", "buffer", ">bytes", ">offset", ">first", ">last")
    for buffer in report.buffers:
        figures = (buffer[key] for key in ("size", "offset", "first_used", "last_used"))
        plan.add_row(short(buffer["name"]), *map(number, figures))
    plan.show()


def _print_ops(report):
    in_use = {moment.scope: moment.nbytes for moment in report.moments()}
    ops = Grid("\nby op", ">node", "op", ">head in use", ">tail")
    for index, op, nbytes in report.details["nodes"]:
        head = in_use.get(report.scopes[index], 0)
        ops.add_row(str(index), op, number(head), number(nbytes))
    ops.show()


def _print_boards(report, shown, place):
    taken, others = number(room.loading_bytes(report)), number(PROGRAM_HEAP)
    title = f"\nboards, with {taken} bytes of heap to load it and {others} for a program"
    titles = "board", "core", ">heap", ">left", ">/rom", ">left", ">a run", "!model and arena"
    grid, times, in_heap = Grid(title, *titles), report.milliseconds(), _in_heap(place)
    for board in board_facts(shown):
        heap, rom = (number(left) for left in room.left_on(report, board, in_heap))
        time = about(times[board["name"]])
        sizes = number(board["heap"]), heap, number(board["rom"]), rom, time
        verdict = _verdict(room.misfits(report, board, in_heap))
        grid.add_row(board["name"], board["cpu"], *sizes, verdict)
    grid.show()
    _print_cures(report, shown)


def _verdict(missing):
    if missing:
        return paint(f"does not fit: {', '.join(missing)}", "red")
    return paint("fits", "green")


def _many(paths, planner, preserve, board, as_json):
    """Print one line per model, with the reason if it cannot run."""
    reports, refused = [], []
    with progress("measuring", len(paths)) as advance:
        for path in paths:
            try:
                reports.append(measure(path, planner, **preserve))
            except ModelError as error:
                refused.append((str(path), str(error)))
            advance()
    if not reports:
        raise ModelError("; ".join(f"{path}: {why}" for path, why in refused))
    alone = [report.arena_bytes for report in reports]
    together = measure_shared([report.model for report in reports], planner)
    if as_json:
        answer = {
            "models": [_answer(report, board) for report in reports],
            "refused": [{"model": path, "why": why} for path, why in refused],
            "sum_arena_bytes": sum(alone),
            "max_arena_bytes": max(alone),
            "shared_arena_bytes": together,
        }
        print_json(answer)
    else:
        _print_many(reports, _shown(board))
        for path, why in refused:
            say(f"{path}: {why}")
        say(f"\nan arena for each: {number(sum(alone))} bytes, the largest {number(max(alone))}")
        say(f"all in one shared arena, run in turn: {number(together)} bytes")
    if refused:
        fail()


def _print_many(reports, shown):
    grid = Grid("", "model", ">arena", ">head", ">tail", "!does not fit on")
    for report in reports:
        fits = report.fits()
        misfits = ", ".join(name for name in shown if not fits[name])
        details = report.details
        figures = report.arena_bytes, details["head_bytes"], details["tail_bytes"]
        grid.add_row(report.path, *map(number, figures), misfits)
    grid.show()
