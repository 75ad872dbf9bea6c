"""Leaves out what firmware with `_tflm` never runs; see __init__.py.

Of each `try: import` remains what every firmware has, without what it replaces. What comes from
there is there: a condition on it is decided. Then functions go that nothing names any more.
"""

import ast

FIRMWARE = ("_tflm", "gc", "micropython", "time", "uctypes")  # modules of every firmware


def drop_unreachable(module):
    """Drop from *module* what stands in for a module of the firmware."""
    _resolve_imports(module)
    there = set()
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in FIRMWARE:
            there |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            there |= {alias.asname or alias.name for alias in node.names if alias.name in FIRMWARE}
    _Decider(there).visit(module.tree)


def _resolve_imports(module):
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


def require_native(modules, names):
    """Raise ValueError where one of *modules* imports what the native `_tflm` lacks.

    names  that it has. Only an import that stands in no `try` for ImportError is refused
    """
    for module in modules:
        for node in _untried(module.tree):
            if isinstance(node, ast.ImportFrom) and not node.level and node.module == "_tflm":
                lacking = sorted({alias.name for alias in node.names} - names)
                if lacking:
                    raise ValueError(
                        f"{module.path} imports {', '.join(lacking)}, which the native module"
                        " _tflm of stock MicroPython lacks: ask with"
                        f' getattr(_tflm, "{lacking[0]}", None)'
                    )


def _untried(node):
    """Yield the nodes below *node*, without bodies that a handler of ImportError guards."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Try) and any(
            "ImportError" in ast.dump(h) for h in child.handlers
        ):
            continue
        yield child
        yield from _untried(child)


def drop_unused(modules):
    """Drop what nothing in its module names: private functions, names, modules of MicroPython.

    A function that only calls itself counts as unused. Packages keep all: users import from them.
    """
    before = None
    while before != (before := sum([len(ast.dump(module.tree)) for module in modules])):
        for module in modules:
            if not module.is_package:
                _drop_unused(module)


def _drop_unused(module):
    names = {}  # name: in how many statements of the module it is used
    for node in module.tree.body:
        own = getattr(node, "name", None) if isinstance(node, ast.FunctionDef) else None
        for name in {part.id for part in ast.walk(node) if _is_load(part)} - {own}:
            names[name] = names.get(name, 0) + 1
    body = []
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level and not _is_in_firmware(node):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
            if not node.names:
                continue
        if isinstance(node, ast.Import) and _is_in_firmware(node):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
            if not node.names:
                continue
        name = _private_name(node)
        if name is None or name in names:
            body.append(node)
    module.tree.body = body


def _is_load(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _private_name(node):
    """Return the private name that statement *node* defines and does nothing else, or None."""
    name = node.name if isinstance(node, ast.FunctionDef) else ""
    if isinstance(node, ast.Assign) and _is_literal(node.value):
        name = getattr(node.targets[0], "id", "")
    return name if name.startswith("_") and not name.startswith("__") else None


def _is_literal(node):
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


class _Decider(ast.NodeTransformer):
    """Decides `if name`, `if not name`, `name and ...` and `... if name else ...`."""

    def __init__(self, there):
        self.there = there

    def _value(self, node):
        """Return the value of the condition *node*, None if it is not known."""
        if isinstance(node, ast.Name):
            return True if node.id in self.there else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self._value(node.operand)
            return None if value is None else not value
        return None

    def visit_If(self, node):
        self.generic_visit(node)
        value = self._value(node.test)
        return node if value is None else node.body if value else node.orelse or ast.Pass()

    def visit_IfExp(self, node):
        self.generic_visit(node)
        value = self._value(node.test)
        return node if value is None else node.body if value else node.orelse

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.And):
            node.values = [value for value in node.values if self._value(value) is not True]
        return node if len(node.values) > 1 else node.values[0]
