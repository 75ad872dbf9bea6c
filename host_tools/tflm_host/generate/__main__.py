"""Writes build/generated: what a firmware includes and which files it is built from.

With --readme it writes the table of operators in README.md instead.
"""

import sys

from ..places import ROOT
from . import ALL, headers
from .files import write
from .operators import write_operators
from .rows import rows
from .sources import sources_cmake, sources_mk
from .squeeze import texts_of
from .texts import texts_h


def main(arguments):
    if arguments == ["--readme"]:
        write_operators(ROOT / "README.md")
        return
    texts = headers()
    texts["texts.h"] = texts_h(texts_of())
    texts["sources.mk"] = sources_mk()
    texts["sources.cmake"] = sources_cmake()
    texts["kernels.txt"] = "".join(f"{kernel.name}\n" for kernel in rows().kernels)
    write(ALL, texts)


if __name__ == "__main__":
    main(sys.argv[1:])
