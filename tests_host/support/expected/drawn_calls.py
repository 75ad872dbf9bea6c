"""Calls of a kernel as models of its operator make them, and what TFLM writes there.

The operator parameters come from our own prepare functions, which are tried with them.
"""

from cases import ALL
from judge import shared_judge
from support.draw.one_op import Draw
from tflm.base.arena import Arena
from tflm.base.layout import ABSENT
from tflm.load.context import PREPARE, Context, Node
from tflm.load.op_resolver import default_resolver
from tflm.memory.allocator import MicroAllocator, model_arg, resource_arg, scratch_arg
from tflm.model import Model
from tflm.ops.collect import rows
from tflm.schema import INT8

SCRATCH, STATE, MODEL = scratch_arg(0) & 3, resource_arg(0) & 3, model_arg(0) & 3


class _Catcher(MicroAllocator):
    """Keeps the operator parameters of a model of one operator."""

    def write_record(self, _node, kernel, args, words):
        self.record = kernel, list(args), list(words)


def record_of(model):
    """Return what the one node of *model* asks for.

    That is (number of its kernel, arguments, words, {SCRATCH: sizes, STATE: sizes}).
    """
    allocator = _Catcher(Arena(), model, None)
    context = Context(allocator)
    allocator.start_model_allocation()
    context.state = PREPARE
    operator = next(model.operators())
    registration = default_resolver().find(operator)
    registration.prepare(context, Node(operator, registration))
    sizes = [nbytes for nbytes, *_ in allocator.scratch]
    states = [nbytes for nbytes, _ in (allocator.resources.sizes if allocator.resources else ())]
    allocator.record += ({SCRATCH: sizes, STATE: states},)
    return allocator.record


def drawn_calls(name, count, rng):
    """Yield (words, inputs, outputs) of *count* calls of kernel *name*.

    inputs are bytes, outputs (what is there before, what TFLM writes or None)
    """
    names = [case for case, op in ALL.items() if op.kernel == name]
    if not names:
        raise LookupError(f"neither viper_records nor a case of tests_host/cases draws {name}")
    for i in range(count):
        yield _call(*_drawn(ALL[names[i % len(names)]], name, rng), shared_judge())


def _drawn(op, name, rng):
    """Return a model of *op* that kernel *name* runs, its node's requests, and bytes of inputs.

    Some shapes make a copy of what another kernel does.
    """
    for _ in range(100):
        data, makers = op.draw(Draw(rng))
        model = Model(data)
        record = record_of(model)
        if rows().kernels[record[0]].name == name:
            return model, record, [make() for make in makers]
    raise LookupError(f"100 models of {name} have other kernels")


def _call(model, record, fed, oracle):
    number, args, words, sizes = record
    is_variadic = rows().kernels[number].arguments.split(", ")[-1].split(" -> ")[-1][:3] == "..."
    graph = model.subgraphs[0]
    held = dict(zip(graph.inputs, fed, strict=True))
    oracle.load(model.buf, model)
    answers = dict(zip(graph.outputs, oracle.invoke(fed), strict=True))
    inputs, outputs = [], []
    for i, arg in enumerate(args):
        index, kind = arg >> 2, arg & 3  # a handle of the allocator
        if arg == ABSENT:
            inputs.append(b"")
        elif kind in sizes:
            outputs.append((bytes(sizes[kind][index]), None))
        elif kind == MODEL:  # a vector of words
            count = int.from_bytes(model.buf[index - 4 : index], "little")
            inputs.append(bytes(model.buf[index : index + 4 * count]))
        elif index in answers:
            outputs.append((_fill(graph.tensor(index)), answers[index]))
        elif graph.tensor(index).is_variable:  # what it becomes TFLM does not show
            outputs.append((_fill(graph.tensor(index)), None))
        elif index in held:
            inputs.append(held[index])
        else:
            tensor = graph.tensor(index)
            data = bytes(model.buf[tensor.data : tensor.data + tensor.nbytes])
            if i and is_variadic:  # among its outputs, and stays as it is
                outputs.append((data, data))
            else:
                inputs.append(data)
    if rows().kernels[number].arguments.startswith("..."):
        inputs = [tuple(inputs)]
    return words, inputs, outputs


def _fill(tensor):
    is_filled = tensor.is_variable and tensor.type == INT8
    zero = tensor.zero_point() & 0xFF if is_filled else 0
    return bytes([zero]) * tensor.nbytes
