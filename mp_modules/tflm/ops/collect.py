"""The rows of all families, read from their sources, for a clone or a wheel.

Firmware and packages for boards have another module of this name, which tflm_host.generate
writes from this one. It has only these names:

    FAMILIES         names of the families, with spaces between, as bytes: a text would be packed
    CODES            codes of all builtin operators, as bytes
    CUSTOMS          names of the custom operators, as bytes, too
    ROW_FAMILIES     for each of CODES, then of CUSTOMS, which family has it
    ROW_SHAPES       for each of them, the number of its rule in shapes.py
    KERNELS          names of all kernels by number, a space before and after each
    KERNEL_FAMILIES  for each kernel, which family has it

A kernel's number never changes, because prepared models name kernels by it; new ones take the
next. A module with "_" in its name is a part of a family, as conv_windows is of conv; it has no
rows. But NAME_kernels may have RECORDS, STRUCTS and KERNELS of the family NAME, which imports
them. Rows are read as text, not imported, so that this works where tflm itself does not yet.
"""

import ast
import os
import re
import zlib

FOLDER = os.path.dirname(__file__)
SHARED = ("collect", "common", "index", "quantize")  # modules that are no family
OPTION_TYPES = ("bool", "f32", "i8", "i32", "ints", "string")  # of fields of options tables
TRAITS = ("channelwise",)  # of operators
# TensorTypes that rows name, as schema.py has them.
TYPES = {
    "float32": 0,
    "float16": 1,
    "int32": 2,
    "uint8": 3,
    "int64": 4,
    "bool": 6,
    "int16": 7,
    "int8": 9,
    "uint64": 12,
    "resource": 13,
    "uint32": 15,
}
ANY_TYPE = ("any", "none")  # in the place of types: operators that take all, or no tensor
# Of the shapes of outputs, by number: functions of shapes.py, in its order.
SHAPE_RULES = [
    "none",
    "fixed",
    "as_first",
    "as_second",
    "as_third",
    "batches",
    "blocks",
    "broadcast",
    "concatenation",
    "conv",
    "dense",
    "embedding",
    "expand",
    "gather",
    "gather_nd",
    "largest",
    "last_stays",
    "longest",
    "matmul",
    "one_hot",
    "pack",
    "pad",
    "pool",
    "reduce",
    "reduced",
    "reshape",
    "resize",
    "same",
    "second",
    "shape",
    "slice",
    "split",
    "split_v",
    "squeeze",
    "strided_slice",
    "svdf",
    "tile",
    "transpose",
    "unpack",
]
ROWS = ("each", "window", "last_axis", "dense", "concatenation", "reshape", "all")
UINT8 = ("alike", "one_scale", "own", "no")
KERNEL_TRAITS = ("table", "curve", "native", "short", "group")
# The statements that hold rows, to the next line that begins something else: to parse all of the
# modules takes ten times as long.
# Names that end in FIELDS are tuples that entries of RECORDS and STRUCTS are composed of.
_TABLES = re.compile(
    r"^(?:\w+_FIELDS|RECORDS|STRUCTS|KERNELS|OPERATORS) = .*\n(?:(?:[ )}\]].*)?\n)*",
    re.MULTILINE,
)


class Operator:
    """One row of OPERATORS, a call of operator() of ops/common.py with these columns.

    code      builtin code, or the name of a custom operator
    prepare   name of the function that prepares a node;  name  as in TFLite's schema
    version   highest version that it was written for. Newer ones are accepted, too: what they
              add shows in types and shapes. Source: tensorflow/lite/core/kernels/register.cc
    options   number of its options table in the union BuiltinOptions, 0 for none
    fields    of that table in slot order: "name:type", with spaces between
    traits    words: "channelwise", where channel c of the output comes of channel c of each input
    shape     rule for the outputs when inputs get other shapes, a function of shapes.py. With
              "fixed" the shape stays, with "none" no rule is known
    rows      rule of stream_layers.py for `tflm prepare --stream`. With "each" an element needs
              the same elements of all inputs, with "all" it may need any
    uint8     how `tflm convert` makes int8 of uint8. With "alike" the operator stays, with
              "one_scale" it stays if all scales are equal. With "own" from_uint8.py has a rule
    types     that the data, mostly input 0, may have, with commas between, or "any". Behind " to "
              stand other types of the output. The prepare function reads them by
              row_types() of common.py. docs/operators.md has them, with `notes`. `accepted` are
              their numbers
    functions  words as "UNARY_F32:3". The number is the value of the parameter `function` there
    Raises TypeError for a column that is missing or unknown, ValueError for a wrong value.
    """

    def __init__(
        self,
        family,
        code,
        prepare,
        name,
        *,
        version,
        types,
        shape=None,
        rows=None,
        uint8=None,
        options=0,
        fields="",
        traits="",
        notes="",
        functions="",
    ):
        self.family = family
        self.code, self.prepare, self.name, self.version = code, prepare, name, version
        self.options, self.fields, self.traits = options, fields, traits.split()
        pairs = [pair.split(":") for pair in functions.split()]
        self.functions = {record: int(number) for record, number in pairs}
        self.types, self.notes, self.accepted = types, notes, ()
        if isinstance(code, str):  # few custom operators have other values
            shape, rows, uint8 = shape or "none", rows or "all", uint8 or "no"
        self.shape, self.rows, self.uint8 = shape, rows, uint8
        where = "%s: operator %s has " % (family, name)
        if not isinstance(code, str) and code not in range(256):
            raise ValueError(where + "the code %r" % (code,))
        if version not in range(1, 100) or options not in range(256):
            raise ValueError(where + "version %r and options %r" % (version, options))
        kinds = [field.partition(":")[2] for field in fields.split()]
        _check_words(where + "a field of type", kinds, OPTION_TYPES)
        _check_words(where + "the trait", self.traits, TRAITS)
        _check_words(where + "the shape", [shape], SHAPE_RULES)
        _check_words(where + "rows", [rows], ROWS)
        _check_words(where + "uint8", [uint8], UINT8)
        names, _, made = types.partition(" to ")
        _check_words(where + "types", made.split(", ") if made else [], TYPES)
        if names not in ANY_TYPE:
            _check_words(where + "types", names.split(", "), TYPES)
            self.accepted = tuple([TYPES[word] for word in names.split(", ")])


class Kernel:
    """One row of KERNELS, a call of kernel() of ops/common.py with these columns.

    number     in node tables and prepared models;  name  of the C function, without tflm_
    record     the entry of RECORDS that names its parameters, which are in `fields`
    arguments  "type name", with commas between; outputs stand after "->". Types s8, u8, s16, s32
               and f32 are aligned, in the arena unless said. Types raw and raw16 are little-endian
               words and halves at any alignment. Type bytes, and "..." for any number of these
    slices     "way cost", how a long node is divided (firmware/tflm/slices.c); "" for never
    traits     words. "table" if 256 results can replace an int8 kernel. "curve" if they do so for
               any number of elements. "native" for a kernel in C only. "short" if it is so fast on
               few elements that it is called without a trampoline. "group" for a kernel of fused
               layers only: firmware/tflm/groups.c
    Raises TypeError for a column that is missing or unknown, ValueError for a wrong value.
    """

    def __init__(self, family, records, number, name, *, record, arguments, slices="", traits=""):
        self.family, self.number, self.name = family, number, name
        self.record, self.arguments, self.slices = record, arguments, slices
        self.traits = traits.split()
        where = "%s: kernel %s has " % (family, self.name)
        if self.number not in range(1 << 16):
            raise ValueError(where + "the number %r" % (self.number,))
        _check_words(where + "the trait", self.traits, KERNEL_TRAITS)
        if self.record not in records:
            raise ValueError("%s: kernel %s has no record %s" % (family, self.name, self.record))
        self.fields = records[self.record]
        if not self.fields:  # dispatch.c may read one word behind the tagged offsets
            raise ValueError("%s: record %s has no parameter" % (family, self.record))

    @property
    def form(self):
        """A number that differs if the parameters differ, of a prepared model and of its build."""
        facts = self.name, self.fields, self.arguments
        return zlib.crc32(repr(facts).encode()) >> 2 | 1  # a small int on every board, never 0


class Rows:
    """The rows of all families in *folder*.

    families   names, sorted
    operators  {code: Operator}, sorted
    kernels    Kernels by number
    records    {name: parameters}, in the order of families and of their RECORDS
    structs    {name: fields} of the families' STRUCTS: words that C fills in for Python. The last
               field may be "ENTRY name", for all parameters of ENTRY of RECORDS
    Raises ValueError where two rows claim the same number, code or name, or a number is left out.
    """

    def __init__(self, folder=FOLDER):
        names = [name[:-3] for name in os.listdir(folder) if name.endswith(".py")]
        names = [name for name in names if "_" not in name]
        self.families = sorted([name for name in names if name not in SHARED])
        self.records, self.structs, operators, kernels = {}, {}, {}, []
        for family in self.families:
            found = _read(os.path.join(folder, family + ".py"))
            records = found["RECORDS"]
            for name in records:
                _enter(self.records, name, records[name], "record " + name)
            for name in found["STRUCTS"]:
                _enter(self.structs, name, found["STRUCTS"][name], "struct " + name)
            for row in found["OPERATORS"]:
                operator = _made(Operator, "operator", family, row)
                _enter(operators, operator.code, operator, "operator %s" % operator.code)
            rows = found["KERNELS"]
            kernels += [_made(Kernel, "kernel", family, row, records) for row in rows]
        codes = sorted([code for code in operators if not isinstance(code, str)])
        customs = sorted([code for code in operators if isinstance(code, str)])
        self.operators = {code: operators[code] for code in codes + customs}
        self.kernels = sorted(kernels, key=lambda kernel: kernel.number)
        _check_numbers(self.kernels)
        self.functions = {}  # {record: its operators, by number}
        for row in self.operators.values():
            for record in row.functions:
                self.functions.setdefault(record, []).append(row)
        for record, users in self.functions.items():
            users.sort(key=lambda row: row.functions[record])
            _check_functions(self.records, record, users)

    def function_numbers(self, record):
        """Return {builtin code: number of its function} for the operators of *record*."""
        return {row.code: row.functions[record] for row in self.functions[record]}

    def types_of(self, *names):
        """Return the TensorTypes that operators *names* accept, which must be the same for all."""
        found = {row.accepted for row in self.operators.values() if row.name in names}
        if len(found) != 1 or () in found:
            raise ValueError("%s accept the types %s" % (", ".join(names), sorted(found)))
        return found.pop()

    def kernel(self, name):
        """Return the Kernel called *name*."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        raise ValueError("no kernel is called " + name)

    def tables(self, families=None):
        """Return {name: value} of the board's form of this module.

        families  whose operators are included; None for all
        """
        at, rule = self.families.index, SHAPE_RULES.index
        there = [
            row for row in self.operators.values() if families is None or row.family in families
        ]
        customs = [row for row in there if isinstance(row.code, str)]
        operators = there[: len(there) - len(customs)]
        return {
            "FAMILIES": " ".join(self.families).encode(),
            "CODES": bytes([row.code for row in operators]),
            "CUSTOMS": " ".join([row.name for row in customs]).encode(),
            "ROW_FAMILIES": bytes([at(row.family) for row in there]),
            "ROW_SHAPES": bytes([rule(row.shape) for row in there]),
            "KERNELS": " %s " % " ".join([kernel.name for kernel in self.kernels]),
            "KERNEL_FAMILIES": bytes([at(kernel.family) for kernel in self.kernels]),
        }


def _made(kind, function, family, row, *more):
    """Return the *kind* of *row*: columns by position, and {name: value} of the others."""
    if not isinstance(row, tuple) or len(row) != 2 or not isinstance(row[1], dict):
        raise ValueError("%s: the row %r is no call of %s()" % (family, row, function))
    columns, named = row
    try:
        return kind(family, *more, *columns, **named)
    except TypeError as error:
        raise ValueError("%s, %s %s: %s" % (family, function, columns, error)) from None


def _check_functions(records, record, users):
    """Raise ValueError unless the functions of *record* have the numbers from 0 on."""
    names = ", ".join([row.name for row in users])
    if "function" not in records.get(record, ()):
        raise ValueError("%s: %s has no parameter called function" % (names, record))
    numbers = [row.functions[record] for row in users]
    if numbers != list(range(len(users))):
        raise ValueError("%s: their numbers in %s are %s" % (names, record, numbers))


def _check_words(what, words, known):
    for word in words:
        if word not in known:
            raise ValueError("%s %r, not one of %s" % (what, word, ", ".join(known)))


def _enter(found, key, value, what):
    if key in found:
        raise ValueError(what + " is there twice")
    found[key] = value


def _check_numbers(kernels):
    """Raise ValueError unless *kernels*, sorted, have the numbers from 0 on."""
    free = 0  # once all lower ones are known
    numbers = [kernel.number for kernel in kernels]
    while free in numbers:
        free += 1
    for kernel, other in zip(kernels, kernels[1:]):
        if kernel.number == other.number:
            names = kernel.number, kernel.name, other.name, free
            raise ValueError("kernel number %d is %s's and %s's; %d is free" % names)
    if free != len(kernels):
        raise ValueError("no kernel has the number %d, the next free one" % free)


def _read(path):
    """Return {name: table} of the family at *path*; functions as their names."""
    text = ""
    for part in (path.replace(".py", "_kernels.py"), path):
        if part == path or os.path.exists(part):
            with open(part) as file:
                text += "".join([statement[0] for statement in _TABLES.finditer(file.read())])
    found = {"RECORDS": {}, "STRUCTS": {}, "KERNELS": (), "OPERATORS": ()}
    for node in ast.parse(text).body:
        name = getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""
        if found.get(name):
            raise ValueError("%s and %s_kernels.py both have %s" % (path, path[:-3], name))
        if name in found or name.endswith("_FIELDS"):
            found[name] = ast.literal_eval(_Names(found).visit(node.value))
    return found


class _Names(ast.NodeTransformer):
    """Makes literals of tables: of names, of sums of tuples, of calls of operator() and kernel().

    found  {name: table} of the module so far
    """

    def __init__(self, found):
        self.found = found

    def visit_Name(self, node):
        if node.id in self.found:
            return ast.parse(repr(self.found[node.id]), mode="eval").body
        return ast.Constant(node.id)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        parts = node.left, node.right
        if not all([isinstance(part, ast.Tuple) for part in parts]):
            return node  # literal_eval refuses it by its line
        return ast.Tuple(node.left.elts + node.right.elts, ast.Load())

    def visit_Call(self, node):
        self.generic_visit(node)
        keys = [ast.Constant(keyword.arg) for keyword in node.keywords]
        named = ast.Dict(keys, [keyword.value for keyword in node.keywords])
        return ast.Tuple([ast.Tuple(node.args, ast.Load()), named], ast.Load())


_rows = []


def rows():
    """Return the Rows of this package, read once."""
    if not _rows:
        _rows.append(Rows())
    return _rows[0]


def __getattr__(name):
    tables = {} if name.startswith("__") else rows().tables()  # imports look for __path__
    if name not in tables:
        raise AttributeError("module 'tflm.ops.collect' has no attribute '%s'" % name)
    globals().update(tables)
    return tables[name]
