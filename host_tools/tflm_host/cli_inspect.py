"""`tflm inspect`: operators, tensors and quantization of a model, and what is not supported."""

import click

from tflm.model import Model

from .cli_common import number, out, print_json, read_model, reports_errors, say, short, table
from .inspect import inspect_model


@click.command("inspect")
@click.argument("model", type=click.Path())
@click.option("--tensors", is_flag=True, help="List every tensor, the largest constants first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def inspect(model, tensors, as_json):
    """Show what MODEL consists of, how to feed it, and every op that cannot run, and why."""
    data = read_model(model)
    facts = {"model": model, "model_bytes": len(data), **inspect_model(Model(data))}
    if as_json:
        print_json(facts)
        return
    say(f"[bold]{model}[/bold] ({number(len(data))} bytes) {facts['description'] or ''}")
    if facts["prepared"]:
        say(
            "  prepared for {isa} kernels of builds with layout {layout:x}".format_map(
                facts["prepared"]
            )
        )
    for name, size in facts["metadata"].items():
        say(f"  metadata {name}: {number(size)} bytes")
    _print_io("input", facts["inputs"])
    _print_io("output", facts["outputs"])
    _print_ops(facts["ops"])
    if tensors:
        _print_tensors(facts["tensors"])
    _print_verdict(facts["ops"])


def _print_io(kind, tensors):
    for i, tensor in enumerate(tensors):
        say(
            f"  {kind} {i}: {short(tensor['name'])} {tensor['dtype']} {tensor['shape']}"
            f"{_quantization(tensor)}",
            markup=False,
        )


def _quantization(tensor):
    if not tensor["scales"]:
        return ""
    if len(tensor["scales"]) > 1:
        return f", {len(tensor['scales'])} scales"
    return f", real = {tensor['scales'][0]:.9g} * (q {-tensor['zero_point']:+d})"


def _place(op):
    return f"{op['subgraph']}:{op['index']}" if op["subgraph"] else str(op["index"])


def _print_ops(ops):
    grid = table("\noperators", ">node", "op", ">version", "types", "supported")
    for op in ops:
        types = ", ".join(dict.fromkeys(op["types"]))
        verdict = "yes" if op["supported"] else "[red]no[/red]"
        grid.add_row(_place(op), op["op"], str(op["version"]), types, verdict)
    out.print(grid)


def _print_verdict(ops):
    missing = [op for op in ops if not op["supported"]]
    if not missing:
        say(f"\n[green]all {len(ops)} ops are supported[/green]")
        return
    say(f"\n[red]{len(missing)} of {len(ops)} ops cannot run[/red]:")
    for op in missing:
        say(f"  node {_place(op)} {op['op']}: {op['why']}", markup=False)


def _print_tensors(tensors):
    grid = table("\ntensors", ">index", "name", "type", "shape", ">bytes", "kind", "quantization")
    for tensor in sorted(tensors, key=lambda t: (-t["constant"], -t["bytes"])):
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
    out.print(grid)
