"""Gives the names that a module says most the numbers that take one byte; see __init__.py.

MicroPython numbers a module's names as it meets them; from 128 on each use takes two bytes. It
meets imports and classes first, then attributes, function by function, and globals last of all.
So such a module begins with a function that nobody keeps or calls, where they are attributes.
"""

import ast
import keyword

from .names import Uses

ONE_BYTE = 128
OWN = 4  # names that each module has: its file's, <module>, <lambda>, and one
WORTH = 3  # uses; one in that function takes two bytes


def number_names(module):
    """Put in front of *module* what numbers its names, where it has many."""
    uses = Uses(module)
    uses.visit(module.tree)
    if len(uses.first.union(uses.inside)) <= ONE_BYTE:
        return
    names = [name for name, count in uses.inside.items() if count >= WORTH and _is_name(name)]
    names = [name for name in names if name not in uses.first]
    names.sort(key=lambda name: (-uses.inside[name], name))
    value = ast.Name("a", ast.Load())
    for name in names[: max(ONE_BYTE - len(uses.first) - OWN, 0)]:
        value = ast.Attribute(value, name, ast.Load())
    nothing = ast.arguments([], [], None, [], [], None, [])
    imports = [node for node in module.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    module.tree.body.insert(len(imports), ast.Expr(ast.Lambda(nothing, value)))


def _is_name(name):
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
