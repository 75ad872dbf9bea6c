"""What is generated of layout.py and the families' rows, and the kernels that these name."""

import ctypes
import re
import subprocess
from copy import copy

import pytest

import _tflm
from tflm.base import layout
from tflm.extra import shapes
from tflm.ops import conv
from tflm.ops.collect import SHAPE_RULES, Rows, rows
from tflm.ops.index import kernel_index, kernel_names
from tflm_host import generate
from tflm_host.generate.c_files import Prototype, record_type
from tflm_host.generate.operators import text_of
from tflm_host.model import from_uint8, native
from tflm_host.places import MODULES
from tflm_host.prepare import stream_layers

RECORDS = {record_type(name): fields for name, fields in rows().records.items()}


@pytest.fixture
def build(tmp_path):
    """Compile C units of firmware/tflm, and maybe a main program, into a file; return its path."""

    def compile_units(*units, main="", flags=()):
        output = tmp_path / "out"
        paths = [str(native.SOURCES / unit) for unit in units]
        if main:
            (tmp_path / "main.c").write_text(main)
            paths.append(str(tmp_path / "main.c"))
        command = [native.compiler(), "-std=c99", "-O1", *native.include_flags(), *flags, *paths]
        subprocess.run([*command, "-o", str(output)], check=True)
        return output

    return compile_units


def test_layout_h_offset_of_every_field_is_its_index_in_words(build):
    lines = []
    for name, fields in RECORDS.items():
        for field in fields:
            plain = field.removesuffix("[]")
            lines.append(f'printf("%zu ", offsetof({name}, {plain}));')
    body = "\n".join(lines)
    includes = '#include <stdio.h>\n#include "generated/layout.h"\n'
    main = f"{includes}int main(void) {{\n{body}\nreturn 0;\n}}\n"
    output = subprocess.run([build(main=main)], capture_output=True, text=True, check=True).stdout
    expected = [layout.WORD * i for fields in RECORDS.values() for i in range(len(fields))]
    assert list(map(int, output.split())) == expected


def test_layout_records_only_last_parameter_is_an_array():
    for name, fields in RECORDS.items():
        assert not any(field.endswith("[]") for field in fields[:-1]), name
        assert len(set(fields)) == len(fields), name


def test_words_that_c_fills_in_have_the_names_that_python_reads_them_by():
    (fields,) = rows().structs.values()
    words = generate.c_files.words_of_struct(fields, rows().records)
    source = (MODULES / "tflm" / "ops" / "conv.py").read_text()
    _, block = source.split("# Words of CONVOLUTION in STRUCTS")
    read = re.findall(r"^_(\w+) = const\((\d+)\)", block.split("\n\n")[0], re.MULTILINE)
    assert len(read) == 9
    assert [(name, words[int(i)].upper()) for name, i in read] == [(n, n) for n, _ in read]
    assert len(conv._NO_WORDS) == layout.WORD * len(words)


def test_layout_kernels_each_has_one_c_definition():
    defined = re.compile(r"^void tflm_(\w+)\(", re.MULTILINE)
    found = []
    portable = (native.SOURCES / "kernels" / "portable").glob("*.c")
    for path in (*portable, native.SOURCES / "groups.c"):
        found += defined.findall(text_of(path))
    assert [found.count(name) for name in kernel_names()] == [1] * len(kernel_names())


def test_form_of_every_kernel_and_of_no_other():
    assert [_tflm.form(kernel.number) for kernel in rows().kernels] == [
        kernel.form for kernel in rows().kernels
    ]
    for index in (-1, len(kernel_names()), layout.NO_KERNEL, 2**31, 2**40):
        assert _tflm.form(index) == 0


def test_kernel_index_unknown_name_raises():
    assert kernel_index(kernel_names()[3]) == 3
    with pytest.raises(ValueError, match="no_such_kernel"):
        kernel_index("no_such_kernel")


def test_build_for_some_kernels_links_without_the_others(build):
    flags = ["-shared", "-fPIC", "-DTFLM_HAS_DEFAULT=0", "-DTFLM_HAS_COPY=1", "-Wl,-z,defs"]
    files = (
        "runner.c",
        "slices.c",
        "dispatch.c",
        "kernels/common/bytes.c",
        "kernels/portable/move.c",
    )
    library = build(*files, flags=flags)
    form = ctypes.CDLL(str(library)).tflm_form
    names = [name for i, name in enumerate(kernel_names()) if form(i)]
    assert names == ["copy"]


def replaced(kernel, arguments):
    """Return *kernel* with other arguments."""
    other = copy(kernel)
    other.arguments = arguments
    return other


def test_kernel_variadic_with_other_inputs_is_refused():
    with pytest.raises(ValueError, match="one of two"):
        Prototype(replaced(rows().kernel("copy"), "bytes first, ... inputs -> bytes output"))


FAMILY = """
RECORDS = {{"{record}": ("size",)}}
KERNELS = (kernel({number}, "{kernel}", record="{record}", arguments="s8 input -> s8 output"),)


def _prepare(context, node):
    pass


OPERATORS = (
    operator(
        {code},
        _prepare,
        "ABS",
        version=1,
        traits="channelwise",
        types="int8",
        shape="same",
        rows="each",
        uint8="no",
    ),
)
"""


@pytest.fixture
def families(tmp_path):
    """Write families of one kernel and one operator each; return the Rows of all."""

    def rows_of(**facts):
        for name, (number, kernel, record, code) in facts.items():
            text = FAMILY.format(number=number, kernel=kernel, record=record, code=code)
            (tmp_path / f"{name}.py").write_text(text)
        return Rows(str(tmp_path))

    return rows_of


def test_rows_of_two_records_with_equal_fields_stay_two(families):
    found = families(first=(0, "abs_s8", "ABS", 1), second=(1, "neg_s8", "NEG", 2))
    assert found.records == {"ABS": ("size",), "NEG": ("size",)}
    text = generate.c_files.layout_h(generate.layout(), found)
    assert "void tflm_abs_s8(const tflm_abs_t *params" in text
    assert "void tflm_neg_s8(const tflm_neg_t *params" in text
    assert found.kernels[0].form != found.kernels[1].form


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ((0, "neg_s8", "NEG", 2), "kernel number 0 is abs_s8's and neg_s8's; 1 is free"),
        ((2, "neg_s8", "NEG", 2), "no kernel has the number 1, the next free one"),
        ((1, "neg_s8", "ABS", 2), "record ABS is there twice"),
        ((1, "neg_s8", "NEG", 1), "operator 1 is there twice"),
    ],
)
def test_rows_that_claim_the_same_are_refused(families, second, message):
    with pytest.raises(ValueError, match=message):
        families(first=(0, "abs_s8", "ABS", 1), second=second)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('{"ABS"', '{"NEG"', "first: kernel abs_s8 has no record ABS"),
        ('("size",)', "()", "first: record ABS has no parameter"),
        ("(kernel(0,", "(kernel(None,", "first: kernel abs_s8 has the number None"),
        ('output"),)', 'output", traits="nativ"),)', "first: kernel abs_s8 has the trait 'nativ'"),
        ('record="ABS", ', "", "first, kernel .*'abs_s8'.*record"),
        ("arguments=", "arguments_=", "first, kernel .*'abs_s8'.*arguments_"),
        (
            "KERNELS = (kernel",
            "KERNELS = (0, kernel",
            r"first: the row 0 is no call of kernel\(\)",
        ),
        ("OPERATORS = (", "OPERATORS = ((1,),", "first: .*is no call of operator"),
        ("        1,", "        None,", "first: operator ABS has the code None"),
        ("        1,", "        256,", "first: operator ABS has the code 256"),
        ("version=1", "version=0", "first: operator ABS has version 0"),
        ("version=1,", "", "first, operator .*'ABS'.*version"),
        ("types=", "kinds=", "first, operator .*'ABS'.*kinds"),
        ('shape="same",', "", "first: operator ABS has the shape None, not one of none, fixed"),
        ('"same"', '"sane"', "first: operator ABS has the shape 'sane'"),
        ('rows="each",', "", "first: operator ABS has rows None, not one of each, window"),
        ('uint8="no",', "", "first: operator ABS has uint8 None, not one of alike"),
        ("traits=", "fields=", "first: operator ABS has a field of type '', not one of"),
        ('"channelwise"', '"channels"', "first: operator ABS has the trait 'channels'"),
    ],
)
def test_rows_that_are_wrong_are_refused_by_name(tmp_path, old, new, message):
    text = FAMILY.format(number=0, kernel="abs_s8", record="ABS", code=1)
    assert old in text
    (tmp_path / "first.py").write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=message):
        Rows(str(tmp_path))


def test_rows_of_kernels_in_a_file_of_their_own_are_those_of_the_family(tmp_path):
    text = FAMILY.format(number=0, kernel="abs_s8", record="ABS", code=1)
    (tmp_path / "first.py").write_text(text)
    together = Rows(str(tmp_path))
    start, end = text.index("RECORDS = "), text.index("OPERATORS = ")
    (tmp_path / "first_kernels.py").write_text(text[start:end])
    with pytest.raises(ValueError, match="first_kernels.py both have RECORDS"):
        Rows(str(tmp_path))
    (tmp_path / "first.py").write_text(text[:start] + text[end:])
    apart = Rows(str(tmp_path))
    assert apart.tables() == together.tables()
    assert [row.fields for row in apart.kernels] == [("size",)]


@pytest.mark.parametrize(
    ("fields", "functions", "message"),
    [
        ('("size",)', '"ABS:0"', "ABS: ABS has no parameter called function"),
        ('("function",)', '"OTHER:0"', "ABS: OTHER has no parameter called function"),
        ('("function",)', '"ABS:1"', r"ABS: their numbers in ABS are \[1\]"),
    ],
)
def test_numbers_of_functions_that_are_wrong_are_refused_by_name(
    tmp_path, fields, functions, message
):
    text = FAMILY.format(number=0, kernel="abs_s8", record="ABS", code=1)
    text = text.replace('("size",)', fields).replace(
        "version=1", f"version=1, functions={functions}"
    )
    (tmp_path / "first.py").write_text(text)
    with pytest.raises(ValueError, match=message):
        Rows(str(tmp_path))


def test_numbers_of_functions_are_one_list_for_python_and_c():
    text = generate.c_files.layout_h(generate.layout(), rows())
    for record in rows().functions:
        named = re.findall(rf"^    TFLM_{record}_(\w+),$", text, re.MULTILINE)
        numbers = rows().function_numbers(record)
        assert [rows().operators[code].name for code in numbers] == named
        assert [*numbers.values()] == [*range(len(named))]


def test_headers_are_written_once(tmp_path):
    generate.write_headers(tmp_path)
    path = tmp_path / "generated" / "layout.h"
    before = path.stat().st_mtime_ns
    generate.write_headers(tmp_path)
    assert path.stat().st_mtime_ns == before


def test_rules_of_shapes_are_those_that_rows_name():
    rules = [rule.__name__ for rule in shapes._RULES if rule]
    assert rules == ["_" + name for name in SHAPE_RULES[len(SHAPE_RULES) - len(rules) :]]
    assert {row.shape for row in rows().operators.values()} == {*SHAPE_RULES}


def test_rules_of_the_tools_are_those_that_rows_name():
    found = rows().operators
    windows = {code for code, row in found.items() if row.rows == "window"}
    assert windows == {*stream_layers.WINDOWS}
    own = {row.code for row in found.values() if row.uint8 == "own"}
    rules = {*from_uint8.FILTERS, from_uint8.AVERAGE_POOL, from_uint8.RESIZE_BILINEAR}
    assert own == {*rules, from_uint8.DETECTION.decode()}
