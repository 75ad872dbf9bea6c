"""Mutants of a C file: its comparisons, conditions, small constants and sums, one at a time."""

import re

SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
}
NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
# Operators with a space on both sides: unary ones, arrows, shifts and increments have none.
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||<|>|\+|-)(?= )")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?=[\s;,)\]])(?!\.)")


def edits(text):
    """Return [(start, end, replacement)] of *text*, in their order."""
    code = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    found = [(*one.span(), SWAPS[one.group()]) for one in OPERATOR.finditer(code)]
    found += [(*one.span(), str(int(one.group()) + 1)) for one in NUMBER.finditer(code)]
    return sorted(found)
