"""Writes the parameters of records in order, without their names; see __init__.py.

`set_kernel(context, node, name, args, field=value, ...)` of ops.common becomes
`context.set_record` with the number of the kernel and a list of the values. Of layout.KERNELS the
names remain, in one string.
"""

import ast

NAMES = """
def kernel_names():
    from .errors import message_of

    return message_of({!r}).split()
"""
DROPPED = ("set_kernel", "words_of")


def place_parameters(modules, layout):
    """Rewrite all calls of set_kernel in *modules*, {name: Module}; *layout* is one of them.

    Their keywords must be the fields of a record, in its order.
    """
    values = {}
    for node in layout.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            values[node.targets[0].id] = node.value
    kernels = [row.elts[0].value for row in values.pop("KERNELS").elts]
    records = {tuple([field.value for field in row.elts]) for row in values.values()}
    fields = {tuple([field.removesuffix("[]") for field in record]): record for record in records}
    for module in modules.values():
        is_family = "ops" in module.package and module.name != ("ops",)
        _Placer(fields, kernels if is_family else []).visit(module.tree)
        _drop(module.tree)
    named = [node for node in layout.tree.body if not _is_replaced(node, values)]
    layout.tree.body = named + ast.parse(NAMES.format(" ".join(kernels))).body


def _is_replaced(node, records):
    name = getattr(node, "name", "") or getattr(getattr(node, "targets", [node])[0], "id", "")
    return name in records or name in ("KERNELS", "kernel_names")


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
        is_kernel = isinstance(node.value, str) and node.value in self.kernels
        return ast.Constant(self.kernels.index(node.value)) if is_kernel else node

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
