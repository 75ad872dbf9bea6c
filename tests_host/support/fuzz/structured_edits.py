"""Edits of a whole model, as FlatBuffers' object API shows it: edit(rng, model, corpus).

Each changes one thing at random. Half of the values that they choose are wild, the other half such
that the model may stay a sound one, whose bytes TFLM answers, too.
"""

import copy

import numpy as np

from support.fuzz.packed_places import FLOATS, WORDS

TYPES = (0, 0, 2, 2, 3, 4, 6, 7, 7, 9, 9, 9, 1, 5, 8, 10, 12, 15, 16, 17)
EXTENTS = (0, -1, 1, 1, 2, 3, 4, 255, 1 << 16, 1 << 28, (1 << 31) - 1, -(1 << 31))
ZERO_POINTS = (0, 1, -1, 3, -128, 127, 128, -129, 1 << 31, 1 << 40, -(1 << 63), (1 << 63) - 1)
VERSIONS = (0, 1, 2, 3, 4, 5, 6, 7, 99, -1, (1 << 31) - 1)
CALL_ONCE = 129
METADATA = ("OfflineMemoryAllocation", "TFLM_PREPARED", "min_runtime_version", "", "\x1b[31m[b]")
FEW = 24  # duplicates that are made at most


def _listed(values):
    return [] if values is None else [v for v in values]  # may be an array


def _ints(values):
    return np.array(values, np.int32)


def _graph(rng, model):
    return rng.choice(model.subgraphs) if model.subgraphs else None


def _tensor(rng, model):
    graph = _graph(rng, model)
    return rng.choice(graph.tensors) if graph and graph.tensors else None


def _operator(rng, model):
    graph = _graph(rng, model)
    return rng.choice(graph.operators) if graph and graph.operators else None


def tensor_type(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if tensor:
        tensor.type = rng.choice(TYPES)


def shape(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if not tensor:
        return
    extents = [int(v) for v in _listed(tensor.shape)]
    what = rng.choice(("set", "set", "add", "drop", "swap", "none"))
    if what == "add":
        extents.insert(rng.randint(0, len(extents)), rng.choice(EXTENTS))
    elif what == "none":
        tensor.shape = None
        return
    elif extents and what == "drop":
        del extents[rng.randrange(len(extents))]
    elif extents:
        i = rng.randrange(len(extents))
        j = rng.randrange(len(extents))
        if what == "swap":
            extents[i], extents[j] = extents[j], extents[i]
        else:
            extents[i] = rng.choice((*EXTENTS, extents[i] + 1, extents[i] - 1, 2 * extents[i]))
    tensor.shape = _ints([min(max(v, -(1 << 31)), (1 << 31) - 1) for v in extents])


def scales(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if not tensor or tensor.quantization is None:
        return
    quantization = tensor.quantization
    values = [float(v) for v in _listed(quantization.scale)]
    what = rng.choice(("set", "factor", "factor", "add", "drop", "none"))
    if what == "none":
        quantization.scale = None
    elif what == "add":
        quantization.scale = np.array([*values, 0.5], np.float32)
    elif values and what == "drop":
        quantization.scale = np.array(values[:-1], np.float32)
    elif values:
        i = rng.randrange(len(values))
        values[i] = rng.choice(FLOATS) if what == "set" else values[i] * rng.uniform(0.3, 3)
        quantization.scale = np.array(values, np.float32)


def zero_points(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if not tensor or tensor.quantization is None:
        return
    quantization = tensor.quantization
    values = [int(v) for v in _listed(quantization.zeroPoint)]
    what = rng.choice(("set", "set", "add", "drop", "none"))
    if what == "none":
        quantization.zeroPoint = None
        return
    if what == "add":
        values.append(rng.choice(ZERO_POINTS))
    elif values and what == "drop":
        values.pop()
    elif values:
        i = rng.randrange(len(values))
        values[i] = rng.choice((*ZERO_POINTS, rng.randint(-128, 127), rng.randint(-128, 127)))
    quantization.zeroPoint = np.array(values, np.int64)


def quantization(rng, model, _corpus):
    tensor, other = _tensor(rng, model), _tensor(rng, model)
    if not tensor or not other:
        return
    tensor.quantization = rng.choice((None, other.quantization, other.quantization))
    if tensor.quantization and rng.getrandbits(1):
        tensor.quantization = copy.copy(tensor.quantization)
        tensor.quantization.quantizedDimension = rng.choice((0, 1, 2, 3, 4, -1, 1 << 30))


def variable(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if tensor:
        tensor.isVariable = not tensor.isVariable


def tensor_buffer(rng, model, _corpus):
    tensor = _tensor(rng, model)
    if tensor:
        count = len(_listed(model.buffers))
        tensor.buffer = rng.choice((0, rng.randrange(count + 1), count, 0xFFFFFFFF))


def indices(rng, model, _corpus):
    """Change, add or drop a tensor's index of an operator or of a graph."""
    graph = _graph(rng, model)
    if not graph:
        return
    holder = graph if rng.random() < 0.2 or not graph.operators else rng.choice(graph.operators)
    name = rng.choice(("inputs", "inputs", "outputs"))
    values = [int(v) for v in _listed(getattr(holder, name))]
    count = max(len(_listed(graph.tensors)), 1)
    index = rng.choice((rng.randrange(count), rng.randrange(count), -1, count, -2, 1 << 30))
    what = rng.choice(("set", "set", "add", "drop", "swap"))
    if what == "add" or not values:
        values.insert(rng.randint(0, len(values)), index)
    elif what == "drop":
        del values[rng.randrange(len(values))]
    elif what == "swap":
        rng.shuffle(values)
    else:
        values[rng.randrange(len(values))] = index
    setattr(holder, name, _ints(values))


def options(rng, model, _corpus):
    operator = _operator(rng, model)
    if not operator or operator.builtinOptions is None:
        return
    names = [n for n, v in vars(operator.builtinOptions).items() if isinstance(v, (int, float))]
    if names:
        name = rng.choice(names)
        value = getattr(operator.builtinOptions, name)
        if isinstance(value, float):
            value = rng.choice(FLOATS)
        else:
            value = rng.choice((0, 1, 2, 3, 4, int(value) + 1, rng.choice(WORDS)))
        setattr(operator.builtinOptions, name, value)


def other_options(rng, model, corpus):
    operator, other = _operator(rng, model), _operator(rng, corpus.donor(rng))
    if operator and other:
        operator.builtinOptions = rng.choice((None, other.builtinOptions))
        operator.builtinOptionsType = rng.choice((0, other.builtinOptionsType, rng.randrange(128)))


def opcode(rng, model, _corpus):
    if not model.operatorCodes:
        return
    code = rng.choice(model.operatorCodes)
    what = rng.choice(("builtin", "version", "version", "custom", "old"))
    if what == "version":
        code.version = rng.choice(VERSIONS)
    elif what == "custom":
        code.customCode = rng.choice((None, "", "Custom", "\x1b[2J\x00", "x" * 300))
        code.builtinCode = rng.choice((code.builtinCode, 32))
    else:
        wanted = rng.choice((rng.randrange(160), CALL_ONCE, 18, 0, 41))
        code.builtinCode = wanted
        code.deprecatedBuiltinCode = min(wanted, 127)
        if what == "old":
            code.builtinCode = 0


def opcode_index(rng, model, _corpus):
    operator = _operator(rng, model)
    if operator:
        count = len(_listed(model.operatorCodes))
        operator.opcodeIndex = rng.choice((rng.randrange(count + 1), count, 0xFFFFFFFF))


def buffer_bytes(rng, model, _corpus):
    held = [b for b in _listed(model.buffers) if b.data is not None and len(b.data)]
    if not held:
        return
    chosen = rng.choice(held)
    data = bytearray(bytes(chosen.data))
    what = rng.choice(("cut", "grow", "word", "random", "random", "none"))
    if what == "none":
        chosen.data = None
        return
    if what == "cut":
        del data[rng.randint(0, len(data)) :]
    elif what == "grow":
        data += bytes(rng.randint(1, 64))
    elif what == "word":
        start = rng.randrange(len(data)) & -4
        data[start : start + 4] = (rng.choice(WORDS) & 0xFFFFFFFF).to_bytes(4, "little")
    else:
        data[:] = rng.randbytes(len(data))
    chosen.data = np.frombuffer(bytes(data), np.uint8)


def _rearrange(rng, items):
    """Remove, repeat or exchange items of a list."""
    what = rng.choice(("remove", "repeat", "repeat", "exchange", "many"))
    i, j = rng.randrange(len(items)), rng.randrange(len(items))
    if what == "remove":
        del items[i]
    elif what == "exchange":
        items[i], items[j] = items[j], items[i]
    else:
        items[j:j] = [copy.copy(items[i])] * (1 if what == "repeat" else rng.randrange(FEW))


def operators(rng, model, _corpus):
    graph = _graph(rng, model)
    if graph and graph.operators:
        _rearrange(rng, graph.operators)


def tensors(rng, model, _corpus):
    graph = _graph(rng, model)
    if graph and graph.tensors:
        _rearrange(rng, graph.tensors)


def subgraphs(rng, model, _corpus):
    if model.subgraphs:
        _rearrange(rng, model.subgraphs)


def codes_and_buffers(rng, model, _corpus):
    items = rng.choice((model.operatorCodes, model.buffers))
    if items:
        _rearrange(rng, items)


def call_once(rng, model, _corpus):
    """Let a subgraph call another, or itself."""
    operator = _operator(rng, model)
    if not operator or not model.operatorCodes:
        return
    code = copy.copy(model.operatorCodes[0])
    code.builtinCode, code.deprecatedBuiltinCode = CALL_ONCE, 127
    model.operatorCodes.append(code)
    operator.opcodeIndex = len(model.operatorCodes) - 1


def metadata(rng, model, corpus):
    entries = list(model.metadata or [])
    donor = corpus.donor(rng)
    if entries and rng.getrandbits(1):
        _rearrange(rng, entries)
    elif donor.metadata or entries:
        entry = copy.copy(rng.choice(donor.metadata or entries))
        entry.name = rng.choice((entry.name, *METADATA))
        entry.buffer = rng.randrange(len(_listed(model.buffers)) + 1)
        entries.append(entry)
    model.metadata = entries


def absent(rng, model, _corpus):
    """Leave out a field of some table."""
    graph = _graph(rng, model)
    holders = [model, graph, _tensor(rng, model), _operator(rng, model)]
    holder = rng.choice([h for h in holders if h is not None])
    names = [
        n for n, v in vars(holder).items() if v is not None and not isinstance(v, (int, float))
    ]
    if names:
        setattr(holder, rng.choice(names), None)


def graft(rng, model, corpus):
    """Append an operator of another model with its tensors; it reads one of this model's."""
    donor = corpus.donor(rng)
    graph, source = _graph(rng, model), _graph(rng, donor)
    if not graph or not source or not source.operators or not graph.tensors:
        return
    if None in (graph.operators, model.buffers, model.operatorCodes):
        return
    operator = copy.copy(rng.choice(source.operators))
    base = len(graph.tensors)
    for name in ("inputs", "outputs"):
        values = [int(v) for v in _listed(getattr(operator, name))]
        if any(v >= len(source.tensors) for v in values):
            return
        setattr(operator, name, _ints([v + base if v >= 0 else v for v in values]))
    for tensor in source.tensors:
        moved = copy.copy(tensor)
        moved.buffer += len(model.buffers)
        graph.tensors.append(moved)
    model.buffers += donor.buffers
    model.operatorCodes.append(donor.operatorCodes[operator.opcodeIndex])
    operator.opcodeIndex = len(model.operatorCodes) - 1
    if len(operator.inputs) and rng.getrandbits(1):
        operator.inputs[0] = rng.randrange(base)
    else:
        graph.inputs = _ints([*_listed(graph.inputs), *operator.inputs[:1]])
    graph.outputs = _ints([*_listed(graph.outputs), *operator.outputs])
    graph.operators.append(operator)


def version(rng, model, _corpus):
    model.version = rng.choice((0, 1, 2, 3, 4, 0xFFFFFFFF))


EDITS = (
    *(tensor_type, shape, shape, scales, scales, zero_points, zero_points, quantization),
    *(variable, tensor_buffer, indices, indices, options, options, options, other_options),
    *(opcode, opcode_index, buffer_bytes, buffer_bytes, operators, operators, tensors),
    *(subgraphs, codes_and_buffers, call_once, metadata, absent, graft, graft, graft, version),
)
