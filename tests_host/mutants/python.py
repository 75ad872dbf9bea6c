"""Mutants of a Python file: its comparisons, guards, small constants and sums, one at a time."""

import ast

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
SUMS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
JOINED = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


def edits(text):
    """Return [(start, end, replacement)] of *text*, positions in characters, in their order."""
    source = text.encode()
    places = _Places(source)
    found = {edit for node in ast.walk(ast.parse(text)) for edit in _edits_of(node, places)}
    return [
        (len(source[:start].decode()), len(source[:end].decode()), new)
        for start, end, new in sorted(found)
    ]


class _Places:
    """Byte positions of nodes in *source*, and edits between two of them."""

    def __init__(self, source):
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node):
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def swap(self, left, right, pair):
        """Replace the operator *pair*[0] that stands between two nodes by *pair*[1]."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self._source.find(pair[0].encode(), start, end)
        return [(at, at + len(pair[0]), pair[1])] if at >= 0 else []

    def one_more(self, node):
        """Replace *node* by the next integer, where it is one."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return [(*self.span(node), str(node.value + 1))]
        return []


def _edits_of(node, places):
    if isinstance(node, ast.Compare):
        return _of_comparison(node, places)
    if isinstance(node, ast.BinOp) and type(node.op) in SUMS:
        if _is_text(node.left) or _is_text(node.right):
            return []
        numbers = places.one_more(node.left) + places.one_more(node.right)
        return places.swap(node.left, node.right, SUMS[type(node.op)]) + numbers
    if isinstance(node, ast.BoolOp):
        pairs = zip(node.values, node.values[1:], strict=False)
        word = JOINED[type(node.op)]
        return [edit for left, right in pairs for edit in places.swap(left, right, word)]
    if isinstance(node, ast.If) and _is_guard(node):
        return [(*places.span(node.test), "False")]
    return []


def _of_comparison(node, places):
    found = []
    lefts = [node.left, *node.comparators]
    for left, operator, right in zip(lefts, node.ops, node.comparators, strict=False):
        found += places.swap(left, right, COMPARISONS[type(operator)])
        found += places.one_more(left) + places.one_more(right)
    return found


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _is_guard(node):
    """Return whether *node* is an `if` that does nothing but raise, return, go on or leave."""
    ends = ast.Raise, ast.Return, ast.Continue, ast.Break
    return len(node.body) == 1 and isinstance(node.body[0], ends) and not node.orelse
