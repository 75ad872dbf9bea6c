"""CIRCULAR_BUFFER: a window over the latest inputs, at which a run may end.

If the operators behind it run every n-th time only, the other runs end here: see
tflm/run/periods.py.
"""

from ..file.flexbuffer import in_order
from ..memory.allocator import resource_arg, tensor_arg
from .common import (
    input_and_output,
    kernel,
    operator,
    require_rank,
    row_types,
    set_kernel,
    zero_point_of,
)

# The window has so many bytes, an input `step`.
RECORDS = {"CIRCULAR": ("size", "step", "cycles")}

KERNELS = (
    kernel(
        134, "circular", record="CIRCULAR", arguments="bytes input -> bytes output, bytes window"
    ),
    kernel(
        135,
        "circular_every",
        record="CIRCULAR",
        arguments="bytes input -> bytes output, bytes window, s32 state",
    ),
)


def _cycles_of(node):
    try:
        options = in_order(node.operator.custom_options)
    except ValueError as error:
        node.operator.fail("custom options: %s" % error)
    node.expect(
        options and isinstance(options[0], int) and 0 < options[0] < 1 << 30,
        "has the custom options %s, cycles_max of 1 or more expected",
        options,
    )
    return options[0]


def _prepare_circular(context, node):
    data, output = input_and_output(node, row_types("CIRCULAR_BUFFER"))
    require_rank(node, data, "input", 4)
    slots = output.shape[1] if len(output.shape) > 1 else 0
    node.expect(
        data.shape[:2] == (1, 1) and slots and output.shape == (1, slots) + data.shape[2:],
        "input has shape %s, output %s",
        data.shape,
        output.shape,
    )
    cycles = _cycles_of(node)
    operator = node.operator
    args = [tensor_arg(operator.inputs[0]), tensor_arg(operator.outputs[0])]
    resources = context.resources()
    if output.is_variable:
        args.append(args[1])
    else:
        zero_point = zero_point_of(node, output, "output") & 0xFF
        args.append(resource_arg(resources.add(output.nbytes, zero_point)))
    size, step = output.nbytes, data.nbytes
    if cycles == 1:
        set_kernel(context, node, "circular", args, size=size, step=step, cycles=cycles)
        return
    args.append(resource_arg(resources.add(8)))
    set_kernel(context, node, "circular_every", args, size=size, step=step, cycles=cycles)


OPERATORS = (
    operator(
        "CIRCULAR_BUFFER",
        _prepare_circular,
        "CIRCULAR_BUFFER",
        version=1,
        types="int8",
        notes="cycles_max",
    ),
)
