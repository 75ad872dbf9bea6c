"""Which family has an operator or a kernel, and the numbers and names of kernels.

A family is a module of this package. It has

    RECORDS    {name: parameters of a kernel, in order}
    KERNELS    rows that common.kernel() makes, of which pairs remain: number, name of a record
    OPERATORS  rows that common.operator() makes, of which pairs remain: builtin code, prepare

and is imported when a model has one of its operators. The first two of a large family lie in
NAME_kernels.py; builds put them into the family itself. See `collect` for the columns.
"""

import tflm.ops.collect as tables

from ..base.errors import message_of
from ..base.port import bring


def _family(i):
    return bring("ops." + str(tables.FAMILIES, "ascii").split()[i])


def builtin_codes():
    """Return the codes of all builtin operators of this build, as bytes."""
    return tables.CODES


def custom_names():
    """Return the names of all custom operators of this build."""
    return str(tables.CUSTOMS, "ascii").split()


_prepares = {}  # code: function, of the operators that models have had


def was_asked(code):
    """Return whether operator *code* was looked up, so that its family is imported, if any."""
    return code in _prepares or _family_of(code) < 0


def prepare_of(code):
    """Return the function that prepares operator *code*, None where there is none.

    code  of a builtin operator, or the name of a custom one
    """
    if code not in _prepares:
        family = _family_of(code)
        if family < 0:
            return None
        for row in _family(family).OPERATORS:
            if row[0] == code:
                _prepares[code] = row[1]
    return _prepares[code]


def _family_of(code):
    """Return the number of the family of operator *code*, or -1."""
    at = _row_of(code)
    return tables.ROW_FAMILIES[at] if at >= 0 else -1


def shape_rule(code):
    """Return the number of the rule in shapes.py for operator *code*, 0 where there is none."""
    at = _row_of(code)
    return tables.ROW_SHAPES[at] if at >= 0 else 0


def _row_of(code):
    """Return where the tables have operator *code*, a number or a custom name, or -1."""
    if isinstance(code, str):
        names = custom_names()
        return len(tables.CODES) + names.index(code) if code in names else -1
    return tables.CODES.find(bytes((code,))) if 0 <= code < 256 else -1


def kernel_names():
    """Return the names of all kernels, by number."""
    return message_of(tables.KERNELS).split()


def kernel_name(kernel):
    """Return the name of *kernel*, a number."""
    names, at = message_of(tables.KERNELS), 0
    for _ in range(kernel):
        at = names.find(" ", at + 1)
    return names[at + 1 : names.find(" ", at + 1)]


def kernel_index(name):
    """Return the number of kernel *name*."""
    names = message_of(tables.KERNELS)
    at = names.find(" " + name + " ")
    if at < 0:
        raise ValueError("no kernel is called " + name)
    return names.count(" ", 0, at)


def kernel_family(kernel):
    """Return the name of the family that has *kernel*, a number."""
    return str(tables.FAMILIES, "ascii").split()[tables.KERNEL_FAMILIES[kernel]]


def words_of(name, params):
    """Return the parameters of kernel *name* as words; in *params* an array goes without "[]"."""
    kernel = kernel_index(name)
    family = _family(tables.KERNEL_FAMILIES[kernel])
    fields = [family.RECORDS[row[1]] for row in family.KERNELS if row[0] == kernel][0]
    if len(fields) != len(params):
        raise TypeError("kernel %s takes %s, not %s" % (name, fields, sorted(params)))
    words = [params[field.rstrip("[]")] for field in fields]
    if fields[-1].endswith("[]"):
        words += words.pop()
    return words
