"""Writes build/generated: what a firmware includes and which files it is built from."""

from . import ALL, headers
from .files import write
from .rows import rows
from .sources import sources_cmake, sources_mk
from .squeeze import texts_of
from .texts import texts_h


def main():
    texts = headers()
    texts["texts.h"] = texts_h(texts_of())
    texts["sources.mk"] = sources_mk()
    texts["sources.cmake"] = sources_cmake()
    texts["kernels.txt"] = "".join(f"{kernel.name}\n" for kernel in rows().kernels)
    write(ALL, texts)


if __name__ == "__main__":
    main()
