"""The contents of a model, and every part that this runtime cannot run, with the reason."""

from tflm.base.arena import align_up
from tflm.base.errors import ModelError
from tflm.load.refusal import kind_of, uses_of
from tflm.memory.offline import NAME as OFFLINE
from tflm.memory.offline import offline_offsets
from tflm.model import STREAM
from tflm.ops.collect import rows

from ..model.flash_cache import CHIPS
from .unsupported import types_of, unsupported

INTEGERS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767)}
TEXT_BYTES = 64  # metadata up to this size is shown when it is text
PIXELS = 256  # values of a pixel, as many as an int8 has
PIXEL_RANGES = (1, 2, 255)  # what pixels are scaled to: 0..1, -1..1, or not at all


def inspect_model(model):
    """Return {"ops", "inputs", "outputs", ...} of a tflm.Model, ready for JSON.

    Raises ModelError where the file is malformed.
    """
    model.verify()
    graph = model.subgraphs[0]
    reasons = unsupported(model)
    tensors = [
        {"subgraph": s.index, **_tensor(s.tensor(i))}
        for s in model.subgraphs
        for i in range(s.tensor_count)
    ]
    return {
        "version": model.version,
        "kind": kind_of(uses_of(model)),
        "description": model.description,
        "subgraphs": len(model.subgraphs),
        "prepared": _prepared(model.snapshot),
        "metadata": {name: len(data) for name, data in model.metadata.items()},
        "metadata_meaning": {name: _meaning(model, name) for name in model.metadata},
        "signatures": [_signature(model, *item) for item in model.signatures.items()],
        "ops": [_operator(op, reasons) for op in model.operators()],
        "inputs": [_port(graph.tensor(i)) for i in graph.inputs],
        "outputs": [_port(graph.tensor(i)) for i in graph.outputs],
        "tensors": tensors,
        "constant_bytes": sum(t["bytes"] for t in tensors if t["constant"]),
    }


def _signature(model, key, signature):
    """Return the names of a signature and their tensors."""
    index, inputs, outputs = signature
    graph = model.subgraphs[index]
    sides = [
        {name: graph.tensor(i).name for name, i in side.items()} for side in (inputs, outputs)
    ]
    return {"key": key, "subgraph": index, "inputs": sides[0], "outputs": sides[1]}


def _prepared(snapshot):
    """Return the target of a prepared model, None for an unprepared one."""
    if snapshot is None:
        return None
    first = snapshot.arena_bytes
    second = snapshot.second_bytes + align_up(snapshot.copied_bytes)
    return {
        "isa": snapshot.isa,
        "layout": snapshot.layout,
        "flash": CHIPS.get(snapshot.flash, "another flash"),
        "arena_bytes": first + second,
        "memories": [first, second] if snapshot.second_bytes else None,
    }


def _meaning(model, name):
    """Return the contents of the metadata *name*, if they are known and short."""
    data = bytes(model.metadata[name])
    if name == OFFLINE:
        try:
            offsets = offline_offsets(model)
        except ModelError as error:
            return str(error)
        if offsets is None:
            return "an empty memory plan, which is not used"
        placed = sum(offset >= 0 for offset in offsets)
        return f"a memory plan: {placed} of {len(offsets)} tensors placed"
    if name == STREAM and model.stream:
        return "a stream: " + stream_text(*model.stream)
    text = data.rstrip(b"\0")
    if text and len(text) <= TEXT_BYTES and text.isascii() and text.decode().isprintable():
        return text.decode()
    return None


def stream_text(frames, period):
    """Return `Model.stream` in words."""
    often = f"one run in {period}" if period > 1 else "each run"
    return f"a run takes one frame; {often} answers for the latest {frames}"


def _port(tensor):
    """An input or output: the tensor, and how to feed or read it."""
    facts = _tensor(tensor)
    limits = INTEGERS.get(facts["dtype"])
    facts["real_range"] = facts["pixels"] = None
    if limits and len(facts["scales"]) == 1:
        scale, zero_point = facts["scales"][0], facts["zero_point"]
        facts["real_range"] = [scale * (q - zero_point) for q in limits]
        spans = [abs(scale * (PIXELS - 1) / span - 1) < 1 / PIXELS for span in PIXEL_RANGES]
        is_image = len(facts["shape"]) == 4 and facts["shape"][-1] in (1, 3)
        if is_image and facts["dtype"] == "int8" and any(spans):
            facts["pixels"] = "q = pixel - 128"
    return facts


def _note(operator):
    """Return a note about a supported *operator*, or None."""
    row = rows().operators.get(operator.builtin)
    highest = row.version if row else operator.version
    if operator.version <= highest:
        return None
    return (
        f"version {operator.version}, written for up to {highest}: as in TFLM, its types and"
        " shapes decide"
    )


def _operator(operator, reasons):
    graph = operator.subgraph
    why, change = reasons.get((graph.index, operator.index), (None, None))
    weights = [graph.tensor(i) for i in operator.inputs if i >= 0]
    return {
        "subgraph": graph.index,
        "index": operator.index,
        "op": operator.name,
        "version": operator.version,
        "types": types_of(operator),
        "inputs": list(operator.inputs),
        "outputs": list(operator.outputs),
        "constant_bytes": sum(tensor.nbytes for tensor in weights if tensor.is_constant),
        "supported": why is None,
        "why": why,
        "change": change,
        "note": None if why else _note(operator),
    }


def _tensor(tensor):
    return {
        "index": tensor.index,
        "name": tensor.name,
        "shape": list(tensor.shape),
        "dtype": tensor.type_name,
        "bytes": tensor.nbytes,
        "constant": tensor.is_constant,
        "variable": tensor.is_variable,
        "scales": list(tensor.scales()),
        "zero_point": tensor.zero_point(),
    }
