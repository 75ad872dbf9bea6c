"""`tflm inspect`: operators, tensors and quantization of a model, and unsupported parts."""

import re

import click

from tflm.extra.printed import place_lines, plan_lines
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.settled import settled_view
from ..report.errors import fail, reports_errors
from ..report.inspect import inspect_model
from ..report.proven import read_proven
from ..report.terminal import Grid, number, paint, say, short
from .common import print_json

PLAN_COLUMNS = 72
LARGEST = 8  # tensors that are listed without --tensors
SHOWN = 6  # nodes that are named before what to change for them; the table above has all


@click.command("inspect")
@click.argument("model", type=click.Path())
@click.option("--tensors", is_flag=True, help="List every tensor, the largest constants first.")
@click.option("--places", is_flag=True, help="Print the plan and the place of each tensor.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def inspect(model, tensors, places, as_json):
    """Show operators, inputs and outputs of MODEL, and every op that cannot run, with the reason.

    Exit status 1 if an op cannot run.
    """
    data = read_proven(model)
    given = Model(data, prepared=True)
    view = settled_view(given)
    facts = {"model": model, "model_bytes": len(data), **inspect_model(view)}
    facts["shapes_disagree"] = view is not given
    runs = all(op["supported"] for op in facts["ops"])
    if as_json:
        print_json(facts)
    else:
        _print(model, facts, len(facts["tensors"]) if tensors else LARGEST)
        if places and runs:
            say()
            for line in _lines_of_places(data):
                say(line)
    if not runs:
        fail()


def _lines_of_places(data):
    """Yield what `plan()` and `places()` of an interpreter say on a board."""
    interpreter = Interpreter(Model(data, prepared=True))
    yield from plan_lines(interpreter, PLAN_COLUMNS)
    yield from place_lines(interpreter)


def _print(model, facts, count):
    size = f" ({number(facts['model_bytes'])} bytes)"
    say(paint(model, "bold"), f"{size} {facts['description'] or ''}")
    if facts["prepared"]:
        text = "  prepared for {isa} kernels of builds with layout {layout:x}, for {flash}"
        say(text.format_map(facts["prepared"]))
        if facts["prepared"]["memories"]:
            first, second = facts["prepared"]["memories"]
            say(f"  for two memories: tflm.Arena({first}, tail={second})")
    for name, size in facts["metadata"].items():
        meaning = facts["metadata_meaning"][name]
        say(f"  metadata {name}: {number(size)} bytes{f', {meaning}' if meaning else ''}")
    say(f"  kind: {facts['kind']}")
    if facts["shapes_disagree"]:
        say("  the converter left the batch open, and the stored shapes do not agree:")
        say("  those below follow from the inputs. batch_size=1 in keras.Input, or tflm resize")
    _print_io("input", facts["inputs"])
    _print_io("output", facts["outputs"])
    for signature in facts["signatures"]:
        names = [", ".join(signature[side]) for side in ("inputs", "outputs")]
        say(f"  signature {signature['key']}: ({names[0]}) -> {names[1]}")
    if any(tensor["scales"] for tensor in facts["inputs"] + facts["outputs"]):
        say("  in reals: interp.inputs[0].quantize(values), interp.outputs[0].dequantize()")
    _print_ops(facts["ops"])
    _print_tensors(facts, count)
    _print_verdict(facts["ops"])


def _print_io(kind, tensors):
    for i, tensor in enumerate(tensors):
        say(
            f"  {kind} {i}: {short(tensor['name'])} {tensor['dtype']} {tensor['shape']}"
            f"{_quantization(tensor)}{_range(tensor)}"
        )


def _range(tensor):
    if tensor["real_range"] is None:
        return ""
    low, high = tensor["real_range"]
    text = f", from {low:.6g} to {high:.6g}"
    return f"{text}; of pixels: {tensor['pixels']}" if tensor["pixels"] else text


def _quantization(tensor):
    if not tensor["scales"]:
        return ""
    if len(tensor["scales"]) > 1:
        return f", {len(tensor['scales'])} scales"
    return f", real = {tensor['scales'][0]:.9g} * (q {-tensor['zero_point']:+d})"


def _place(op):
    return f"{op['subgraph']}:{op['index']}" if op["subgraph"] else str(op["index"])


def _print_ops(ops):
    grid = Grid("\noperators", ">node", "op", ">version", "types", ">constants", "!supported")
    for op in ops:
        types = ", ".join(dict.fromkeys(op["types"]))
        verdict = "yes" if op["supported"] else paint("no", "red")
        grid.add_row(
            _place(op), op["op"], str(op["version"]), types, number(op["constant_bytes"]), verdict
        )
    grid.show()


def _print_verdict(ops):
    for op in ops:
        if op["note"]:
            say(f"  node {_place(op)} {op['op']}: {op['note']}")
    missing = [op for op in ops if not op["supported"]]
    if not missing:
        say("\n", paint(f"all {len(ops)} ops are supported", "green"))
        return
    say("\n", paint(f"{len(missing)} of {len(ops)} ops cannot run", "red"), ":")
    for first, *others in _alike(missing):
        say(f"  node {_place(first)} {first['op']}: {first['why']}")
        if others:
            say(f"    and {len(others)} more {first['op']} for such a reason: see --json")
    say("\nwhat to change:")
    changes = {}
    for op in missing:
        changes.setdefault(op["change"], []).append(f"{_place(op)} {op['op']}")
    for change, places in changes.items():
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        say(f"  {', '.join(places[:SHOWN])}{more}: {change}")


def _alike(missing):
    """Return [[op, ...]] of operators whose reasons differ only by node and tensor."""
    groups = {}
    for op in missing:
        reason = re.sub(r"#\d+|\(tensor .*\)", "", op["why"])
        groups.setdefault((op["op"], op["change"], reason), []).append(op)
    return groups.values()


def _print_tensors(facts, count):
    """Print the largest *count* tensors, constants first, and the bytes of all constants."""
    tensors = sorted(facts["tensors"], key=lambda t: (-t["constant"], -t["bytes"]))
    total = facts["constant_bytes"]
    title = f"\nconstants take {number(total)} of {number(facts['model_bytes'])} bytes"
    if count < len(tensors):
        title += f"; the largest {count}, --tensors lists all {len(tensors)}"
    say(title)
    grid = Grid("", ">index", "name", "type", ">shape", ">bytes", "kind", "quantization")
    for tensor in tensors[:count]:
        kind = "constant" if tensor["constant"] else "variable" if tensor["variable"] else ""
        grid.add_row(
            str(tensor["index"]),
            short(tensor["name"]),
            tensor["dtype"],
            "x".join(map(str, tensor["shape"])),
            number(tensor["bytes"]),
            kind,
            _quantization(tensor).lstrip(", "),
        )
    grid.show()
