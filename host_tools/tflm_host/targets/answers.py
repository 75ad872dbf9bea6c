"""The replies of a board, checked: it may be disturbed, of another version, or hostile.

A board prints lines of JSON behind a mark. A *form* describes a value:

- a function that accepts it or not, or a type;
- a tuple of forms of which one fits;
- a list of forms for a list of as many, or [form, ...] for a list of any length;
- a dict of forms by name.
"""

import json

from .repl import TargetError

MARK = "tflm:"
_SHOWN = 80  # characters of a reply that an error quotes
_LONGEST = 1 << 16  # of a text
_LARGEST = 1 << 48


def is_text(value):
    return isinstance(value, str) and len(value) <= _LONGEST


def is_number(value):
    return type(value) is int and abs(value) < _LARGEST


def is_count(value):
    return is_number(value) and value >= 0


def is_size(value):
    return is_number(value) and value > 0


def is_hex(value):
    """Return whether it is the hex digits of some bytes."""
    return is_text(value) and len(value) % 2 == 0 and not set(value) - set("0123456789abcdef")


def one_of(*values):
    return lambda value: isinstance(value, str) and value in values


def below(count):
    """Return the form of an index below *count*."""
    return lambda value: is_count(value) and value < count


def fits(value, form):
    """Return whether *value* has the *form*."""
    if isinstance(form, dict):
        return isinstance(value, dict) and all(
            name in value and fits(value[name], part) for name, part in form.items()
        )
    if isinstance(form, tuple):
        return any(fits(value, part) for part in form)
    if isinstance(form, list):
        if not isinstance(value, list):
            return False
        forms = form[:1] * len(value) if form[1:] == [...] else form
        return len(value) == len(forms) and all(map(fits, value, forms))
    if isinstance(form, type):
        return type(value) is form
    return value is None if form is None else form(value)


def refuse(name, answer):
    """Raise TargetError: the reply *answer* of the board *name* is not valid."""
    text = ascii(answer)
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    raise TargetError(
        f"{name}: {text} is no valid reply: reset the board, and compare its version of tflm"
    )


def checked(name, value, form):
    """Return *value*, a reply of the board *name*. Raises TargetError unless it fits."""
    if not fits(value, form):
        refuse(name, value)
    return value


def answers(name, printed, form):
    """Return the values of the marked lines of *printed*. Raises TargetError unless all fit."""
    found = []
    for line in printed.splitlines():
        if line.startswith(MARK):
            try:
                value = json.loads(line.removeprefix(MARK))
            except (ValueError, RecursionError):
                refuse(name, line)
            found.append(checked(name, value, form))
    return found
