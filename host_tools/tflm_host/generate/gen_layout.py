"""Write the C side of mp_modules/tflm to firmware/tflm.

layout.h     record structs, the node struct, kernel indices and kernel prototypes
dispatch.c   one adapter a kernel: resolves the record's refs, calls the kernel with them
texts.h      the messages of the package, packed for firmware

All are committed, so that a firmware builds without Python; a test keeps them up to date.
Usage: python -m tflm_host.generate.gen_layout [--check]
"""

import sys

from tflm import layout as tflm_layout

from ..places import ROOT
from .layout_number import layout_number

sys.path.append(str(ROOT / "boards" / "common"))
from squeeze import texts_of  # noqa: E402
from squeeze.texts import texts_h  # noqa: E402

PACKAGE = ROOT / "mp_modules" / "tflm"
FIRMWARE = ROOT / "firmware" / "tflm"

ARRAY = "[]"  # ends the name of a parameter that fills the rest of its record
VARIADIC = "..."
C_TYPES = {
    "s8": "int8_t",
    "s16": "int16_t",
    "s32": "int32_t",
    "f32": "float",
    "raw": "uint8_t",
    "bytes": "uint8_t",
}
BANNER = "// Generated from mp_modules/tflm/layout.py by `make layout`: do not edit.\n"
LINE_LENGTH = 99


class Argument:
    """One argument of a kernel: its type and name as layout.py has them, and who writes it."""

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


class Kernel:
    """One row of layout.KERNELS."""

    def __init__(self, name, record, signature):
        reads, writes = signature.split("->")
        self.name = name
        self.record = record
        self.arguments = [Argument(text, False) for text in reads.split(",")]
        self.arguments += [Argument(text, True) for text in writes.split(",")]
        self.variadic = any(argument.variadic for argument in self.arguments)
        if self.variadic and [a.variadic for a in self.arguments] != [True, False]:
            raise ValueError(f'{name}: "..." is known as the first of two arguments only')

    def prototype(self):
        """Return the kernel's declaration, wrapped to the line length."""
        parameters = [f"const {self.record} *params"]
        parameters += [argument.declaration() for argument in self.arguments]
        return wrap(f"void tflm_{self.name}(", parameters, ");")

    def adapter(self):
        """Return the function that calls the kernel with the refs of a record."""
        count = len(self.arguments)
        body = []
        if self.variadic:
            body.append("const tflm_args_t inputs = {spaces, record, refs - 1};")
            params, values = "refs", ["&inputs", "tflm_at(spaces, record[refs - 1])"]
        else:
            body.append("(void)refs;")
            params, values = count, [f"tflm_at(spaces, record[{i}])" for i in range(count)]
        values.insert(0, f"(const void *)(record + {params})")
        body.append(wrap(f"tflm_{self.name}(", values, ");", "    "))
        head = f"static void run_{self.name}(ADAPTER_PARAMETERS) {{"
        return "\n".join([head] + ["    " + line for line in body] + ["}"])


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


def load_layout():
    """Return {name: value} of layout.py."""
    return vars(tflm_layout)


def records(layout):
    """Return {C type name: parameter names} of every record, in the order of layout.py."""
    return {
        f"tflm_{name.lower()}_t": fields
        for name, fields in layout.items()
        if name.isupper() and isinstance(fields, tuple) and isinstance(fields[0], str)
    }


def kernels(layout):
    """Return the Kernel of every row of layout.KERNELS."""
    types = {id(fields): name for name, fields in records(layout).items()}
    return [
        Kernel(name, types[id(fields)], signature) for name, fields, signature in layout["KERNELS"]
    ]


def struct(name, fields, word):
    """Return the typedef of one record and the assertions on its layout."""
    lines = ["typedef struct {"]
    lines += [f"    int32_t {field};" for field in fields]
    lines.append(f"}} {name};")
    words = [field for field in fields if not field.endswith(ARRAY)]
    lines.append(f'_Static_assert(sizeof({name}) == {len(words) * word}, "{name}");')
    last, offset = fields[-1], (len(fields) - 1) * word
    field = last.removesuffix(ARRAY)
    lines.append(f'_Static_assert(offsetof({name}, {field}) == {offset}, "{name}");')
    return "\n".join(lines) + "\n"


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


def layout_h(layout):
    """Return the text of layout.h."""
    rows = kernels(layout)
    parts = [
        BANNER,
        "#ifndef TFLM_LAYOUT_H\n#define TFLM_LAYOUT_H\n",
        '#include <stddef.h>\n#include <stdint.h>\n\n#include "spaces.h"\n',
        f"#define TFLM_ALIGNMENT {layout['ALIGNMENT']}\n"
        f"#define TFLM_NO_KERNEL {layout['NO_KERNEL']:#x}\n"
        f"#define TFLM_LAYOUT {layout_number(layout):#x}\n",
        f'_Static_assert(TFLM_ARENA == {layout["ARENA"]}, "space bit of a ref");\n'
        f'_Static_assert(TFLM_MODEL == {layout["MODEL"]}, "space bit of a ref");\n',
        node_struct(layout),
    ]
    parts += [struct(name, fields, layout["WORD"]) for name, fields in records(layout).items()]
    names = "".join(f"    TFLM_{kernel.name.upper()},\n" for kernel in rows)
    parts.append("enum {\n" + names + "    TFLM_KERNEL_COUNT\n};\n")
    parts += [kernel.prototype() + "\n" for kernel in rows]
    parts.append("#endif\n")
    return "\n".join(parts)


def dispatch_c(layout):
    """Return the text of dispatch.c."""
    parts = [
        BANNER,
        '#include "dispatch.h"\n',
        "// A firmware for some kernels only is built with TFLM_HAS_DEFAULT=0 and\n"
        "// TFLM_HAS_<KERNEL>=1 for each that it keeps; the others need not be linked.\n"
        "#ifndef TFLM_HAS_DEFAULT\n#define TFLM_HAS_DEFAULT 1\n#endif\n",
        "#define ADAPTER_PARAMETERS const tflm_spaces_t *spaces, const int32_t *record, "
        "int32_t refs\n",
    ]
    for kernel in kernels(layout):
        macro = f"TFLM_HAS_{kernel.name.upper()}"
        parts.append(
            f"#ifndef {macro}\n#define {macro} TFLM_HAS_DEFAULT\n#endif\n"
            f"#if {macro}\n{kernel.adapter()}\n#else\n#define run_{kernel.name} NULL\n#endif\n"
        )
    entries = "".join(f"    run_{kernel.name},\n" for kernel in kernels(layout))
    parts.append("const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT] = {\n" + entries + "};\n")
    return "\n".join(parts)


def generated(layout=None):
    """Return {path: text} of the generated files."""
    layout = layout or load_layout()
    return {
        FIRMWARE / "layout.h": layout_h(layout),
        FIRMWARE / "dispatch.c": dispatch_c(layout),
        FIRMWARE / "texts.h": texts_h(texts_of(str(PACKAGE))),
    }


def stale():
    """Return the generated files whose text is not what layout.py asks for."""
    return [
        path for path, text in generated().items() if not path.exists() or path.read_text() != text
    ]


def main(arguments):
    """Write the files that are out of date; with --check only name them, status 1 if any."""
    check = arguments == ["--check"]
    if arguments and not check:
        sys.exit("usage: python -m tflm_host.generate.gen_layout [--check]")
    texts = generated()
    outdated = stale()
    for path in outdated:
        if not check:
            path.write_text(texts[path])
        print(("out of date: " if check else "wrote ") + str(path.relative_to(ROOT)))
    return 1 if check and outdated else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
