"""Which implementation runs which operator, by builtin code and version or by custom name."""

from ..base.errors import message_of
from ..base.port import service
from ..base.shown import show
from ..ops.index import builtin_codes, custom_names
from ..schema import OP_CUSTOM
from .registration import builtin_of, find_all

_ANY_VERSION = (1 << 31) - 1


class OpResolver:
    """A table of registrations; starts empty, or with the builtin operators of this build.

    If ranges of versions of one operator overlap, the latest registration counts. Registrations of
    this build are for any version, as in TFLM: they check the node itself.
    """

    __repr__ = show

    def __init__(self, builtins=False):
        self._has_all = builtins  # imported on first use: a board pays only for the ops it runs
        self._own = {}  # code or name: registration of this build, once asked for, or None
        self._added = {}  # code or name: rows (registration, min, max version), latest first

    def add_builtin(self, op, registration, min_version=1, max_version=_ANY_VERSION):
        """Add builtin operator *op* (its code) for a range of versions."""
        if min_version > max_version:
            raise ValueError("versions %d..%d are no range" % (min_version, max_version))
        self._add(op, ((registration, min_version, max_version),))

    def add_custom(self, name, registration, min_version=1, max_version=_ANY_VERSION):
        """Add the custom operator called *name* for a range of versions."""
        if not name:
            raise ValueError("a custom operator needs a name")
        self.add_builtin(name, registration, min_version, max_version)

    def add_flex(self, name, function):
        """Run TensorFlow's operator *name* with *function*; converters call it "Flex" + name.

        function(attributes, inputs, outputs) gets a dict of numbers, bytes and lists of them, and
        Tensors, None for an absent input. It sets the outputs; ABORT ends the run.
        """
        service("flex").add_flex(self, name, function)

    def add_all(self, other):
        """Add everything that the resolver *other* has."""
        if other._has_all:
            self._has_all = True
            for op in list(builtin_codes()) + custom_names():
                self._added.pop(op, None)
        for op in other._added:
            self._add(op, other._added[op])

    def _add(self, op, rows):
        self._added[op] = rows + self._added.get(op, ())

    def find_op(self, op, version=1):
        """Return the registration of builtin code or custom name *op*, or None."""
        for registration, least, most in self._added.get(op, ()):
            if least <= version <= most:
                return registration
        if not self._has_all:
            return None
        if op not in self._own:
            self._own[op] = builtin_of(op)
        return self._own[op]

    def counts(self):
        """Return how many builtin and custom operators there are."""
        codes, names = (builtin_codes(), custom_names()) if self._has_all else ((), ())
        ops = set(codes).union(names).union(self._added)
        customs = len([op for op in ops if isinstance(op, str)])
        return len(ops) - customs, customs

    def find(self, operator):
        """Return the registration of the model's *operator*, or None."""
        return self.find_code(operator.code)

    def find_code(self, code):
        """Return the registration of *code*, one of a model's opcodes, or None."""
        builtin, name, version = code
        return self.find_op(name if builtin == OP_CUSTOM else builtin, version)

    def knows(self, op):
        """Return whether there is builtin code *op*, in whatever version."""
        return op in self._added or self.find_op(op) is not None

    def why_missing(self, operator):
        """Return a sentence on why `find` returned None for *operator*."""
        is_custom = operator.builtin == OP_CUSTOM
        rows = self._added.get(operator.custom_name if is_custom else operator.builtin)
        if rows:
            ranges = ", ".join(["%d to %d" % row[1:] for row in reversed(rows)])
            return message_of("version %d, this build has %s") % (operator.version, ranges)
        if is_custom:
            return message_of("no custom operator of this name was added")
        return "not in this build"

    def check_all(self, model):
        """Return {code: registration, or None} of the model's opcodes.

        Raises UnsupportedOpError with the names of all missing operators of *model*, and of types
        that the other operators refuse.
        """
        found = find_all(model, self)
        if found is None:
            from .refusal import refusal

            raise refusal(model, self)
        return found


def default_resolver():
    """Return a resolver with every operator of this build."""
    return OpResolver(builtins=True)
