"""Puts numbers and strings with names in capitals where they are used; see __init__.py."""

import ast
import re

from .module import defines

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*$")
OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Pow: lambda a, b: a**b,
    ast.LShift: lambda a, b: a << b,
    ast.BitOr: lambda a, b: a | b,
}


# What keeps its name in firmware of TFLM_OPS: types of tensors, in the module `schema`.
TYPES = re.compile(r"(FLOAT|U?INT)\d+$|BOOL$|RESOURCE$")


def inline_constants(modules, lean=False):
    """Inline the constants of *modules*, {name: Module}; public definitions stay, but in `ops`.

    lean  only the constants of TYPES stay
    """
    while any([_find_constants(module, modules) for module in modules.values()]):
        pass
    for module in modules.values():
        _inline(module, modules)
    for module in modules.values():
        _forget(module, lean)


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


def _inline(module, modules):
    values, seen = _visible(module, modules)
    _Inliner(values, seen).visit(module.tree)
    for node in module.tree.body:
        if defines(node, module.constants):
            node.value = ast.Constant(module.constants[node.targets[0].id])


def _forget(module, lean):
    """Remove the definitions of constants, and imports that are no longer used.

    Public constants stay, except in operators, whose modules users do not import.
    """
    is_inner = module.package == ("ops",)
    gone = [name for name in module.constants if is_inner or name.startswith("_")]
    if lean and not module.is_package:
        gone = [name for name in module.constants if not TYPES.match(name)]
    body = [node for node in module.tree.body if not defines(node, gone)]
    module.tree.body = body
    used = {node.id for node in module.nodes(ast.Name)}
    for node in list(body) if not module.is_package else ():  # users import from packages
        if isinstance(node, ast.ImportFrom) and (node.level or node.module == "micropython"):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
            if not node.names:
                body.remove(node)
