"""Operators that an accelerator runs: `resolver.add_custom("ethos-u", ethos_u(driver))`.

Vela compiles the operators that an Arm Ethos-U can run into one operator per graph. Its inputs are
a command stream, constants, memory for the accelerator, and the graph's inputs. The model's own
memory plan has their places. The driver is yours. Source: tensorflow/lite/micro/kernels/ethos_u.
"""

from .base.errors import ABORT
from .base.port import addressof, const
from .load.registration import Registration
from .schema import UINT8

ETHOS_U = "ethos-u"
_TYPE = const(1)  # of the custom options, of a command stream for an Ethos-U
_MOST = const(8)  # addresses


def _address(view):
    try:
        return addressof(view)
    except TypeError:  # CPython, where it is read-only
        from numpy import frombuffer

        return frombuffer(view, "uint8").ctypes.data


def ethos_u(driver):
    """Return the Registration of Vela's operator.

    driver(commands, regions, external) runs it. The argument *commands* is a memoryview. The
    *regions* are (address, bytes) of the other inputs, then of the outputs. The interpreter has
    *external*. Any other result than None or 0 ends the run, as ABORT does.
    """

    def prepare(context, node):
        operator = node.operator
        count = len(operator.inputs) + len(operator.outputs) - 1
        node.expect(0 < count <= _MOST, "has %d tensors, 1 to %d expected", count, _MOST)
        kind = operator.attributes
        node.expect(kind == _TYPE, "has options of type %s, %d expected", kind, _TYPE)
        node.expect(node.required(0).type == UINT8, "has no command stream")
        for i in range(1, len(operator.inputs)):
            node.required(i)
        context.allow_overlap(node, None)  # Vela has laid them out

    def invoke(context, node):
        if node.user_data is None:  # in the first run: later ones take no heap
            operator = node.operator
            views = [context.tensor_data(node, i) for i in operator.inputs + operator.outputs]
            regions = [(_address(view), len(view)) for view in views[1:]]
            node.user_data = views[0], tuple(regions)
        commands, regions = node.user_data
        return ABORT if driver(commands, regions, context.external) else None

    return Registration(prepare=prepare, invoke=invoke)
