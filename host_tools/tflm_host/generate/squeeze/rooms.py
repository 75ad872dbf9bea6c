"""Lets firmware make the tables of modules and classes in one piece; see __init__.py.

MicroPython gives a module or a class a table of one name. When it is full, it makes a larger one
and enters all names again, for 70 names fourteen times. What was there before lies as garbage
between the names of the next module. `_tflm.room(count)` makes a table of the right size before
the names come.

A full table is read to its end where a name is not in it, so a part stays free. With a third of it
free, loading takes 1 % fewer instructions, and 800 bytes more.
"""

import ast

MANY, MANY_IN_CLASS = 16, 8  # names, for which a call is worth its bytes of flash
FREE = 12
# MicroPython enters these itself: in a module, in a package more, in a class.
MODULE, PACKAGE, CLASS = ("__name__", "__file__"), ("__path__",), ("__module__", "__qualname__")
# Modules of MicroPython for which it first looks among all frozen modules and files, in case there
# is one of this name. With a letter more it takes its own.
OWN = {"array": "uarray", "struct": "ustruct"}


def make_room(module):
    """Let *module* of firmware, and its classes, begin with room for all names that they get."""
    for node in module.nodes(ast.ImportFrom):
        if not node.level:
            node.module = OWN.get(node.module, node.module)
    body = module.tree.body
    names = {"_tflm", *_names(body), *MODULE, *(PACKAGE if module.is_package else ())}
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    large = [node for node in classes if len(_names(node.body)) >= MANY_IN_CLASS]
    for node in large:
        _insert(node.body, _call({*_names(node.body), *CLASS}))
    if len(names) >= MANY or large:
        taken = ast.parse("import _tflm").body
        body[:] = [node for node in body if ast.dump(node) != ast.dump(taken[0])]
        _insert(body, *taken, *([_call(names)] if len(names) >= MANY else []))


def _insert(body, *nodes):
    """Insert *nodes* in *body*, behind its docstring."""
    at = 1 if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else 0
    body[at:at] = nodes


def _call(names):
    return ast.parse(f"_tflm.room({len(names) + len(names) // FREE + 1})").body[0]


def _names(body):
    """Return the names that the statements *body* give to their module or class."""
    names, nodes = set(), list(body)
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
            continue
        if isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        nodes += ast.iter_child_nodes(node)
    return names
