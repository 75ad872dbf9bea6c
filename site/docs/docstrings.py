"""An extension of griffe: the house's docstrings as Markdown.

They list what has a name as `name  what it is`, two spaces or more apart; lines that go on with it
are indented. Here it becomes an item of a list. All else is Markdown as it stands.
"""

import re

import griffe

NAMED = re.compile(r"^(\S+(?: ?[,(*][^)]*\)?|, \S+)*) {2,}(\S.*)$")
GOES_ON = re.compile(r"^ {2,}(?=\S)")


def as_markdown(text):
    """Return docstring *text* with its named lines as lists."""
    lines, in_list = [], False
    for line in text.splitlines():
        named = NAMED.match(line)
        if named:
            if lines and lines[-1] and not in_list:
                lines.append("")
            lines.append(f"* `{named[1]}`: {named[2]}")
            in_list = True
        elif in_list and GOES_ON.match(line):
            lines[-1] += " " + line.strip()
        else:
            if in_list and line:
                lines.append("")
            lines.append(line)
            in_list = False
    return "\n".join(lines)


class Docstrings(griffe.Extension):
    """Rewrites each docstring when griffe has read it."""

    def on_instance(self, *, obj, **_):
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
