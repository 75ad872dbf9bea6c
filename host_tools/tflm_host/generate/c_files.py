"""The C side of the families' rows and of mp_modules/tflm/base/layout.py.

layout.h    structs of parameters, of a node; numbers, forms and prototypes of kernels
adapters.h  one trampoline per kernel, which calls it with the addresses of its arguments
slices.h    how long nodes are divided
shapes.h    limits that fence.c compares node tables with
"""

ARRAY = "[]"  # ends the name of a parameter that fills the rest
VARIADIC = "..."
C_TYPES = {
    "s8": "int8_t",
    "u8": "uint8_t",
    "s16": "int16_t",
    "s32": "int32_t",
    "f32": "float",
    "raw": "uint8_t",
    "raw16": "uint8_t",
    "bytes": "uint8_t",
}
# Bytes of an element.
SIZES = {"s8": 1, "u8": 1, "s16": 2, "raw16": 2, "s32": 4, "raw": 4, "f32": 4}
# What a model may lack, for a kernel computes it or does without.
OPTIONAL = {"bias", "constants"}
SCRATCH, DEPTHWISE = "scratch", "depthwise_conv_2d_s8"  # which with constants does without it
FIRST_OPTIONAL, LAST_OPTIONAL = 2, 6  # places of arguments
BANNER = "// Generated from mp_modules/tflm by tflm_host.generate: do not edit.\n"
LINE_LENGTH = 99


class Argument:
    """One argument of a kernel: its type and name as the row has them, and who writes it."""

    def __init__(self, text, written):
        self.type, self.name = text.split()
        self.written = written
        self.variadic = self.type == VARIADIC

    def declaration(self):
        """Return the argument as it stands in the kernel's prototype."""
        if self.variadic:
            return f"const tflm_args_t *{self.name}"
        qualifier = "" if self.written else "const "
        return f"{qualifier}{C_TYPES[self.type]} *{self.name}"


class Prototype:
    """A kernel as C sees it: *kernel* is a Kernel of collect.py."""

    def __init__(self, kernel):
        reads, writes = kernel.arguments.split("->")
        self.name = kernel.name
        self.is_short = "short" in kernel.traits
        self.record = record_type(kernel.record)
        self.arguments = [Argument(text, False) for text in reads.split(",")]
        self.arguments += [Argument(text, True) for text in writes.split(",")]
        self.variadic = any(argument.variadic for argument in self.arguments)
        if self.variadic and len(self.arguments) != 2:  # inputs and an output
            raise ValueError(f'{self.name}: "..." is known as one of two arguments only')

    def declaration(self):
        """Return the kernel's declaration, wrapped to the line length."""
        parameters = [f"const {self.record} *params"]
        parameters += [argument.declaration() for argument in self.arguments]
        return wrap(f"void tflm_{self.name}(", parameters, ");")

    def adapter(self):
        """Return the function that calls the kernel with the addresses of its arguments."""
        count = len(self.arguments)
        body = ["(void)spaces;", "(void)refs;"]
        values = [f"at[{i}]" for i in range(count)]
        if self.variadic:
            first = int(self.arguments[1].variadic)
            body = [
                "(void)at;",
                "const int32_t *record = params - refs;",
                f"const tflm_args_t many = {{spaces, record + {first}, refs - 1}};",
            ]
            values[first] = "&many"
            values[1 - first] = f"tflm_at(spaces, record[{'0' if first else 'refs - 1'}])"
        body.append(self._call("params", values, "    "))
        head = f"static void run_{self.name}(ADAPTER_PARAMETERS) {{"
        return "\n".join([head] + ["    " + line for line in body] + ["}"])

    def short_call(self):
        """Return a function and an `if` that call the kernel without its trampoline."""
        count, macro = len(self.arguments), self.name.upper()
        values = [f"tflm_at(spaces, record[{i}])" for i in range(count)]
        call = self._call(f"(record + {count})", values, "    ")
        head = f"static __attribute__((noinline)) void short_{self.name}(\n"
        head += "    const tflm_spaces_t *spaces, const int32_t *record) {\n"
        case = f"    if (kernel == TFLM_{macro}) {{\n        short_{self.name}(spaces, record);\n"
        function = f"#if TFLM_HAS_{macro}\n{head}    {call}\n}}\n#endif\n"
        return function, f"#if TFLM_HAS_{macro}\n{case}        return true;\n    }}\n#endif\n"

    def _call(self, params, values, indent):
        return wrap(f"tflm_{self.name}(", [f"(const void *){params}", *values], ");", indent)


def wrap(head, items, tail, indent=""):
    """Return *head*, the comma-separated *items* and *tail*, broken at the line length."""
    lines, line = [], head
    for i, item in enumerate(items):
        piece = item + (tail if i == len(items) - 1 else ",")
        if len(indent) + len(line) + len(piece) + 1 > LINE_LENGTH:
            lines.append(line.rstrip())
            line = indent + "    "
        line += piece + (" " if piece.endswith(",") else "")
    return "\n".join(lines + [line])


def record_type(name):
    """Return the C type of the parameters *name*."""
    return f"tflm_{name.lower()}_t"


def struct(name, fields, word):
    """Return the typedef of parameters and the assertions on its layout."""
    lines = ["typedef struct {"]
    lines += [f"    int32_t {field};" for field in fields]
    lines.append(f"}} {name};")
    words = [field for field in fields if not field.endswith(ARRAY)]
    lines.append(f'_Static_assert(sizeof({name}) == {len(words) * word}, "{name}");')
    last, offset = fields[-1], (len(fields) - 1) * word
    field = last.removesuffix(ARRAY)
    lines.append(f'_Static_assert(offsetof({name}, {field}) == {offset}, "{name}");')
    return "\n".join(lines) + "\n"


def _declared(field):
    """Return the declaration of *field*: a word, or "ENTRY name" for the parameters ENTRY."""
    record, _, name = field.rpartition(" ")
    return f"    {record_type(record)} {name};" if record else f"    int32_t {name};"


def filled_struct(name, fields, records, word):
    """Return the typedef of an entry of STRUCTS, asserted to be words without gaps."""
    kind, count = record_type(name), len(words_of_struct(fields, records))
    lines = ["typedef struct {", *map(_declared, fields), f"}} {kind};"]
    lines.append(f'_Static_assert(sizeof({kind}) == {count * word}, "{kind}");')
    return "\n".join(lines) + "\n"


def words_of_struct(fields, records):
    """Return the names of the words of an entry of STRUCTS; *records* are {name: parameters}."""
    names = []
    for field in fields:
        record, _, name = field.rpartition(" ")
        names += records[record] if record else [name]
    return names


def node_struct(layout):
    """Return the typedef of a node table's entry, asserted against layout.NODE_SIZE."""
    return f"""\
// One entry of the node table.
typedef struct {{
    uint16_t kernel;  // index of the kernel, or TFLM_NO_KERNEL
    uint16_t refs;  // number of refs at the start of the record
    int32_t record;  // ref of the record
}} tflm_node_t;
_Static_assert(sizeof(tflm_node_t) == {layout["NODE_SIZE"]}, "tflm_node_t");
_Static_assert(offsetof(tflm_node_t, refs) == 2, "tflm_node_t");
_Static_assert(offsetof(tflm_node_t, record) == 4, "tflm_node_t");
"""


def layout_h(layout, rows):
    """Return the text of layout.h; *layout* is {name: value} of layout.py, *rows* the Rows."""
    parts = [
        BANNER,
        "#ifndef TFLM_LAYOUT_H\n#define TFLM_LAYOUT_H\n",
        '#include <stddef.h>\n#include <stdint.h>\n\n#include "spaces.h"\n',
        f"#define TFLM_ALIGNMENT {layout['ALIGNMENT']}\n"
        f"#define TFLM_NO_KERNEL {layout['NO_KERNEL']:#x}\n"
        f"#define TFLM_LAYOUT {layout['PREPARED_FORMAT']}\n"
        f"#define TFLM_MAX_BUFFERS {layout['MAX_BUFFERS']}\n",
        f'_Static_assert(TFLM_ARENA == {layout["ARENA"]}, "space bit of a ref");\n'
        f'_Static_assert(TFLM_MODEL == {layout["MODEL"]}, "space bit of a ref");\n'
        f'_Static_assert(TFLM_TAIL_OFFSET == {layout["TAIL"]}, "of the tail in a memory");\n',
        node_struct(layout),
    ]
    for name, fields in rows.records.items():
        parts.append(struct(record_type(name), fields, layout["WORD"]))
        functions = [f"    TFLM_{name}_{row.name},\n" for row in rows.functions.get(name, ())]
        parts += ["enum {\n" + "".join(functions) + "};\n"] if functions else []
    for name, fields in rows.structs.items():
        parts.append(filled_struct(name, fields, rows.records, layout["WORD"]))
    names = [f"    TFLM_{kernel.name.upper()} = {kernel.number},\n" for kernel in rows.kernels]
    count = f"    TFLM_KERNEL_COUNT = {len(names)}\n"
    parts.append("enum {\n" + "".join(names) + count + "};\n")
    parts += [Prototype(kernel).declaration() + "\n" for kernel in rows.kernels]
    parts.append("#endif\n")
    return "\n".join(parts)


def slices_h(rows):
    """Return the text of slices.h."""
    lines = [BANNER, "static const rule_t rules[TFLM_KERNEL_COUNT] = {"]
    for kernel in rows.kernels:
        if kernel.slices:
            way, cost = kernel.slices.split()
            words = f"PARAMETERS({record_type(kernel.record)})"
            prototype = Prototype(kernel)
            first = [next(a for a in prototype.arguments if a.written == w) for w in (False, True)]
            sizes = [SIZES[argument.type] for argument in first]
            target = prototype.arguments.index(first[1])
            values = f"{way.upper()}, {words}, {sizes[0]}, {sizes[1]}, {target}, {cost}"
            lines.append(f"    [TFLM_{kernel.name.upper()}] = {{{values}}},")
    return "\n".join([*lines, "};", ""])


def shapes_h(rows):
    """Return the text of shapes.h."""
    lines = [
        BANNER,
        "// Of a kernel's record: refs, 0 for any number; words of parameters; which may lack.",
        "#define TFLM_SHAPE_REFS(shape) ((shape) & 31u)",
        "#define TFLM_SHAPE_WORDS(shape) ((shape) >> 5 & 31u)",
        f"#define TFLM_SHAPE_OPTIONAL(shape) ((shape) >> 10 << {FIRST_OPTIONAL})",
        f"#define TFLM_SHAPE_EITHER {_either(rows):#x}u  // refs of which one must be there\n",
        "static const uint16_t shapes[TFLM_KERNEL_COUNT] = {",
        *(f"    {_shape(kernel):#x}," for kernel in rows.kernels),
    ]
    return "\n".join([*lines, "};", ""])


def _shape(kernel):
    prototype = Prototype(kernel)
    refs = 0 if prototype.variadic else len(prototype.arguments)
    words = len([field for field in kernel.fields if not field.endswith(ARRAY)])
    optional = _optional(kernel)
    if max(refs, words) > 31 or not all(FIRST_OPTIONAL <= i <= LAST_OPTIONAL for i in optional):
        raise ValueError(f"{kernel.name}: more arguments or parameters than shapes.h can say")
    return refs | words << 5 | sum(1 << 10 + i - FIRST_OPTIONAL for i in optional)


def _optional(kernel):
    """Return the places of the arguments that may be absent."""
    names = OPTIONAL | ({SCRATCH} if kernel.name == DEPTHWISE else set())
    return [i for i, one in enumerate(Prototype(kernel).arguments) if one.name in names]


def _either(rows):
    """Return the bits of constants and scratch of a depthwise convolution."""
    (kernel,) = [kernel for kernel in rows.kernels if kernel.name == DEPTHWISE]
    arguments = Prototype(kernel).arguments
    return sum(1 << i for i, one in enumerate(arguments) if one.name in ("constants", SCRATCH))


def adapters_h(rows):
    """Return the text of `adapters.h`."""
    prototypes = [Prototype(kernel) for kernel in rows.kernels]
    most = max(len(prototype.arguments) for prototype in prototypes)
    parts = [
        BANNER,
        "// A firmware for some kernels only is built with TFLM_HAS_DEFAULT=0 and\n"
        "// TFLM_HAS_<KERNEL>=1 for each that it keeps; the others need not be linked.\n"
        "#ifndef TFLM_HAS_DEFAULT\n#define TFLM_HAS_DEFAULT 1\n#endif\n",
        "#define ADAPTER_PARAMETERS const int32_t *params, void *const *at, \\\n"
        "    const tflm_spaces_t *spaces, int32_t refs\n",
        f"enum {{ ARGUMENTS = {most + most % 2} }};  // of a kernel without `...`, at most\n",
    ]
    for prototype in prototypes:
        macro = f"TFLM_HAS_{prototype.name.upper()}"
        parts.append(
            f"#ifndef {macro}\n#define {macro} TFLM_HAS_DEFAULT\n#endif\n#if {macro}\n"
            f"{prototype.adapter()}\n#else\n#define run_{prototype.name} NULL\n#endif\n"
        )
    short = [prototype.short_call() for prototype in prototypes if prototype.is_short]
    parts += [function for function, _ in short]
    cases = "".join(case for _, case in short)
    parts.append(
        "// Calls a kernel that is short, without its adapter; returns false where it is none.\n"
        "static inline bool call_short(\n"
        "    const tflm_spaces_t *spaces, const int32_t *record, int32_t kernel) {\n"
        "    (void)spaces, (void)record, (void)kernel;\n"
        f"{cases}    return false;\n}}\n"
    )
    entries = "".join(f"    run_{kernel.name},\n" for kernel in rows.kernels)
    parts.append("const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT] = {\n" + entries + "};\n")
    forms = "".join(f"    {kernel.form:#x},\n" for kernel in rows.kernels)
    parts.append("static const int32_t forms[TFLM_KERNEL_COUNT] = {\n" + forms + "};\n")
    return "\n".join(parts)
