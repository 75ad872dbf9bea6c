"""`tflm bench`: the time of a model on a target, per inference and per operator."""

from pathlib import Path

import click

from tflm.model import Model

from ..measure.bench import measure
from ..report.errors import reports_errors
from ..report.proven import read_proven
from ..report.terminal import Grid, number, say
from ..targets.boards import load_board
from .common import TARGET_HELP, complete_target, consent_of, print_json, yes_option
from .run import MODEL_IN

# By ISA, boards whose flash lies behind that cache, and their megahertz.
CHIPS = {"armv6m": ("Raspberry Pi Pico", 125), "dsp": ("Raspberry Pi Pico 2", 150)}
F4_MACHINE, F4_MEGAHERTZ = "netduinoplus2", 168  # of QEMU, an STM32F405


@click.command("bench")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--target",
    default="host",
    show_default=True,
    help=TARGET_HELP,
    shell_complete=complete_target,
)
@click.option("--backend", type=click.Choice(["c", "viper"]), help="Kernels to use.")
@click.option("--in-ram", is_flag=True, help="Copy the file into a board's heap, use it there.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def bench(model, target, backend, in_ram, yes, as_json):
    """Measure MODEL on a target: loading, one run, each operator.

    It prints microseconds, the median of several runs.

    In a clone it counts instructions on a board of QEMU, on the emulated Pico cycles; each call
    gives the same numbers. For MPS2_AN386 and M0PLUS it also models the cycles of a Cortex-M4 or
    M0+, and counts the bytes of the model that a run reads. With the waits for flash of a Pico 2,
    an STM32F4 or a Pico they become milliseconds.
    """
    data = read_proven(model)
    Model(data, prepared=True)  # refused before a board's firmware is built
    cost = measure(target, model.name, data, backend, consent_of(yes), in_ram=in_ram)
    if as_json:
        print_json(_as_json(model, target, cost))
    else:
        _print(target, cost)


def _as_json(model, target, cost):
    return {
        "model": str(model),
        "target": target,
        "backend": cost.backend,
        cost.unit: cost.invoke,
        f"load_{cost.unit}": cost.load,
        f"other_{cost.unit}": cost.other,
        "arena_used_bytes": cost.arena,
        "heap_bytes": cost.heap,
        "modelled_cycles": cost.cycles,
        "model_bytes_read": cost.model_bytes,
        "cache_lines_missed": cost.missed,
        "cycles_with_misses": cost.waiting,
        "cache_lines_missed_code": cost.missed_code,
        "stm32f4_lines_missed": cost.f4_missed,
        "stm32f4_cycles": cost.f4_waiting,
        "per_op": [
            {"index": i, "op": op, cost.unit: count} for i, (op, count) in enumerate(cost.nodes)
        ],
    }


def _print(target, cost):
    where = MODEL_IN[cost.in_flash]
    say(f"target {target}, backend {cost.backend}, arena {number(cost.arena)} bytes{where}")
    load = "" if cost.load is None else f", load {number(cost.load)}"
    say(f"invoke {number(cost.invoke)} {cost.unit}{load}")
    if cost.cycles is not None:
        read, missed = number(cost.model_bytes), number(cost.missed)
        say(f"modelled cycles {number(cost.cycles)}; {read} bytes of the model are read")
        board = load_board(target)
        if board.machine != F4_MACHINE:
            chip, megahertz = CHIPS[board.isa]
            waiting, ms = number(cost.waiting), cost.waiting / megahertz / 1000
            misses = f"{missed} cache misses, {waiting} cycles with them,"
            say(f"flash behind a cache of 16 KB: {misses}")
            say(f"as on a {chip}: {ms:,.1f} ms at {megahertz} MHz")
    if cost.f4_waiting is not None:
        waiting, ms = number(cost.f4_waiting), cost.f4_waiting / F4_MEGAHERTZ / 1000
        say(f"with the flash of an STM32F4: {waiting} cycles, {ms:,.1f} ms at {F4_MEGAHERTZ} MHz")
    grid = Grid("", ">node", "op", f">{cost.unit}", ">%")
    for i, (op, count) in enumerate(cost.nodes):
        grid.add_row(str(i), op, number(count), f"{cost.percent(count):.1f}")
    grid.add_row("", "besides operators", number(cost.other), f"{cost.percent(cost.other):.1f}")
    grid.show()
