"""Gives short names to what only the package itself uses; see __init__.py.

A name costs its letters and seven bytes in flash, and two in the table of each module that has it.
Globals and attributes are told apart, so one short name may be both.
"""

import ast
import builtins
import re
import string
from array import array
from collections import Counter

from .module import bound, globals_of

FOREIGN = (str, bytes, list, dict, tuple, set, int, float, memoryview, array, BaseException, open)
PLAIN = re.compile(r"[a-z]\w*$")
PRIVATE = re.compile(r"_[A-Za-z]\w*$")
ONE = string.ascii_lowercase + string.ascii_uppercase


def public_names(modules, public, own):
    """Return the attributes of classes in modules *public* that users may know: not *own*."""
    names = set()
    for module in modules.values():
        for node in module.tree.body if module.name in public else ():
            if isinstance(node, ast.ClassDef):
                names |= {name for name in _attributes_of(node) if not name.startswith("_")}
    return names.difference(own)


def _attributes_of(tree):
    """Return the names of the attributes that are set or defined in *tree*."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    names.add(part.name)
                elif isinstance(part, ast.Assign):
                    names |= {target.id for target in part.targets}
    return names


def shorten_names(modules, kept_attributes, kept_globals):
    """Shorten all names of globals and attributes in *modules*, a list, but those to be kept."""
    uses = [Uses(module) for module in modules]
    for use, module in zip(uses, modules, strict=True):
        use.visit(module.tree)
    foreign = {name for kind in FOREIGN for name in dir(kind)}
    attributes = set().union(*[_attributes_of(module.tree) for module in modules])
    attributes = _own(attributes - kept_attributes - foreign)
    names = _own(set().union(*[globals_of(module.tree) for module in modules]) - kept_globals)
    taken = {name for use in uses for name in use.attributes} - attributes
    _rename(uses, "attributes", attributes, taken | kept_attributes | foreign, names)
    taken = {name for use in uses for name in use.globals} - names
    local = set().union(*[use.locals for use in uses])
    _rename(uses, "globals", names, taken.union(kept_globals, local, dir(builtins)), attributes)


def _own(names):
    return {name for name in names if not name.startswith("__")}


def _rename(uses, kind, names, taken, others):
    """Rename *names*; none becomes one of *taken*, or what another in the same module is.

    Best is a name that the module has anyway: an attribute may be called as a builtin function
    is, a global as a method; *others* are those of them that are renamed themselves.
    """
    places = {name: [use for use in uses if name in getattr(use, kind)] for name in names}
    count = {name: sum([len(getattr(use, kind)[name]) for use in places[name]]) for name in names}
    used = {}  # short name -> modules
    for name in sorted(names, key=lambda name: (-count[name], name)):
        for short in _candidates(kind, places[name], others):
            here = used.setdefault(short, [])
            if short not in taken and not any([use in here for use in places[name]]):
                here += places[name]
                for use in places[name]:
                    use.rename(kind, name, short)
                break


def _candidates(kind, uses, others):
    """Yield names that all of *uses* have, then letters and pairs of letters."""
    other = "attributes" if kind == "globals" else "globals"
    counts = [{name: len(nodes) for name, nodes in getattr(use, other).items()} for use in uses]
    if kind == "attributes":
        counts = [{**use.parameters, **count} for use, count in zip(uses, counts, strict=True)]
    shared = set(counts[0]).intersection(*counts)
    shared = [name for name in shared if PLAIN.match(name) and name not in others]
    yield from sorted(shared, key=lambda name: (-sum([one[name] for one in counts]), name))
    yield from ONE if kind == "attributes" else string.ascii_uppercase
    for first in string.ascii_uppercase:
        for second in ONE:
            yield first + second


class Uses(ast.NodeVisitor):
    """Where a module says names: {name: [(node, field)]} of globals and of attributes."""

    def __init__(self, module):
        self.module = module
        self.globals, self.attributes = {}, {}
        self.locals, self.parameters = set(), {}  # and how many functions have a parameter
        self.scopes = []
        self.in_class = False
        self.imported, self.foreign = set(), set()  # names of modules: of the package, others
        self.first, self.inside = set(), Counter()  # names in its own code, in its functions'

    def _note(self, table, node, field):
        table.setdefault(getattr(node, field), []).append((node, field))
        inside = self.scopes or self.in_class or isinstance(node, (ast.Name, ast.FunctionDef))
        self._say(getattr(node, field), inside)

    def _say(self, name, inside=True):
        if inside:
            self.inside[name] += 1
        else:
            self.first.add(name)

    def rename(self, kind, name, short):
        for node, field in getattr(self, kind)[name]:
            setattr(node, field, short)

    def visit_arg(self, node):
        self.parameters[node.arg] = self.parameters.get(node.arg, 0) + 1
        self._say(node.arg)

    def visit_keyword(self, node):
        self._say(node.arg, self.scopes)
        self.visit(node.value)

    def visit_Constant(self, node):
        if isinstance(node.value, str) and len(node.value) < 40:
            self._say(node.value, self.scopes)

    def visit_Import(self, node):
        self.foreign |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node):
        for alias in node.names:
            self._say(alias.name, False)
        if node.level and node.module is None:
            self.imported |= {alias.asname or alias.name for alias in node.names}
        elif node.level:
            for alias in node.names:
                self._note(self.globals, alias, "name")

    def visit_Name(self, node):
        if not any(node.id in scope for scope in self.scopes):
            self._note(self.attributes if self.in_class else self.globals, node, "id")

    def visit_Attribute(self, node):
        owner = getattr(node.value, "id", None)
        if owner in self.foreign:
            self._say(node.attr)
        else:
            self._note(self.globals if owner in self.imported else self.attributes, node, "attr")
        self.visit(node.value)

    def visit_ClassDef(self, node):
        self._note(self.globals, node, "name")
        for part in node.bases:
            self.visit(part)
        for name in ("__name__", "__module__", "__qualname__"):
            self._say(name)
        self.in_class = True
        for part in node.body:
            self.visit(part)
        self.in_class = False

    def visit_FunctionDef(self, node):
        if self.in_class:
            self._note(self.attributes, node, "name")
        elif not self.scopes:
            self._note(self.globals, node, "name")
        self._visit_scope(node)

    def _visit_scope(self, node):
        before, self.in_class = self.in_class, False
        self.scopes.append(bound(node))
        self.locals |= self.scopes[-1]
        self.generic_visit(node)
        self.scopes.pop()
        self.in_class = before

    visit_Lambda = visit_ListComp = visit_GeneratorExp = visit_DictComp = _visit_scope


def shorten_parameters(modules, public, own):
    """Call parameters a, b, ... of functions that users do not call with keywords.

    Users call those in modules *public*, but not the ones that are private or among *own*.
    """
    keywords = {node.arg for module in modules for node in module.nodes(ast.keyword)}
    for module in modules:
        for function in module.nodes(ast.FunctionDef):
            is_own = PRIVATE.match(function.name) or function.name in own
            if is_own or module.name and module.name not in public:
                _shorten_parameters_of(function, keywords)


def _shorten_parameters_of(function, keywords):
    """Call the parameters a, b, ..., where nothing else in *function* has that name."""
    nodes = list(ast.walk(function))
    variables = [node for node in nodes if isinstance(node, ast.Name)]
    parameters = [node.arg for node in nodes if isinstance(node, ast.arg)]
    taken = {node.id for node in variables}.union(parameters)
    letters = iter([letter for letter in string.ascii_lowercase if letter not in taken])
    for parameter in function.args.args:
        name = parameter.arg
        once = parameters.count(name) == 1  # not one of an inner function, too
        if once and len(name) > 1 and name != "self" and name not in keywords:
            parameter.arg = next(letters)
            for node in variables:
                if node.id == name:
                    node.id = parameter.arg
