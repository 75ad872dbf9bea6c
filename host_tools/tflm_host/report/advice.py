"""Changes of a model that would make its arena smaller.

Runs on MicroPython, too: the web page has it.
"""

from .text import number, short

FLOAT = "float32"
HIGH = 0.8  # operators that need more than this part of the worst moment hold up the head


class Advice:
    """*nbytes* of arena saved by following *text*; at most so many where *certain* is false."""

    def __init__(self, nbytes, text, certain=True):
        self.nbytes = nbytes
        self.text = text
        self.certain = certain

    def as_json(self):
        return {"nbytes": self.nbytes, "text": self.text, "certain": self.certain}

    def line(self):
        saved = number(self.nbytes) if self.certain else f"at most {number(self.nbytes)}"
        return f"{saved} bytes: {self.text}"


def sorted_advice(found):
    """Return the advice in *found* that saves bytes, the largest first."""
    return sorted([advice for advice in found if advice.nbytes > 0], key=lambda a: -a.nbytes)


def of_operators(report):
    """Return the operators that determine the head, and the next moment without them."""
    moments = report.moments()
    worst = report.worst_moment()
    most = [m for m in moments if m.nbytes > worst.nbytes * HIGH]
    rest = max([m.nbytes for m in moments if m.nbytes <= worst.nbytes * HIGH] or [0])
    found = []
    if len(most) < len(moments) / 2:
        text = f"smaller tensors at {', '.join([m.label for m in most])}: "
        text += f"the rest gets by with {number(rest)} bytes of head"
        found.append(Advice(worst.nbytes - rest, text, certain=False))
    found += _waiting(report, [m for m in most if m.nbytes == worst.nbytes])
    floats = sum([b["size"] for b in worst.live if _type(report, b) == FLOAT])
    text = f"quantize to int8: {number(floats)} of the bytes at {worst.label} are float32"
    found.append(Advice(floats * 3 // 4, text, certain=False))
    return found


def _waiting(report, moments):
    """Tensors that the operators of *moments* do not use, but a later one does."""
    found, seen = [], set()
    if len(report.model.subgraphs) > 1:
        return found
    for moment in moments:
        for buffer in _bystanders(report, moment):
            if buffer["tensor"] not in seen:
                seen.add(buffer["tensor"])
                reader = report.label(buffer["last_used"])
                text = f"join the branches earlier: {reader} reads {short(buffer['name'])}"
                text += f", which waits at {moment.label}"
                found.append(Advice(buffer["size"], text, certain=False))
    return found


def _bystanders(report, moment):
    if moment.scope == 0:
        return []
    graph = report.model.subgraphs[0]
    operator = graph.operator(moment.scope - 1)
    used = list(operator.inputs) + list(operator.outputs)
    tensors = [buffer for buffer in moment.live if buffer["tensor"] >= 0]
    waiting = [b for b in tensors if b["tensor"] not in used and b["last_used"] > moment.scope]
    return [buffer for buffer in waiting if not graph.tensor(buffer["tensor"]).is_variable]


def _type(report, buffer):
    tensor = report.tensor(buffer)
    return tensor and tensor.type_name
