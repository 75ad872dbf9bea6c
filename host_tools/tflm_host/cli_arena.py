"""`tflm arena`: the bytes of arena that a model needs, exactly, and what they are for."""

from pathlib import Path

import click

from tflm.planner import PLANNERS

from .arena_picture import html, svg
from .arena_report import measure, measure_shared
from .boards import all_board_names, load_board
from .cli_common import (
    model_files,
    number,
    out,
    print_json,
    progress,
    reports_errors,
    say,
    short,
    table,
)


@click.command("arena")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--board", type=click.Choice(all_board_names()), help="Show this board only.")
@click.option(
    "--planner", type=click.Choice(sorted(PLANNERS)), default="greedy", show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--svg", "svg_file", type=click.Path(dir_okay=False), help="Draw the arena here.")
@click.option("--html", "html_file", type=click.Path(dir_okay=False), help="A page of it.")
@reports_errors
def arena(models, board, planner, as_json, svg_file, html_file):
    """Say how many bytes of arena MODEL needs: the number to allocate, on any board.

    Several models, or a folder of them, give one line each.
    """
    paths = model_files(models)
    if (svg_file or html_file) and len(paths) != 1:
        raise click.UsageError("--svg and --html draw one model")
    reports = []
    with progress("measuring", len(paths)) as advance:
        for path in paths:
            reports.append(measure(path, planner))
            advance()
    for file, draw in ((svg_file, svg), (html_file, html)):
        if file:
            Path(file).write_text(draw(reports[0]), encoding="utf-8")
    shown = [board] if board else all_board_names()
    if as_json:
        answers = [_restricted(report.as_json(), shown) for report in reports]
        print_json(answers[0] if len(answers) == 1 else _together(answers, paths, planner))
    elif len(reports) == 1:
        _print_one(reports[0], shown)
    else:
        _print_many(reports, shown)
        shared = measure_shared(paths, planner)
        say(f"\nall in one shared arena, run in turn: {number(shared)} bytes")


def _together(answers, paths, planner):
    return {"models": answers, "shared_arena_bytes": measure_shared(paths, planner)}


def _restricted(answer, shown):
    answer["boards"] = {name: answer["boards"][name] for name in shown}
    return answer


def _print_one(report, shown):
    details = report.details
    say(f"[bold]{report.path}[/bold] ({number(report.model_bytes)} bytes)")
    say(f"arena: [bold]{number(report.arena_bytes)}[/bold] bytes")
    say(f"  head {number(details['head_bytes'])} ({report.planner} plan)")
    say(f"  tail {number(details['tail_bytes'])}")
    kinds = table("\nwhat was asked for", "kind", ">requested", ">used", ">count")
    for kind, requested, used, count in details["kinds"]:
        kinds.add_row(kind, number(requested), number(used), number(count))
    out.print(kinds)
    scope, live_bytes, live = report.worst_moment()
    moment = f"op {scope - 1}" if scope else "the input"
    say(f"\nworst moment: {moment}, {number(live_bytes)} bytes alive:")
    for name in live:
        say(f"  {short(name)}", markup=False)
    _print_plan(details)
    _print_boards(report, shown)


def _print_plan(details):
    plan = table("\nmemory plan", "buffer", ">bytes", ">offset", ">first", ">last")
    for buffer in details["buffers"]:
        figures = (buffer[key] for key in ("size", "offset", "first_used", "last_used"))
        plan.add_row(short(buffer["name"]), *map(number, figures))
    out.print(plan)
    ops = table("\ntail by op", ">node", "op", ">bytes")
    for index, op, nbytes in details["nodes"]:
        ops.add_row(str(index), op, number(nbytes))
    out.print(ops)


def _print_boards(report, shown):
    fits = report.fits()
    grid = table("\nboards", "board", "core", ">heap", ">/rom", "model and arena")
    for name in shown:
        board = load_board(name)
        verdict = "[green]fits[/green]" if fits[name] else "[red]does not fit[/red]"
        grid.add_row(name, board.cpu, number(board.heap_size), number(board.romfs_size), verdict)
    out.print(grid)


def _print_many(reports, shown):
    grid = table("", "model", ">arena", ">head", ">tail", "does not fit on")
    for report in reports:
        fits = report.fits()
        misfits = [name for name in shown if not fits[name]]
        grid.add_row(
            report.path,
            number(report.arena_bytes),
            number(report.details["head_bytes"]),
            number(report.details["tail_bytes"]),
            ", ".join(misfits),
        )
    out.print(grid)
