"""Packs the messages of exceptions: one object instead of one each; see __init__.py.

In the minified package a message, or another long text, is a number, from which
errors.message_of() makes the text. A byte above 127 or below 32, which no text has, stands for two
others.
"""

import ast
from collections import Counter

SHORTEST = 12  # shorter messages stay as they are
LONG = 100  # strings from there on are packed, wherever they are
END = ord("|")  # between two texts
FIRST = 128  # byte for a pair; those behind 255 are 0 to 31
PAIRS = 160
LOWEST = -64  # number; those below 64 take one or two bytes
LEAST = 2  # times that a pair must be there
UNPACK = """
def message_of(message):
    if isinstance(message, str):
        return message
    texts, at = {texts!r}, 0
    for _ in range(message - {first}):
        at = texts.find(b"|", at) + 1
    end = texts.find(b"|", at)
    text = bytearray()
    for code in texts[at : end if end >= 0 else len(texts)]:
        _expand(text, code)
    return str(text, "ascii")
def _expand(text, code):
    if 31 < code < 128:
        text.append(code)
    else:
        at = (code + 128) % 256 * 2
        _expand(text, {pairs!r}[at])
        _expand(text, {pairs!r}[at + 1])
"""
IN_C = """
from _tflm import text
def message_of(message):
    return message if isinstance(message, str) else text(message)
"""


def number_messages(modules, home, plain=(), known=()):
    """Replace the messages in *modules* by numbers, and message_of in module *home*.

    In modules *plain*, which *home* imports, they stay. *known* are the messages of `_tflm`. If it
    lacks one, all are packed in *home*. Returns the messages in order.
    """
    numbers = {text: LOWEST + i for i, text in enumerate(known)}
    for module in modules:
        numberer = _Numberer(numbers, module not in plain)
        numberer.visit(module.tree)
        if numberer.called and module is not home:
            source = ast.ImportFrom(
                "base.errors", [ast.alias("message_of")], len(module.package) + 1
            )
            module.tree.body.insert(0, source)
    if list(numbers) == list(known):
        unpack = IN_C
    else:
        pairs, texts = pack(numbers)
        unpack = UNPACK.format(pairs=pairs, texts=texts, first=LOWEST)
    body = [node for node in home.tree.body if getattr(node, "name", "") != "message_of"]
    home.tree.body = ast.parse(unpack).body + body
    return list(numbers)


class _Numberer(ast.NodeTransformer):
    """A message stands in `raise`, fail(...) or message_of(...), or second in expect(...)."""

    def __init__(self, numbers, packs):
        self.numbers, self.packs = numbers, packs
        self.failing = False
        self.called = False

    def visit_Raise(self, node):
        return self._visit_failing(node)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", "")
        if getattr(node.func, "id", "") == "message_of" and self._is_message(node.args[0]):
            node.args[0] = ast.Constant(self._number(node.args[0].value))
            return node
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
        return self.numbers.setdefault(text, LOWEST + len(self.numbers))


def pack(texts):
    """Return (pairs, texts) as bytes: the pairs that are worth a byte, *texts* with these."""
    text, pairs = "|".join(texts).encode(), []
    while len(pairs) < PAIRS:
        found = Counter(pair for pair in zip(text, text[1:], strict=False) if END not in pair)
        best = max(found, key=lambda pair: (found[pair], pair), default=None)
        if best is None or found[best] <= LEAST:
            break
        text = text.replace(bytes(best), bytes([(FIRST + len(pairs)) % 256]))
        pairs.append(bytes(best))
    return b"".join(pairs), text


def unpack(pairs, text):
    """Return the texts that were packed."""

    def expand(code):
        if 31 < code < FIRST:
            return chr(code)
        two = pairs[2 * ((code - FIRST) % 256) :][:2]
        return "".join([expand(part) for part in two])

    return "".join([expand(code) for code in text]).split("|")
