"""The rows of all families, read without importing tflm, which may not work yet."""

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location

from ..places import MODULES

PACKAGE = MODULES / "tflm"
KEPT = 2  # columns of OPERATORS that a board needs: code, prepare
KERNEL_ROWS = "_kernels.py"  # end of the name of a file that has a family's rows of kernels


def rows(package=PACKAGE):
    """Return the Rows of *package*: see its ops/collect.py."""
    path = package / "ops" / "collect.py"
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Rows(str(package / "ops"))


def collected(tables):
    """Return the source of ops/collect.py as boards have it, from *tables* of Rows."""
    return "".join(f"{name} = {value!r}\n" for name, value in tables.items())


def is_kernel_rows(path):
    """Return whether *path*, below the package, is a file of KERNEL_ROWS: no module of a board."""
    return path.startswith("ops/") and path.endswith(KERNEL_ROWS)


def source_of(path):
    """Return the text of the module at *path*, a family's with the rows in its KERNEL_ROWS."""
    text, rows = path.read_text(), path.with_name(path.stem + KERNEL_ROWS)
    if path.parent.name != "ops" or not rows.exists():
        return text
    there = rows.read_text()
    tables = [part for part in ast.parse(there).body if isinstance(part, ast.Assign)]
    tables = "".join([ast.get_source_segment(there, table) + "\n" for table in tables])
    return re.sub(rf"^from \.{rows.stem} import .*\n", lambda _: tables, text, flags=re.MULTILINE)


def with_facts(text, found):
    """Return the source *text* of a family with the values of functions_of() and row_types()."""

    def value(call):
        names = re.findall(r"\w+", call[2])
        return repr(found.function_numbers(*names) if call[1] else found.types_of(*names))

    return re.sub(r'\b(?:(functions_of)|row_types)\((\s*"[\w", \n]+)\)', value, text)


def shortened(text):
    """Return the source *text* of a family with pairs in place of its rows."""
    short = text
    for node in ast.parse(text).body:
        name = getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""
        if name in ("OPERATORS", "KERNELS"):
            columns = _operator_columns if name == "OPERATORS" else _kernel_columns
            rows = (", ".join(map(ast.unparse, columns(row))) for row in node.value.elts)
            pairs = "".join(f"({row}), " for row in rows)
            short = short.replace(ast.get_source_segment(text, node), f"{name} = ({pairs})")
    return short


def _operator_columns(call):
    return call.args[:KEPT]


def _kernel_columns(call):
    """Return the part of a row of KERNELS for words_of(): its number and parameters' name."""
    return [call.args[0], *(word.value for word in call.keywords if word.arg == "record")]


def layout(package=PACKAGE):
    """Return {name: number or text} of the constants of layout.py."""
    values = {}
    for node in ast.parse((package / "base" / "layout.py").read_text()).body:
        if isinstance(node, ast.Assign):
            value = node.value
            value = value.args[0] if isinstance(value, ast.Call) else value  # const(...)
            values[node.targets[0].id] = ast.literal_eval(value)
    return values
