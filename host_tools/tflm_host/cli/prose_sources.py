"""The words of a Python file: docstrings, help texts of the command, messages of exceptions."""

import ast
import re

from .docs_messages import PLACEHOLDER, messages_of
from .docstring_text import as_markdown
from .prose_rules import CODE, Finding, findings, of_words

DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef
NAME = re.compile(r"^\* `[^`]*`: ", re.MULTILINE)  # at the head of an item
ARGUMENT = re.compile(r"\*(\w+)\*")


def findings_in_source(name, source):
    """Return the Findings in *source*, the text of the Python file *name*."""
    tree = ast.parse(source)
    found = [*_of_docstrings(tree), *_of_help(tree)]
    for message in messages_of(name, source):
        found += of_words("a message", PLACEHOLDER.sub(CODE, message.text))
    return found


def _of_docstrings(tree):
    for node in ast.walk(tree):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        for one in findings(_markdown(text)) if text else ():
            yield Finding(node.body[0].lineno, one.what)


def _markdown(text):
    """Return docstring *text* without the names of items, and with arguments as code."""
    return ARGUMENT.sub(r"`\1`", NAME.sub("* ", as_markdown(text)))


def _of_help(tree):
    """Yield the Findings in texts of options: arguments `help`, constants called *_HELP."""
    for node in ast.walk(tree):
        is_option = isinstance(node, ast.keyword) and node.arg == "help"
        is_text = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("_HELP")
        for part in ast.walk(node.value) if is_option or is_text else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from of_words(part.lineno, part.value)
