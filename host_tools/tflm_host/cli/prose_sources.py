"""The words of a Python file: docstrings, help texts of the command, messages of exceptions."""

import ast
import re

from .docs_messages import PLACEHOLDER, messages_of
from .docstring_text import as_markdown
from .prose_rules import CODE, Finding, findings, of_words, paragraphs, sentences

DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef
NAME = re.compile(r"^\* `[^`]*`: ", re.MULTILINE)  # at the head of an item
ARGUMENT = re.compile(r"\*(\w+)\*")


def findings_in_source(name, source):
    """Return the Findings in *source*, the text of the Python file *name*."""
    tree = ast.parse(source)
    found = []
    for line, text in _docstrings(tree):
        found += [Finding(line, one.what) for one in findings(text)]
    for place, text in (*_help_texts(tree), *_messages(name, source)):
        found += of_words(place, text)
    return found


def sentences_in_source(name, source):
    """Yield (line or place, sentence) for each sentence of the texts that are checked."""
    tree = ast.parse(source)
    for line, text in _docstrings(tree):
        for _, paragraph in paragraphs(text):
            yield from ((line, sentence) for _, sentence in sentences(paragraph))
    for place, text in (*_help_texts(tree), *_messages(name, source)):
        yield from ((place, sentence) for _, sentence in sentences(text))


def _docstrings(tree):
    for node in ast.walk(tree):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text:
            yield node.body[0].lineno, _markdown(text)


def _markdown(text):
    """Return docstring *text* without the names of items, and with arguments as code."""
    return ARGUMENT.sub(r"`\1`", NAME.sub("* ", as_markdown(text)))


def _help_texts(tree):
    """Yield (line, text) of the texts of options: arguments `help`, constants called *_HELP."""
    for node in ast.walk(tree):
        is_option = isinstance(node, ast.keyword) and node.arg == "help"
        is_text = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("_HELP")
        for part in ast.walk(node.value) if is_option or is_text else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.lineno, part.value


def _messages(name, source):
    for message in messages_of(name, source):
        yield "a message", PLACEHOLDER.sub(CODE, message.text)
