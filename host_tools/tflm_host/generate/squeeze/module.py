"""A module that is minified, with its own names and the names of its functions."""

import ast
import os

SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp)


class Module:
    """A module: its names below the package, such as ("ops", "conv"), and its syntax tree.

    root  the package's name: in the tree `import tflm.base.layout as layout` stands as
          `from . import layout`, and becomes an absolute import again in `text()`
    """

    def __init__(self, path, text, root):
        self.path = path
        self.root = root
        parts = tuple(path[: -len(".py")].split(os.sep))
        self.package = parts[:-1]
        self.is_package = parts[-1] == "__init__"
        self.name = self.package if self.is_package else parts
        self.tree = ast.parse(text)
        self.tree.body = [self._relative(node) for node in self.tree.body]
        self.constants = {}

    def _relative(self, node):
        if isinstance(node, ast.Import) and node.names[0].name.startswith(self.root + "."):
            (alias,) = node.names
            *package, name = alias.name.split(".")[1:]
            names = [ast.alias(name, alias.asname if alias.asname != name else None)]
            return ast.ImportFrom(".".join(package) or None, names, len(self.package) + 1)
        return node

    def text(self, modules):
        """Return the source; *modules* are all, {name: Module}."""
        nodes = [self.tree]
        for node in nodes:
            body = getattr(node, "body", ())
            if isinstance(body, list):
                nodes += body
                node.body = [part for one in body for part in self._absolute(one, modules)]
        return ast.unparse(_Bare().visit(self.tree)) + "\n"

    def _absolute(self, node, modules):
        """Return the statements that replace *node*: one import for each module in it."""
        source = self.source_of(node) if isinstance(node, ast.ImportFrom) else None
        if source is None:
            return [node]
        kept = [alias for alias in node.names if source + (alias.name,) not in modules]
        made = [ast.ImportFrom(node.module, kept, node.level)] if kept else []
        for alias in node.names:
            if alias not in kept:
                name = ".".join((self.root, *source, alias.name))
                made.append(ast.Import([ast.alias(name, alias.asname or alias.name)]))
        return made

    def nodes(self, *kinds):
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]

    def source_of(self, node):
        """Return the name of the module that `from ... import` *node* takes from, or None."""
        if not node.level:
            return None
        package = self.package[: len(self.package) + 1 - node.level]
        return package + tuple(node.module.split(".") if node.module else ())


class _Bare(ast.NodeTransformer):
    """Take the brackets off `a, b = (c, d)`: with them MicroPython makes a tuple, on the heap."""

    def visit_Assign(self, node):
        pairs = isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple)
        if pairs and len(node.value.elts) > 1:
            parts = map(ast.unparse, node.value.elts)
            node.value = ast.Name(", ".join(parts), ast.Load())
        return node


def globals_of(tree):
    """Return the names that a module defines, without its imports."""
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
