"""Packs the messages of exceptions: one string instead of an object each; see squeeze.py.

In the squeezed package a message is a number. errors.message_of() makes text of it, from TEXTS,
in which a byte above 127 stands for one of WORDS.
"""

import ast
import re
from collections import Counter

SHORTEST = 12  # shorter messages stay as they are
LONG = 400  # strings from there on are packed, wherever they are
FIRST = 128
MOST = 128 - 1
LONGEST = 6  # parts of a text that one byte stands for
PART = re.compile(r"[^ _]*[ _]|[^ _]+")
UNPACK = """
def message_of(a):
    if isinstance(a, str):
        return a
    b = {words!r}.split("|")
    return "".join([chr(c) if c < 128 else b[c - 128] for c in {texts!r}.split(b"|")[a]])
"""


def number_messages(modules, home):
    """Replace the messages in *modules* by numbers; module *home* has the function message_of."""
    numbers = {}  # text -> number
    for module in modules:
        numberer = _Numberer(numbers)
        numberer.visit(module.tree)
        if numberer.called and module is not home:
            source = ast.ImportFrom("errors", [ast.alias("message_of")], len(module.package) + 1)
            module.tree.body.insert(0, source)
    words, packed = _pack(list(numbers))
    texts = b"|".join([bytes([ord(c) for c in text]) for text in packed])
    unpack = ast.parse(UNPACK.format(words="|".join(words), texts=texts)).body
    body = [node for node in home.tree.body if getattr(node, "name", "") != "message_of"]
    home.tree.body = unpack + body


class _Numberer(ast.NodeTransformer):
    """A message stands in `raise`, in fail(...), or behind the condition of expect(...)."""

    def __init__(self, numbers):
        self.numbers = numbers
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
        before, self.failing = self.failing, True
        self.generic_visit(node)
        self.failing = before
        return node

    def visit_Constant(self, node):
        text = node.value if isinstance(node.value, str) else ""
        if "\n" in text or not (len(text) >= LONG or self.failing and self._is_message(node)):
            return node  # a docstring, or nothing to pack
        self.called = True
        number = ast.Constant(self._number(node.value))
        return ast.Call(ast.Name("message_of", ast.Load()), [number], [])

    def _is_message(self, node):
        text = getattr(node, "value", None)
        return isinstance(text, str) and len(text) >= SHORTEST and "|" not in text

    def _number(self, text):
        return self.numbers.setdefault(text, len(self.numbers))


def _pack(texts):
    """Return the words that are worth a byte, and *texts* with that byte in their place."""
    words = []
    while len(words) < MOST:
        runs = Counter()
        for text in texts:
            parts = PART.findall(text)
            for i in range(len(parts)):
                for n in range(1, LONGEST + 1):
                    run = "".join(parts[i : i + n])
                    if i + n <= len(parts) and max(run) < chr(FIRST):
                        runs[run] += 1
        best = max(runs, key=lambda run: (_saved(run, runs[run]), run), default="")
        if _saved(best, runs[best]) <= 0:
            break
        texts = [text.replace(best, chr(FIRST + len(words))) for text in texts]
        words.append(best)
    return words, texts


def _saved(run, times):
    return times * (len(run) - 1) - len(run) - 1
