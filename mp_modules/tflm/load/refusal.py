"""Why a model cannot run here: one message for all of it, short enough for a board.

Imported where a model is refused, and nowhere else. `tflm inspect` says the rest.
"""

from ..base.arena import Arena
from ..base.errors import ModelError, UnsupportedOpError, message_of
from ..base.port import const
from ..memory.allocator import MicroAllocator
from ..schema import FLOAT16, FLOAT32, INT8, INT16, UINT8, type_name
from .context import PREPARE, Context, Node
from .registration import prepare_node

LIMIT = const(400)  # characters of a message
_NAME = const(40)  # characters of a custom operator's name
_MORE = const(17)  # of "... and 1000 more"
_DEQUANTIZE = const(6)
_LINEAR = (3, 4, 9, 27)  # operators with weights as input 1: by their types a model is known


class _Prober(MicroAllocator):
    """Lets nodes prepare one after the other, and keeps nothing."""

    def __init__(self, model):
        MicroAllocator.__init__(self, Arena(), model, None)

    def write_record(self, node, name, args, params):
        pass

    def write_words(self, node, kernel, args, words):
        pass

    def forget(self):
        self.arena._restore((0, 0, 0, 0))
        self.scratch = []
        self._overlaps = []


def refusal(model, resolver):
    """Return an UnsupportedOpError that names all of *model* that *resolver* has not, or None.

    That is each operator with the types that are missing, how often, and its first node.
    """
    uses = uses_of(model)
    found = {}  # (operator, types): [count, first node]
    detail = ""
    for operator, count, why in refused(model, resolver, uses):
        name = operator.name[:_NAME]
        if resolver.find(operator) is None and resolver.knows(operator.builtin):
            name += " v%d" % operator.version
        entry = found.get((name, types_of(operator)))
        if entry is None:
            place = operator.index
            if operator.subgraph.index:
                place = "%d:%d" % (operator.subgraph.index, place)
            entry = found[name, types_of(operator)] = [0, place]
        entry[0] += count
        detail = detail or why
    return UnsupportedOpError(_message(kind_of(uses), found, detail)) if found else None


def uses_of(model):
    """Return {(code, types of inputs, types of outputs): [count, first operator]}.

    All nodes of a kind are alike, so the next checks look only at the first one.
    """
    uses = {}
    for subgraph in model.subgraphs:
        types = {-1: None}  # tensor: its type
        for operator in subgraph.operators():
            sides = operator.inputs, operator.outputs
            for i in sides[0] + sides[1]:
                if i not in types:
                    types[i] = subgraph.tensor(i).type
            key = (operator.code,) + tuple([tuple([types[i] for i in side]) for side in sides])
            use = uses.get(key)
            if use is None:
                use = uses[key] = [0, operator]
            use[0] += 1
    return uses


def refused(model, resolver, uses):
    """Yield (operator, count, why) of *uses* that are missing or whose types are refused.

    why is "" where no version of the operator is known: its name says all.
    """
    prober = _Prober(model)
    services = Context(prober)
    services.state = PREPARE
    for count, operator in uses.values():
        registration = resolver.find(operator)
        why = None
        if registration is None:
            why = resolver.why_missing(operator) if resolver.knows(operator.builtin) else ""
        elif registration.prepare and not registration.invoke:  # none of the user's own
            try:
                node = Node(operator, registration)
                node.check_shapes()
                prepare_node(registration, services, node)
            except UnsupportedOpError as error:
                why = str(error)
            except ModelError:
                pass  # another matter
            prober.forget()
        if why is not None:
            yield operator, count, why


def types_of(operator):
    """Return the types that tell this use of an operator from others: data/weights>output."""
    tensor = operator.subgraph.tensor
    inputs = [tensor(i) for i in operator.inputs if i >= 0]
    outputs = [tensor(i).type for i in operator.outputs]
    data = [t.type for t in inputs if not t.is_constant] or [t.type for t in inputs] or outputs
    text = type_name(data[0]) if data else ""
    if operator.builtin in _LINEAR and len(inputs) > 1 and inputs[1].type != data[0]:
        text += "/" + type_name(inputs[1].type)
    if data and outputs and outputs[0] != data[0]:
        text += ">" + type_name(outputs[0])
    return text


def kind_of(uses):
    """Return the kind of arithmetic in a model of *uses*, in a few words."""
    counts = {}
    for key in uses:
        code, types = key[0][0], key[1][:2]
        if code == _DEQUANTIZE and types == (FLOAT16,):
            return message_of("float32 (float16 weights)")
        # Operators without weights count where there are no others.
        linear = code in _LINEAR
        types = types if linear else types[:1]
        if types and types[0] is not None:
            counts[types] = counts.get(types, 0) + uses[key][0] * (1 << 16 if linear else 1)
    if not counts:
        return "empty"
    types = max(counts, key=lambda types: counts[types])
    if types == (FLOAT32, INT8):
        return message_of("hybrid (float32 activations, int8 weights)")
    if types == (INT16, INT8):
        return message_of("int16x8 (int16 activations, int8 weights)")
    if types == (UINT8, UINT8):
        return message_of("uint8 (of TensorFlow 1)")
    return type_name(types[0])


def _message(kind, found, detail):
    head = message_of("this %s model needs operators that this build lacks: ") % kind
    tail = message_of("; tflm inspect MODEL says more") + _advice(found)
    if kind.startswith("uint8 "):
        tail += message_of("; tflm convert MODEL -o NEW makes it int8")
    room = LIMIT - len(head) - len(tail)
    rows = [_row(key, found[key]) for key in sorted(found)]
    text = ", ".join(rows)
    if len(text) > room:
        shown = 0
        text = ""
        while len(text) + len(rows[shown]) + 2 + _MORE <= room:
            text += rows[shown] + ", "
            shown += 1
        text += "... and %d more" % (len(rows) - shown)
    elif detail and len(text) + len(detail) + 3 <= room:
        text += " (" + detail + ")"
    return head + text + tail


def _row(key, entry):
    name, types = key
    count, first = entry
    if types:
        name += " " + types
    if count == 1:
        return "%s (node %s)" % (name, first)
    return message_of("%s (%d nodes, first %s)") % (name, count, first)


def _advice(found):
    """Return a remedy for custom operators that no build for a microcontroller has."""
    names = " ".join([name for name, _ in found])
    if "ethos-u" in names:
        return message_of("; ethos-u: tflm.npu with your driver, or the file from before vela")
    if "edgetpu" in names:
        return message_of("; edgetpu: take the file from before edgetpu_compiler")
    if "Flex" in names:
        return message_of("; Flex: resolver.add_flex(), or convert without SELECT_TF_OPS")
    return ""
