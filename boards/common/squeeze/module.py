"""A module that is squeezed, and which names are its own and which those of its functions."""

import ast
import os

SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp)


class Module:
    """A module: its names below the package, such as ("ops", "conv"), and its syntax tree."""

    def __init__(self, path, text):
        self.path = path
        parts = tuple(path[: -len(".py")].split(os.sep))
        self.package = parts[:-1]
        self.is_package = parts[-1] == "__init__"
        self.name = self.package if self.is_package else parts
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


def globals_of(tree):
    """Return the names that a module defines, without those that it imports."""
    names = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names


def defines(node, names):
    """Return whether statement *node* gives one of *names* its value."""
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in names


def bound(scope):
    """Return the names of the variables of a function or comprehension itself, not of imports."""
    names, given = set(), set()
    nodes = list(ast.iter_child_nodes(scope))
    for node in nodes:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            given |= set(node.names)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.ExceptHandler, ast.FunctionDef)):
            names.add(node.name)
        if not isinstance(node, SCOPES):
            nodes += ast.iter_child_nodes(node)
    return names - given
