"""Which implementation runs which operator, by builtin code and version or by custom name."""

from .errors import message_of
from .ops.index import builtin_codes, custom_names, prepare_of
from .schema import OP_CUSTOM
from .shown import show


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


_ANY_VERSION = (1 << 31) - 1


class OpResolver:
    """A table of registrations; starts empty, or with the builtin operators of this build."""

    __repr__ = show

    def __init__(self, builtins=False):
        self._has_all = builtins  # imported on first use: a board pays only for the ops it runs
        self._builtins = {}  # code -> (registration, min version, max version)
        self._customs = {}  # name -> registration

    def add_builtin(self, op, registration, min_version=1, max_version=_ANY_VERSION):
        """Add builtin operator *op* (its code) for a range of versions; a later call replaces."""
        if min_version > max_version:
            raise ValueError("versions %d..%d are no range" % (min_version, max_version))
        self._builtins[op] = (registration, min_version, max_version)

    def add_custom(self, name, registration):
        """Add the custom operator called *name*; a later call replaces."""
        if not name:
            raise ValueError("a custom operator needs a name")
        self._customs[name] = registration

    def add_all(self, other):
        """Add everything that the resolver *other* has."""
        if other._has_all:
            self._has_all = True
            for op in builtin_codes():
                self._builtins.pop(op, None)
            for name in custom_names():
                self._customs.pop(name, None)
        self._builtins.update(other._builtins)
        self._customs.update(other._customs)

    def find_op(self, op, version=1):
        """Return the registration of builtin code or custom name *op*, or None."""
        if isinstance(op, str):
            return self._customs.get(op) or self._own_custom(op)
        entry = self._entry(op)
        if entry is None or not entry[1] <= version <= entry[2]:
            return None
        return entry[0]

    def _own_custom(self, name):
        """Return the registration of a custom operator of this build, or None."""
        prepare = prepare_of(name) if self._has_all else None
        if not prepare:
            return None
        registration = self._customs[name] = Registration(prepare=prepare)
        return registration

    def _entry(self, op):
        """Return (registration, min version, max version) of builtin code *op*, or None."""
        entry = self._builtins.get(op)
        if entry is None and self._has_all:
            prepare = prepare_of(op)
            if prepare:
                # Like TFLM, it asks what operators compute, not of which version they are.
                registration = Registration(prepare=prepare)
                entry = self._builtins[op] = registration, ~_ANY_VERSION, _ANY_VERSION
        return entry

    def counts(self):
        """Return how many builtin and custom operators there are."""
        codes, names = (builtin_codes(), custom_names()) if self._has_all else ((), ())
        return len(set(codes).union(self._builtins)), len(set(names).union(self._customs))

    def find(self, operator):
        """Return the registration of the model's *operator*, or None."""
        return self.find_code(operator.code)

    def find_code(self, code):
        """Return the registration of *code*, one of a model's opcodes, or None."""
        builtin, name, version = code
        return self.find_op(name) if builtin == OP_CUSTOM else self.find_op(builtin, version)

    def knows(self, op):
        """Return whether there is builtin code *op*, in whatever version."""
        return self._entry(op) is not None

    def why_missing(self, operator):
        """Return a sentence on why `find` returned None for *operator*."""
        entry = self._entry(operator.builtin)
        if operator.builtin == OP_CUSTOM:
            return message_of("no custom operator of this name was added")
        if entry is None:
            return "not in this build"
        ours = message_of("version %d, this build has %d to %d")
        return ours % (operator.version, entry[1], entry[2])

    def check_all(self, model):
        """Return {code: registration, or None} of the model's opcodes.

        Raises UnsupportedOpError if an operator of *model* is missing, and names all that are. In
        that case types that the others' prepare refuses are named, too.
        """
        found = {code: self.find_code(code) for code in model.opcodes}
        if all(found.values()):
            return found
        model.verify()
        if all([found[operator.code] for operator in model.operators()]):
            return found  # no node uses what is missing
        from .refusal import refusal

        raise refusal(model, self)


def default_resolver():
    """Return a resolver with every operator of this build."""
    return OpResolver(builtins=True)
