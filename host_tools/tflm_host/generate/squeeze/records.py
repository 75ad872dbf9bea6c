"""Put values from the rows of operators into modules that firmware has; see __init__.py.

`set_kernel(context, node, name, args, field=value, ...)` of ops.common becomes
`context.set_record` with the number of the kernel and a list of the values. Of a family's rows
there remain the code and prepare function of each operator; ops.collect holds what all rows say.
"""

import ast

from ..rows import KEPT, collected

DROPPED = ("set_kernel", "words_of", "operator", "kernel", "functions_of", "row_types")
ROWS = ("RECORDS", "STRUCTS", "KERNELS")


def collect(modules, tables):
    """Let ops.collect of *modules*, {name: Module}, hold *tables*: {name: value}."""
    modules[("ops", "collect")].tree = ast.parse(collected(tables))


def place_parameters(modules, rows):
    """Rewrite all calls of set_kernel in the families of *modules*; *rows* are all rows.

    Their keywords must be the kernel's parameters, in order. Names of kernels become numbers. So
    no name may be composed when a model loads: a board would unpack all names to find it.
    """
    kernels = {kernel.name: kernel.number for kernel in rows.kernels}
    fields = {
        tuple([field.removesuffix("[]") for field in record]): record
        for record in rows.records.values()
    }
    for module in modules.values():
        if module.package == ("ops",):
            _shorten(module.tree)
            _Placer(fields, kernels).visit(module.tree)
        _drop(module.tree)


def _shorten(tree):
    for node in list(tree.body):
        name = getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""
        if name in ROWS or name.endswith("_FIELDS"):
            tree.body.remove(node)
        elif name == "OPERATORS":
            node.value.elts = [ast.Tuple(row.args[:KEPT], ast.Load()) for row in node.value.elts]


def _drop(tree):
    for node in list(tree.body):
        if isinstance(node, ast.ImportFrom) and node.level:
            node.names = [alias for alias in node.names if alias.name not in DROPPED]
        if getattr(node, "name", "") in DROPPED or getattr(node, "names", True) == []:
            tree.body.remove(node)


class _Placer(ast.NodeTransformer):
    def __init__(self, fields, kernels):
        self.fields, self.kernels = fields, kernels

    def visit_Constant(self, node):
        name = node.value
        is_part = isinstance(name, str) and name.endswith(("_", "_s"))
        if is_part and any(kernel.startswith(name) for kernel in self.kernels):
            raise ValueError(f"{name!r}: the names of kernels stand in whole, never in parts")
        is_kernel = isinstance(name, str) and name in self.kernels
        return ast.Constant(self.kernels[name]) if is_kernel else node

    def visit_Call(self, node):
        self.generic_visit(node)
        if getattr(node.func, "id", "") != "set_kernel":
            return node
        record = self.fields[tuple([keyword.arg for keyword in node.keywords])]
        words = [keyword.value for keyword in node.keywords]
        rest = words.pop() if record[-1].endswith("[]") else None
        values = ast.List(words, ast.Load())
        node.func = ast.Attribute(node.args.pop(0), "set_record", ast.Load())
        node.args.append(ast.BinOp(values, ast.Add(), rest) if rest else values)
        node.keywords = []
        return node
