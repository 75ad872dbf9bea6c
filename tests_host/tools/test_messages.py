"""docs/messages.md lists every error message in the sources; docs/errors.md explains real ones."""

import re

import pytest

from support.fuzz.wrong_models import wrong_model
from support.pages.doc_blocks import commands, read_page
from tflm import schema
from tflm.base.errors import ModelError
from tflm.file import op_names
from tflm.interpreter import Interpreter
from tflm_host.cli.docs_messages import (
    FORMAT,
    OF_A_NODE,
    RUNTIME,
    TOOLS,
    messages_of,
    runtime_messages,
    tables,
    tool_messages,
)
from tflm_host.generate.squeeze import needed_paths, texts_of
from tflm_host.places import ROOT

# Firmware packs long lists of names as it packs messages.
NAMES = {*op_names._ROWS, schema._TYPE_NAMES, "OfflineMemoryAllocation"}
FIRST_NAMES = (" conv_2d_s8 ", "alternate_one_minus_smoothing ")  # of kernels, of options
RAISED = re.compile(r'(?:raise [\w.]+|\.fail)\(\s*f?"((?=[^"{%]*[a-z]{2})(?:[^"\\{%]|\\.)+)')
NOT_LISTED = ("tflm_host/generate/squeeze/", "tflm_host/targets/device/")  # nobody else sees them
WRONG_MODELS = 250
KINDS = 40  # of messages that so many wrong models give, at least
LITERAL = 8  # characters that a message has besides its placeholders, to be told from others
ERRORS = ROOT / "docs" / "errors.md"


def listed():
    return runtime_messages() + tool_messages()


def found(line, messages):
    """Return the messages that *line* has in it."""
    return [m for m in messages if len("".join(m.literals)) >= LITERAL and m.matches(line)]


@pytest.mark.slow
def test_messages_that_firmware_packs_are_listed():
    known = [message.readable for message in runtime_messages()]
    texts = [text for text in texts_of(needed_paths()) if text not in NAMES]
    texts = [text for text in texts if not text.startswith(FIRST_NAMES)]
    assert len(texts) > 300  # they are read at all
    missing = []
    for text in texts:
        pattern = ".+".join(map(re.escape, FORMAT.split(text.strip())))
        if not any(re.match(pattern, one) for one in known):
            missing.append(text)
    assert missing == []


def test_texts_that_are_raised_anywhere_are_listed():
    missing, count = [], 0
    for folder, messages in ((RUNTIME, runtime_messages()), (TOOLS, tool_messages())):
        for path in sorted(folder.rglob("*.py")):
            module = path.relative_to(folder).as_posix()
            known = [message.text for message in messages if message.module == module]
            for text in () if module.startswith(NOT_LISTED) else RAISED.findall(path.read_text()):
                count += 1
                beginning = text.replace("\\n", "\n")
                if not any(one.startswith(beginning) for one in known):
                    missing.append((module, text))
    assert missing == []
    assert count > 200  # the pattern finds them at all


@pytest.mark.slow
def test_messages_of_wrong_models_are_listed():
    messages, kinds = runtime_messages(), set()
    for seed in range(WRONG_MODELS):
        name, model = wrong_model(seed)
        try:
            Interpreter(model)
        except ModelError as error:
            listed_as = found(str(error), messages)
            assert listed_as, (name, str(error))
            kinds |= {message.text for message in listed_as}
        except MemoryError:
            pass
    assert len(kinds) >= KINDS


@pytest.mark.slow
def test_messages_that_the_page_explains_exist():
    messages, count = listed(), 0
    for block in read_page(ERRORS).blocks:
        printed = (block.output or "").splitlines() if block.language == "python" else []
        if block.language == "console":
            printed = [text.removeprefix("Error: ") for _, text in commands(block.text)]
        for line in printed:
            count += 1
            assert found(line, messages), (str(block), line)
    assert count >= 12  # as many as the page has


def test_headings_without_a_block_name_messages_that_exist():
    known = [message.readable for message in listed()]
    for section in ERRORS.read_text().split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        if "```" not in body:
            pattern = re.sub(r"\d+", "<[^>]*>", re.escape(heading))
            assert any(re.search(pattern, one) for one in known), heading


def test_page_has_a_row_for_each_message():
    text = tables()
    messages = listed()
    assert text.count("\n| `") == len(messages)
    row = "| `tensor <name>: <given> values given for <wanted> elements` | `run/tensor.py` |"
    assert row in text


def test_text_of_nobody_is_not_found():
    assert found("error 17 occurred in the frobnicator", listed()) == []


def test_placeholders_are_named_after_what_fills_them():
    source = """
WHY = "gone", "late"
class Lost(ValueError):
    pass
def check(self, node, what, data):
    node.expect(what in "ab", "%s has %d bytes, %d expected", what, len(data), self.nbytes)
    text = f"{self.path}: {data[0]!r}"
    if data:
        raise InputError(text + (" is odd" if what else " is even"))
    raise click.UsageError(WHY[what])
"""
    told = [(message.group, message.readable) for message in messages_of("x.py", source)]
    assert told == [
        ("InputError", "<path>: <data> is even"),
        ("InputError", "<path>: <data> is odd"),
        (OF_A_NODE, "<what> has <number of data> bytes, <nbytes> expected"),
        ("UsageError", "gone"),
        ("UsageError", "late"),
    ]
