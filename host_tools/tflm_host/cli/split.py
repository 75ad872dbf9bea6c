"""`tflm split`: some nodes of a model as a model of their own, for a second board."""

from pathlib import Path

import click

from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.files import read_model, write_file
from ..model.part import part_model
from ..model.settled import settled_model
from ..report.errors import reports_errors
from ..report.terminal import number, say
from .common import print_json


class _Claim:
    """A delegate that takes *nodes* of subgraph 0, and is not run."""

    name = "Peer"

    def __init__(self, nodes):
        self.nodes = nodes

    def supports(self, operator):
        return operator.subgraph.index == 0 and operator.index in self.nodes

    def invoke(self, context, node):
        raise NotImplementedError


def split_model(data, nodes):
    """Return the model of *nodes* of the model *data*, and an Interpreter of the rest.

    Raises ValueError where these nodes cannot run as one.
    """
    rest = Interpreter(Model(data, prepared=False), delegates=[_Claim(nodes)], measure=True)
    parts = rest.model.subgraphs[0].parts
    if len(parts) != 1 or len(parts[0].nodes) != len(nodes):
        raise ValueError(f"nodes {nodes[0]} to {nodes[-1]} cannot run as one: others lie between")
    (part,) = parts
    tensor = part.subgraph.tensor
    fed = [i for i in part.inputs if not tensor(i).is_variable]
    return part_model(data, list(part.nodes), fed, part.outputs), rest


@click.command("split")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--after", required=True, type=click.IntRange(-1), help="Last node that stays.")
@click.option("--until", type=click.IntRange(0), help="Last node to write; default the last one.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def split(model, after, until, output, as_json):
    """Write the nodes of MODEL after one to -o, as a model for a second board.

    The second board runs the result with tflm.peer.serve(). The first board runs MODEL with a
    PeerDelegate that names the nodes.
    """
    data = settled_model(read_model(model))
    count = Model(data, prepared=False).subgraphs[0].operator_count
    last = count - 1 if until is None else until
    if not after < last < count:
        raise click.UsageError(f"no nodes lie after {after}: the last of {model} is {count - 1}")
    nodes = range(after + 1, last + 1)
    try:
        there, rest = split_model(data, nodes)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    write_file(output, there)
    peer = Interpreter(Model(there), measure=True)
    sides = peer.model.subgraphs[0].inputs, peer.model.subgraphs[0].outputs
    sent, answered = (
        sum(peer.model.subgraphs[0].tensor(i).nbytes for i in side) for side in sides
    )
    facts = {
        "nodes": [nodes.start, nodes.stop],
        "arena_bytes": [rest.arena_used_bytes(), peer.arena_used_bytes()],
        "sent_bytes": sent,
        "answered_bytes": answered,
    }
    if as_json:
        print_json({"model": str(model), "output": str(output), **facts})
        return
    here, peer_bytes = facts["arena_bytes"]
    say(f"{output}: {len(nodes)} nodes, {number(len(there))} bytes")
    say(f"  here:  PeerDelegate(stream, range({nodes.start}, {nodes.stop}))")
    say("  there: tflm.peer.serve(stream, tflm.Interpreter(path))")
    say(f"  arena {number(here)} bytes here, {number(peer_bytes)} there")
    say(f"  a run sends {number(sent)} bytes and gets {number(answered)}")
