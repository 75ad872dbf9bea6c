"""How operators are prepared and run, and a model's operators without an OpResolver."""

from ..base.errors import UnsupportedOpError
from ..base.port import check_looked
from ..base.shown import show
from ..ops.index import prepare_of, was_asked
from ..schema import OP_CUSTOM


class Registration:
    """How one operator is initialised, prepared and run; every function is optional.

    init(context, node)     once, before any prepare; may allocate persistent buffers
    prepare(context, node)  validates, sizes, allocates; all errors are raised here
    invoke(context, node)   runs; only for operators without a kernel. Returning ABORT ends this
                            run early, without an error
    reset(context, node)    back to the initial state
    free(context, node)     the interpreter goes away
    """

    __repr__ = show

    def __init__(self, init=None, prepare=None, invoke=None, reset=None, free=None):
        self.init = init
        self.prepare = prepare
        self.invoke = invoke
        self.reset = reset
        self.free = free


def prepare_node(registration, context, node):
    """Prepare *node*; UnsupportedOpError where firmware lacks its family's part for its types."""
    try:
        registration.prepare(context, node)
    except ImportError as error:
        if "tflm.ops." not in str(error):  # of a user's own operator
            raise
        check_looked()
        operator = node.operator
        raise UnsupportedOpError(
            "%s #%d: no kernels for its types in this firmware;"
            " add what tflm ops MODEL prints to TFLM_OPS" % (operator.name, operator.index)
        ) from error


def builtin_of(op):
    """Return the registration of this build for builtin code or custom name *op*, or None."""
    prepare = prepare_of(op)
    return Registration(prepare=prepare) if prepare else None


def knows_all(opcodes):
    """Tell whether no module of *opcodes* is left to import."""
    for builtin, name, _ in opcodes:
        if not was_asked(name if builtin == OP_CUSTOM else builtin):
            return False
    return True


def find_all(model, resolver=None):
    """Return {code: registration, or None} of *model*'s opcodes; None where a node needs others.

    resolver  None: with every operator of this build
    """
    found = {}
    for code in model.opcodes:
        if resolver:
            found[code] = resolver.find_code(code)
        else:
            builtin, name, _ = code
            found[code] = builtin_of(name if builtin == OP_CUSTOM else builtin)
    if all(found.values()):
        return found
    model.verify()
    return found if all([found[operator.code] for operator in model.operators()]) else None


def free_nodes(context, nodes):
    """Call the `free` of all *nodes*; return the first error that one of them raised, or None."""
    first = None
    for node in nodes.values():
        if node.registration.free:
            try:
                node.registration.free(context, node)
            except BaseException as error:  # the others hold what is theirs
                first = first or error
    return first
