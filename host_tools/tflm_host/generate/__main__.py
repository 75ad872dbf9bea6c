"""Writes build/generated: the header files of a firmware and the list of its source files.

With --frozen TEXT it also writes what a firmware for TFLM_OPS=TEXT freezes. It prints the folder,
in which texts.h is, and the macros of this firmware, with spaces between. With --operators it
writes the table of docs/operators.md instead. With --pick TEXT it prints the kernels that TEXT
names, as TFLM_OPS takes them.
"""

import sys

from . import ALL, headers
from .files import write
from .frozen import PREPARED, families_alone, freeze
from .operators import write_operators
from .picked import picked
from .rows import rows
from .sources import definitions, sources_cmake, sources_mk
from .squeeze import SERVICES


def _pick(text):
    try:
        first, _, rest = text.strip().partition(",")
        found = rows()
        names = [*(kernel.name for kernel in found.kernels), *families_alone(found), *SERVICES]
        if first == PREPARED:
            return ",".join([PREPARED, *(picked(rest, names) if rest else ())])
        return ",".join(picked(text, names))
    except ValueError as error:
        sys.exit(f"error: {error}")


def main(arguments):
    if arguments == ["--operators"]:
        write_operators()
        return
    if arguments[:1] == ["--pick"]:
        print(_pick(*arguments[1:]))
        return
    texts = headers()
    texts["sources.mk"] = sources_mk()
    texts["sources.cmake"] = sources_cmake()
    write(ALL, texts)
    if arguments[:1] == ["--frozen"]:
        (ops,) = arguments[1:]
        print(freeze(ops)[0], *definitions(ops))


if __name__ == "__main__":
    main(sys.argv[1:])
