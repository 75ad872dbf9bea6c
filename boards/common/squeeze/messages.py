"""Packs the messages of exceptions: one object instead of one each; see __init__.py.

In the squeezed package a message, or another long text, is a number, of which
errors.message_of() makes the text again. A byte above 127 stands for two others.
"""

import ast
from collections import Counter

SHORTEST = 12  # shorter messages stay as they are
LONG = 120  # strings from there on are packed, wherever they are
END = ord("|")  # between two texts
FIRST = 128
LEAST = 2  # times that a pair must be there
UNPACK = """
def message_of(a):
    return a if isinstance(a, str) else "".join([_expand(c) for c in {texts!r}.split(b"|")[a]])
def _expand(a):
    if a < 128:
        return chr(a)
    a *= 2
    return _expand({pairs!r}[a - 256]) + _expand({pairs!r}[a - 255])
"""


def number_messages(modules, home, plain=()):
    """Replace the messages in *modules* by numbers, and message_of in module *home*.

    In modules *plain*, which *home* imports, they stay. Returns the messages by number.
    """
    numbers = {}  # text -> number
    for module in modules:
        numberer = _Numberer(numbers, module not in plain)
        numberer.visit(module.tree)
        if numberer.called and module is not home:
            source = ast.ImportFrom("errors", [ast.alias("message_of")], len(module.package) + 1)
            module.tree.body.insert(0, source)
    pairs, texts = _pack("|".join(numbers).encode())
    unpack = ast.parse(UNPACK.format(pairs=b"".join(pairs), texts=texts)).body
    body = [node for node in home.tree.body if getattr(node, "name", "") != "message_of"]
    home.tree.body = unpack + body
    return list(numbers)


class _Numberer(ast.NodeTransformer):
    """A message stands in `raise`, in fail(...), or behind the condition of expect(...)."""

    def __init__(self, numbers, packs):
        self.numbers, self.packs = numbers, packs
        self.failing = False
        self.called = False

    def visit_Raise(self, node):
        return self._visit_failing(node)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", "")
        if name == "fail":
            return self._visit_failing(node)
        if name == "expect" and self._is_message(node.args[1]):
            node.args[1] = ast.Constant(self._number(node.args[1].value))
        return self.generic_visit(node)

    def _visit_failing(self, node):
        if not self.packs:
            return self.generic_visit(node)
        before, self.failing = self.failing, True
        self.generic_visit(node)
        self.failing = before
        return node

    def visit_Constant(self, node):
        if self.failing and self._is_message(node):
            self.called = True
            number = ast.Constant(self._number(node.value))
            return ast.Call(ast.Name("message_of", ast.Load()), [number], [])
        if self._is_message(node) and len(node.value) >= LONG:
            return ast.Constant(self._number(node.value))
        return node

    def _is_message(self, node):
        text = getattr(node, "value", None)
        is_text = isinstance(text, str) and text.isascii() and text.isprintable()
        return is_text and len(text) >= SHORTEST and "|" not in text

    def _number(self, text):
        return self.numbers.setdefault(text, len(self.numbers))


def _pack(text):
    """Return the pairs of bytes that are worth a byte, and *text* with those in their place."""
    pairs = []
    while len(pairs) < 256 - FIRST:
        found = Counter(pair for pair in zip(text, text[1:], strict=False) if END not in pair)
        best = max(found, key=lambda pair: (found[pair], pair), default=None)
        if best is None or found[best] <= LEAST:
            break
        text = text.replace(bytes(best), bytes([FIRST + len(pairs)]))
        pairs.append(bytes(best))
    return pairs, text
