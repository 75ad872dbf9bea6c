"""Docstrings of this project as Markdown, for the site and for the words' checker.

A docstring lists names as `name  description`, two spaces or more apart, with indented lines that
continue the description. Such a line becomes an item of a list. Everything else is Markdown.
"""

import re

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
