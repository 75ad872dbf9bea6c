"""Tells which modules of the package a module imports, and whether at its start."""

import ast
from collections import namedtuple
from functools import cache

# path      of the imported module
# is_late   whether it is imported in a function, as that is called
# is_tried  whether the code goes on without the module
Import = namedtuple("Import", "path is_late is_tried")


def imports(source, path):
    """Return each Import of the module at *path* of package *source* from that package.

    `service("state")` and `_LATER`, whose modules firmware may lack, count as tried.
    """
    return _imports(source, path, (source / path).read_text())


@cache
def _imports(source, path, text):
    finder = _Finder(source, path)
    finder.visit(ast.parse(text))
    return finder.found


def with_imports(source, paths):
    """Return *paths*, and the paths of all modules that these import at their start."""
    needed, left = set(), {str(path) for path in paths}
    while left:
        needed |= left
        found = [one for path in left for one in imports(source, path)]
        left = {one.path for one in found if not one.is_late and not one.is_tried} - needed
    return needed


class _Finder(ast.NodeVisitor):
    def __init__(self, source, path):
        self.source, self.found = source, []
        self.package = str(path).split("/")[:-1]
        self.is_late = self.is_tried = False

    def visit_FunctionDef(self, node):
        before, self.is_late = self.is_late, True
        self.generic_visit(node)
        self.is_late = before

    def visit_Try(self, node):
        before = self.is_tried
        kinds = [kind for kind in [handler.type for handler in node.handlers] if kind]
        caught = {getattr(part, "id", "") for kind in kinds for part in ast.walk(kind)}
        self.is_tried = before or "ImportError" in caught
        for part in node.body:
            self.visit(part)
        self.is_tried = before
        for part in [*node.handlers, *node.orelse, *node.finalbody]:
            self.visit(part)

    def visit_Import(self, node):
        for alias in node.names:
            first, *rest = alias.name.split(".")
            if first == self.source.name:
                self._note(rest)

    def visit_ImportFrom(self, node):
        if node.level:
            name = self.package[: len(self.package) + 1 - node.level]
            name += node.module.split(".") if node.module else []
            self._note(name)
            for alias in node.names:
                self._note([*name, alias.name])

    def visit_Call(self, node):
        self.generic_visit(node)
        called = getattr(node.func, "id", "")
        if called == "bring" and isinstance(node.args[0], ast.Constant):
            self._note(node.args[0].value.split("."))
        if called == "service":
            name, package = (*[part.value for part in node.args], "extra")[:2]
            self._note_name(f"{package}.{name}")

    def visit_Assign(self, node):
        self.generic_visit(node)
        if [getattr(target, "id", "") for target in node.targets] == ["_LATER"]:
            for value in node.value.values:
                self._note_name(value.value)

    def _note_name(self, name):
        """Note a module that is named by a string; the tests hold that there is one."""
        path = "/".join(name.split("."))
        path += "/__init__.py" if (self.source / path).is_dir() else ".py"
        self.found.append(Import(path, True, True))

    def _note(self, name):
        """Note the module or package *name*, a list, and the packages that it is in."""
        inner = ["/".join([*name[:count], "__init__.py"]) for count in range(1, len(name) + 1)]
        for path in ["/".join(name) + ".py", *inner]:
            if name and (self.source / path).is_file():
                self.found.append(Import(path, self.is_late, self.is_tried))
