"""`tflm prepare`: a model with the work done that depends only on the model, for one core."""

from pathlib import Path

import click

from tflm.base.layout import ALIGNMENT, PREPARED_FORMAT
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..generate.sources import isa_names
from ..model.files import read_model, write_file
from ..model.flash_cache import CHIPS, KIB
from ..model.settled import settled_model
from ..prepare import prepare as prepare_model
from ..prepare.decompress import decompressed
from ..prepare.stream import stream
from ..report.arena_report import Memories as TwoMemories
from ..report.arena_report import needed_of_each
from ..report.errors import reports_errors
from ..report.inspect import stream_text
from ..report.terminal import number, say
from ..targets.isa import core_of
from ..targets.run import HOST
from .common import Memories, print_json

TARGET_HELP = "Where the file will run: host, a board, a serial port, or the kernels "


@click.command("prepare")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option(
    "--target", default=HOST, show_default=True, help=TARGET_HELP + ", ".join(isa_names())
)
@click.option("--ram", type=click.IntRange(min=1), help="Fuse layers down to this arena in bytes.")
@click.option("--whole-layers", is_flag=True, help="Fuse no layers.")
@click.option("--feed", is_flag=True, help="Take the input row by row: interp.feed(row).")
@click.option("--stream", "axis", type=int, help="Take frames along this axis one by one.")
@click.option("--small", is_flag=True, help="Pack no filters: a smaller, slower file.")
@click.option("--large", is_flag=True, help="Pack more filters: a larger, faster file.")
@click.option(
    "--memory",
    type=Memories(),
    metavar="FIRST,SECOND",
    help="Divide the arena over two memories of these bytes, such as 64K,512K.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def prepare(model, output, target, ram, whole_layers, feed, axis, small, large, memory, as_json):
    """Write MODEL to -o, prepared for the target's core: the PC does work that the board repeats.

    The outputs stay the same bytes, the arena shrinks, and loading takes milliseconds. The file
    runs on builds of this version with the kernels of that core. Builds with other kernels refuse
    it.

    Layers are fused if this costs less than 2 % more instructions for each 10 % of arena that it
    saves. With --ram, they are fused until the arena is as small as that. Where flash waits, as on
    a Pico or an STM32F4, its misses count, too: without --ram, no run should take longer than the
    unprepared model's.

    With --stream, the input is only the next frame. The outputs equal the model's outputs on the
    latest frames, because layers with padding VALID keep the rows that they share.

    With --memory, buffers that the first memory cannot take lie in the second: the file is for
    tflm.Arena(first, tail=second). Nothing is written if they take more than that.
    """
    for options, why in (
        ((ram, whole_layers), "--ram chooses fused layers, --whole-layers has none"),
        ((feed, whole_layers), "--feed needs fused layers, --whole-layers has none"),
        ((small, large), "--small packs no filters, --large more of them"),
        ((feed, memory), "--feed keeps rows in one memory, --memory has two"),
        (
            (feed, axis is not None),
            "--feed takes rows of an image, --stream the next frame of many",
        ),
    ):
        if all(options):
            raise click.UsageError(why)
    data = read_model(model)
    core = core_of(target)
    streamed = None if axis is None else stream(settled_model(data), axis)
    plain = streamed.data if streamed else data
    options = {"by_rows": not whole_layers, "feed": feed, "small": small, "large": large}
    options["flash_cache"] = core.flash_cache
    prepared = prepare_model(
        plain, core.isa, ram=ram, first_memory=memory and memory[0], **options
    )
    two = _in_two(prepared, memory) if memory else None
    write_file(output, prepared)
    report = {
        "model": str(model),
        "output": str(output),
        "isa": core.isa,
        "layout": PREPARED_FORMAT,
        "flash": CHIPS[core.flash_cache // KIB],
        "bytes": [len(data), len(prepared)],
        "arena_bytes": [_arena(decompressed(data)), _arena(prepared)],
        "groups": [{"first": a, "last": b} for a, b in _groups(prepared)],
        "stream": streamed and {k: v for k, v in vars(streamed).items() if k != "data"},
        **(two.as_json() if two else {}),
    }
    if as_json:
        print_json(report)
        return
    say(f"{output}: prepared for {core.isa} kernels")
    for what, key in (("file", "bytes"), ("arena", "arena_bytes")):
        before, after = report[key]
        say(f"  {what} {number(after)} bytes, before {number(before)}")
    say(f"  {_choice(core, ram, whole_layers)}")
    for group in report["groups"]:
        say(f"  ops {group['first']} to {group['last']} run row by row")
    if streamed:
        _say_stream(streamed)
    if feed:
        whole = _arena(prepare_model(plain, core.isa, ram=ram, **{**options, "feed": False}))
        _say_more(report["arena_bytes"][1] - whole)
    if ram and report["arena_bytes"][1] > ram:
        say(f"  no way is known to run it in {number(ram)} bytes")
    for line in two.lines() if two else ():
        say(f"  {line}")


def _in_two(prepared, memory):
    """Return the bytes that the model *prepared* takes of each *memory*; an error if of more."""
    available = tuple(nbytes & -ALIGNMENT for nbytes in memory)
    found = TwoMemories(needed_of_each(Model(prepared, prepared=True), available), available)
    if not found.fits:
        raise click.ClickException(", ".join(found.lines()))
    return found


def _choice(core, ram, whole_layers):
    """Return how layers were chosen to be fused, as a sentence."""
    if whole_layers:
        return "no layers are fused, as --whole-layers says"
    if ram:
        return f"layers are fused down to {number(ram)} bytes of arena, and a run may take longer"
    if core.flash_cache:
        where = CHIPS[core.flash_cache // KIB]
        return f"on {where} a run should take no longer than unprepared; --ram fuses more layers"
    return "layers are fused where 10 % of arena costs less than 2 % of a run; --ram fuses more"


def _say_more(nbytes):
    if nbytes > 0:
        say(f"  {number(nbytes)} bytes of arena more than without --feed")


def _say_stream(streamed):
    say("  " + stream_text(streamed.frames, streamed.period))
    for index, why in streamed.whole[:1]:
        say(f"  op #{index} of the model and those after it run on all rows: {why}")


def _groups(data):
    return Model(data, prepared=True).snapshot.groups()


def _arena(data):
    return Interpreter(Model(data, prepared=True), measure=True).arena_used_bytes()
