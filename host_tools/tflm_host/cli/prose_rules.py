"""The rules of words: short sentences, the terms of the field, no riddles."""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

LONGEST = 25  # words of a sentence; code in backticks is one
CODE = "\N{CURRENCY SIGN}"  # stands for code in backticks
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)  # of a page: its models
GENERATED = re.compile(r"<!-- operators -->\n.*?<!-- /operators -->\n", re.DOTALL)
API = re.compile(r"^::: .*\n(?:    .*\n)*", re.MULTILINE)  # what mkdocstrings replaces
OLDER = re.compile(
    r"^## \d+\.\d+\.\d+(?![^\n]*unreleased).*", re.DOTALL | re.MULTILINE
)  # of CHANGELOG.md
WORD = re.compile(rf"[\w{CODE}][\w{CODE}'.,/%-]*")
DICT = re.compile(r"\{.*\}", re.DOTALL)  # a dict or a set of Python
END = re.compile(rf"[.!?][\"')]*\s+(?=[\"'(]*[A-Z\d{CODE}])")

# What to write in place of a match. A space is any white space. Patterns are
# tried on lower case and on a capital at the beginning of a word, not on names in capitals.
TERMS = (
    (r"layers?( \w+){0,5} row by row|(run|runs|ran|running|made) row by row", "fused layers"),
    (r"strips?", "stripe"),
    (r"slabs?", "channel block (tile)"),
    (r"(use|uses|used|using) up", "overwritten; in-place reuse"),
    (r"distances?", "gap, in in-place reuse"),
    (r"(?<!to\s)records?(?! (a|an|the|your|windows)\b)", "operator parameters"),
    (r"refs?", "tagged offset"),
    (r"gathers?|gathering|gathered", "im2col"),
    (r"judges?|judged", "checker"),
    (r"twins?", "reference implementation"),
    (r"sums? of (a|the|that) (file|graph|snapshot|bytes)", "checksum"),
    (r"(lie|lies|lay) over", "overlap; in-place reuse"),
    (r"(lines?|filters?)( \w+){0,4} (lacks?|lacked)|lacked", "cache misses; does not have"),
    (r"plain( \w+)? (models?|files?|graphs?|one)", "unprepared model"),
    (r"adapters?", "trampoline"),
    (r"(wide|widened) filters?", "packed weights"),
    (r"squeez(e|es|er|ed|ing)(?!-and-excite)", "minify"),
    (r"wings?|rooms", "package, module"),
    (r"answers?|answered|answering", "result, prediction, reply"),
)
HABITS = (
    (r"anew", "again; recomputed"),
    (r"but for", "except"),
    (r"alone", "only"),
    (r"(is|are|was|were|be|been) (told|asked|lacked|found)", "the active verb, with its subject"),
    (r"all that", "every, with a noun"),
    (r"all else", "everything else"),
    (r"those (that|of|which|with|in|for|where)", "the noun"),
    (r"the same(?=[.,;:)]|$)", "the noun"),
    (r"(of|on|with|for|from|to|by|than|only|in|and) what(?! to)", "the noun"),
    (r"so it is with", "the verb"),
)
RULES = [
    (re.compile(rf"\b(?:{pattern})(?!\w)".replace(" ", r"\s+"), re.IGNORECASE), instead)
    for pattern, instead in (*TERMS, *HABITS)
]


@dataclass
class Finding:
    """One place that breaks a rule: a line of a file, or a name of the place."""

    place: int | str
    what: str

    def __str__(self):
        return f"{self.place}: {self.what}"


def _blanked(pattern, text):
    """Return *text* with empty lines in place of every match: numbers of lines stay."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)


def _words_of(inline):
    """Return the text of a paragraph, heading or cell, its lines apart, code as CODE."""
    parts = []
    for token in inline.children:
        if token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type == "code_inline":
            parts.append(CODE)
        elif token.type == "text":
            parts.append(token.content)
    return "".join(parts)


def paragraphs(text):
    """Yield (line, text) of every paragraph, heading and cell."""
    for pattern in (HEAD, GENERATED, API, OLDER):
        text = _blanked(pattern, text)
    line = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.map:
            line = token.map[0] + 1
        if token.type == "inline":
            yield line, _words_of(token)


def sentences(text):
    """Yield (lines before it, sentence) for each of *text*."""
    start = 0
    for found in END.finditer(text):
        yield text.count("\n", 0, start), text[start : found.end()].strip()
        start = found.end()
    yield text.count("\n", 0, start), text[start:].strip()


def _in_capitals(word):
    return len(word) > 1 and word.isupper()


def _of_sentence(line, sentence):
    count = len(WORD.findall(sentence))
    if count > LONGEST:
        yield Finding(line, f"{count} words in a sentence: {' '.join(sentence.split())[:60]}...")
    if len(re.findall(r":\s", DICT.sub("", sentence))) > 1:
        yield Finding(line, f"two colons in a sentence: {' '.join(sentence.split())[:60]}...")
    for rule, instead in RULES:
        for found in rule.finditer(sentence):
            if not _in_capitals(found[0]):
                at = line + sentence.count("\n", 0, found.start())
                yield Finding(at, f'"{" ".join(found[0].split())}": write {instead}')


def of_words(place, text):
    """Return the Findings in *text*, one without Markdown, which stands at *place*."""
    found = []
    for _, sentence in sentences(text):
        found += [Finding(place, one.what) for one in _of_sentence(0, sentence)]
    return found


def findings(text):
    """Return the Findings in *text*, a document in Markdown."""
    found = []
    for line, paragraph in paragraphs(text):
        for before, sentence in sentences(paragraph):
            found += _of_sentence(line + before, sentence)
    return found
