"""Old words in comments of Python and C, and in docstrings of tests.

`make lint` looks there for the terms of prose_rules.py, except words that code needs in other
senses, such as `record` in a ROMFS. Habits and the length of sentences are not checked there.
"""

import ast
import io
import re
import tokenize

from .prose_rules import RULES, TERMS, Finding
from .prose_sources import DOCUMENTED

OTHER_SENSES = ("strip", "distance", "record", "ref", "gather", "answer")
ANEW = "anew"
CODE = re.compile(
    r"`[^`]*`|[\w/]*[_/][\w/]*|\w+\.(?:py|c|h)\b|\w+\(\)|\b[A-Z]{2,}\b"
)  # names, which may be old words
COMMENT_IN_C = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def _is_checked(rule):
    return rule.search(ANEW) or not any(rule.search(word) for word in OTHER_SENSES)


CHECKED = [
    (rule, instead)
    for rule, instead in RULES
    if _is_checked(rule) and (instead in dict(TERMS).values() or rule.search(ANEW))
]


def findings_in_comments(name, source):
    """Return the Findings in the comments of *source*, the text of the file *name*.

    A Python file's docstrings count, too.
    """
    found = []
    for line, text in _python(source) if name.endswith(".py") else _c(source):
        plain = CODE.sub(lambda code: re.sub(r"[^\n]", "x", code[0]), text)
        for rule, instead in CHECKED:
            for match in rule.finditer(plain):
                at = line + plain.count("\n", 0, match.start())
                words = " ".join(match[0].split())
                found.append(Finding(at, f'"{words}": write {instead}'))
    return found


def _c(source):
    for comment in COMMENT_IN_C.finditer(source):
        yield source.count("\n", 0, comment.start()) + 1, comment[0]


def _python(source):
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            yield node.body[0].lineno, ast.get_docstring(node, clean=False)
