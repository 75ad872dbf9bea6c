"""Byte layout of everything that the runtime keeps in the arena, declared once.

Node table   one entry per node, in execution order, NODE_SIZE bytes each:
                 u16 kernel   number of the kernel, or NO_KERNEL for a node that runs in Python
                 u16 refs     number of tagged offsets in the operator parameters
                 i32 record   tagged offset of the node's operator parameters
Record       the operator parameters: tagged offsets (i32 each, one per kernel argument, in the
             kernel's order), then parameters (i32 each, in the order of the family's RECORDS).
Ref          a tagged offset: offset << 1 | space. The space is ARENA or MODEL. ABSENT is -1.
             Where the arena's tail lies in a memory of its own, offsets into that have TAIL more.

All words are little-endian. Offsets count from the 16-byte aligned arena base or from the
first byte of the model, so an arena can be moved, saved and loaded elsewhere.

A parameter's name ending in "[]" is an array that fills the rest. Float32 scales
and bounds are carried as their bit patterns. tflm_host.generate derives generated/layout.h
(structs, prototypes and the numbers of kernels) from this file and the families' rows. A test
checks the viper kernels against them.
"""

from .port import const

ALIGNMENT = const(16)
NODE_SIZE = const(8)
NODE_FORMAT = "<HHi"
NO_KERNEL = const(0xFFFF)
WORD = const(4)

# `_tflm.layout`, which a prepared model and its build must share: to be raised with any change of
# a node's entry, of a snapshot's header, or of what constants and tables mean to a kernel. Records
# may change one by one: see `form` of ops/collect.py.
PREPARED_FORMAT = const(7)

ARENA = const(0)
MODEL = const(1)
ABSENT = const(-1)
TAIL = const(0x10000000)

MAX_BUFFERS = const(180)  # in a plan that C makes: it compares each with all others
