"""Writes a copy of a package that does the same and takes less flash when it is frozen.

A name costs some twenty bytes in flash, and a constant that other modules import costs code in
each. So in the copy

- numbers and strings with names in capitals stand where they are used, and have no name;
- what replaces modules that every firmware has is left out;
- the messages of exceptions are packed (messages.py);
- names that begin with an underscore, and fields of records, are two or three letters long;
- parameters are letters where functions are called by position only.

Run by manifest.py, for which Python alone must do.
"""

import ast
import os
import re
import string

from messages import number_messages

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*$")
PRIVATE = re.compile(r"_[A-Za-z]\w*$")
KEPT = ("_tflm",)  # a module of the firmware
DEFINED = ("ABSENT", "NODE_FORMAT")  # constants that the scripts of tests_device use, too
# Modules with functions that users may call with keywords.
PUBLIC = (
    ("arena",),
    ("context",),
    ("graph",),
    ("interpreter",),
    ("model",),
    ("op_resolver",),
    ("recording",),
    ("tensor",),
    ("views",),
)
# Modules of every firmware.
FIRMWARE = ("_tflm", "gc", "time", "uctypes")
OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Pow: lambda a, b: a**b,
    ast.LShift: lambda a, b: a << b,
    ast.BitOr: lambda a, b: a | b,
}


class Module:
    """A module: its names below the package, such as ("ops", "conv"), and its syntax tree."""

    def __init__(self, path, text):
        self.path = path
        parts = tuple(path[: -len(".py")].split(os.sep))
        self.package = parts[:-1]
        self.name = self.package if parts[-1] == "__init__" else parts
        self.tree = ast.parse(text)
        self.constants = {}

    def nodes(self, *kinds):
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]

    def source_of(self, node):
        """Return the name of the module that `from ... import` *node* takes from, or None."""
        if not node.level:
            return None
        package = self.package[: len(self.package) + 1 - node.level]
        return package + tuple(node.module.split(".") if node.module else ())


def squeeze(source, target, paths):
    """Copy the modules *paths* of package *source* to *target*, where they differ."""
    modules = {}
    for path in paths:
        with open(os.path.join(source, path)) as file:
            module = Module(path, file.read())
        modules[module.name] = module
    while any([_find_constants(module, modules) for module in modules.values()]):
        pass
    for module in modules.values():
        _inline_constants(module, modules)
    for module in modules.values():
        _resolve_imports(module)
        _forget_constants(module)
    _cut_signatures(modules[("layout",)])
    number_messages(modules.values(), modules[("errors",)])
    _shorten_parameters(modules.values())
    _shorten_names(modules.values(), _fields(modules[("layout",)], modules.values()))
    for module in modules.values():
        _write(os.path.join(target, module.path), ast.unparse(module.tree) + "\n")


def _write(path, text):
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    own = f"{path}.{os.getpid()}"  # builds of several boards write the same
    with open(own, "w") as file:
        file.write(text)
    os.replace(own, path)


# Constants


def _find_constants(module, modules):
    """Enter what is now known of *module*'s constants; return whether that was something new."""
    known = len(module.constants)
    values = _visible(module, modules)[0]
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, _value(node.value, values)
            if value is not None and CONSTANT.match(name):
                module.constants[name] = values[name] = value
    return len(module.constants) > known


def _visible(module, modules):
    """Return {name: value} of the constants and {name: module} of the modules seen in *module*."""
    values, seen = dict(module.constants), {}
    for node in module.nodes(ast.ImportFrom):
        source = module.source_of(node)
        for alias in node.names if source is not None else ():
            here = alias.asname or alias.name
            if source + (alias.name,) in modules:
                seen[here] = modules[source + (alias.name,)]
            elif source in modules and alias.name in modules[source].constants:
                values[here] = modules[source].constants[alias.name]
    return values, seen


def _value(node, values):
    """Return the number or string that expression *node* is, None when it is anything else."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) in (int, str) else None
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "const":
        return _value(node.args[0], values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, values)
        return -value if isinstance(value, int) else None
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        values = _value(node.left, values), _value(node.right, values)
        if all(isinstance(value, int) for value in values):
            return OPERATIONS[type(node.op)](*values)
    return None


class _Inliner(ast.NodeTransformer):
    def __init__(self, values, seen):
        self.values, self.seen = values, seen

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return ast.Constant(self.values[node.id])
        return node

    def visit_Attribute(self, node):
        owner = self.seen.get(getattr(node.value, "id", None))
        if owner and node.attr in owner.constants:
            return ast.Constant(owner.constants[node.attr])
        return self.generic_visit(node)


def _inline_constants(module, modules):
    values, seen = _visible(module, modules)
    _Inliner(values, seen).visit(module.tree)


def _forget_constants(module):
    """Take out the definitions of constants, and imports of what is not used any more."""
    used = {node.id for node in module.nodes(ast.Name)}
    body = []
    for node in module.tree.body:
        if isinstance(node, ast.Assign):
            name = getattr(node.targets[0], "id", "")
            if name in module.constants and name not in DEFINED:
                continue
        if isinstance(node, ast.ImportFrom) and (node.level or node.module == "micropython"):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
            if not node.names:
                continue
        body.append(node)
    module.tree.body = body


def _cut_signatures(layout):
    """Keep of the signatures of kernels what a board asks for: which one takes a tuple."""
    for node in layout.nodes(ast.Constant):
        if isinstance(node.value, str) and "->" in node.value:
            node.value = "..." if node.value.startswith("...") else ""


def _resolve_imports(module):
    """Keep of each `try: import` what every firmware has, and drop what it replaces."""
    body = []
    for node in module.tree.body:
        if isinstance(node, ast.Try) and all(_is_in_firmware(part) for part in node.body):
            names = {alias.asname or alias.name for part in node.body for alias in part.names}
            body = [kept for kept in body if getattr(kept, "name", None) not in names]
            body += node.body
        else:
            body.append(node)
    module.tree.body = body


def _is_in_firmware(node):
    if isinstance(node, ast.ImportFrom):
        return not node.level and node.module in FIRMWARE
    return isinstance(node, ast.Import) and node.names[0].name in FIRMWARE


# Names


def _shorten_parameters(modules):
    keywords = {node.arg for module in modules for node in module.nodes(ast.keyword)}
    for module in modules:
        for function in module.nodes(ast.FunctionDef):
            if PRIVATE.match(function.name) or module.name and module.name not in PUBLIC:
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


def _fields(layout, modules):
    """Return the names of fields of records that nothing else has or puts together from parts."""
    others = {node.attr for module in modules for node in module.nodes(ast.Attribute)}
    others |= {node.name for module in modules for node in module.nodes(ast.FunctionDef)}
    strings = {node.value for module in modules for node in module.nodes(ast.Constant)}
    ends = tuple(text for text in strings if isinstance(text, str) and text.startswith("_"))
    fields = set()
    for node in layout.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            fields |= {getattr(field, "value", None) for field in node.value.elts}
    fields = {field for field in fields - others if isinstance(field, str)}
    return {field for field in fields if "_" in field and not field.endswith(ends)}


def _shorten_names(modules, fields):
    """Give private names and *fields* short ones that nothing else has in any of their modules."""
    places = {}  # name -> modules that use it
    for number, module in enumerate(modules):
        for name in _names(module):
            places.setdefault(name, set()).add(number)
    private = {name for name in places if PRIVATE.match(name) and name not in KEPT}
    short, users = {}, {}  # users: short name -> modules that use it
    for name in sorted(private | fields, key=lambda name: (-len(places[name]), name)):
        for candidate in _candidates():
            taken = users.setdefault(candidate, set())
            if candidate not in places and not taken & places[name]:
                short[name] = candidate
                taken |= places[name]
                break
    for module in modules:
        _rename(module, short, fields)


def _candidates():
    for first in string.ascii_lowercase:
        yield "_" + first
    for first in string.ascii_lowercase:
        for second in string.ascii_lowercase:
            yield "_" + first + second


FIELDS = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.FunctionDef: "name",
    ast.ClassDef: "name",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.ExceptHandler: "name",
}


def _names(module):
    names = {getattr(node, FIELDS[type(node)]) for node in module.nodes(*FIELDS)}
    for alias in module.nodes(ast.alias):
        names |= {alias.name, alias.asname}
    texts = {node.value for node in module.nodes(ast.Constant) if isinstance(node.value, str)}
    return names.union(texts) - {None}


def _rename(module, short, fields):
    for node in module.nodes(*FIELDS):
        name = getattr(node, FIELDS[type(node)])
        setattr(node, FIELDS[type(node)], short.get(name, name))
    for alias in module.nodes(ast.alias):
        alias.name = short.get(alias.name, alias.name)
        alias.asname = short.get(alias.asname, alias.asname)
    for node in module.nodes(ast.Constant):
        if node.value in fields:
            node.value = short[node.value]
