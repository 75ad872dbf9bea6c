"""layout.py and what is generated from it: layout.h, dispatch.c and the kernels that they name."""

import ctypes
import re
import subprocess

import pytest

import _tflm
from tflm import layout
from tflm_host.generate import gen_layout
from tflm_host.model import native

RECORDS = gen_layout.records(gen_layout.load_layout())


@pytest.fixture
def build(tmp_path):
    """Compile C units of firmware/tflm, and maybe a main program, into a file; return its path."""

    def compile_units(*units, main="", flags=()):
        output = tmp_path / "out"
        paths = [str(native.SOURCES / unit) for unit in units]
        if main:
            (tmp_path / "main.c").write_text(main)
            paths.append(str(tmp_path / "main.c"))
        command = [native.compiler(), "-std=c99", "-O1", f"-I{native.SOURCES}", *flags, *paths]
        subprocess.run([*command, "-o", str(output)], check=True)
        return output

    return compile_units


def test_generated_files_are_up_to_date():
    assert gen_layout.stale() == [], "run `make layout`"


def test_gen_layout_check_reports_stale_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gen_layout, "FIRMWARE", tmp_path)
    monkeypatch.setattr(gen_layout, "ROOT", tmp_path)
    assert gen_layout.main(["--check"]) == 1
    assert "layout.h" in capsys.readouterr().out
    assert not (tmp_path / "layout.h").exists()
    assert gen_layout.main([]) == 0
    assert gen_layout.main(["--check"]) == 0


def test_gen_layout_unknown_option_exits(capsys):
    with pytest.raises(SystemExit):
        gen_layout.main(["--force"])
    assert capsys.readouterr().out == ""


def test_layout_h_offset_of_every_field_is_its_index_in_words(build):
    lines = []
    for name, fields in RECORDS.items():
        for field in fields:
            plain = field.removesuffix("[]")
            lines.append(f'printf("%zu ", offsetof({name}, {plain}));')
    body = "\n".join(lines)
    main = f'#include <stdio.h>\n#include "layout.h"\nint main(void) {{\n{body}\nreturn 0;\n}}\n'
    output = subprocess.run([build(main=main)], capture_output=True, text=True, check=True).stdout
    expected = [layout.WORD * i for fields in RECORDS.values() for i in range(len(fields))]
    assert list(map(int, output.split())) == expected


def test_layout_records_only_last_parameter_is_an_array():
    for name, fields in RECORDS.items():
        assert not any(field.endswith("[]") for field in fields[:-1]), name
        assert len(set(fields)) == len(fields), name


def test_layout_kernels_each_has_one_c_definition():
    defined = re.compile(r"^void tflm_(\w+)\(", re.MULTILINE)
    found = []
    for path in (native.SOURCES / "kernels" / "portable").glob("*.c"):
        found += defined.findall(path.read_text())
    assert [found.count(kernel[0]) for kernel in layout.KERNELS] == [1] * len(layout.KERNELS)


def test_has_every_kernel_and_no_other():
    assert all(_tflm.has(i) for i in range(len(layout.KERNELS)))
    for index in (-1, len(layout.KERNELS), layout.NO_KERNEL, 2**31, 2**40):
        assert not _tflm.has(index)


def test_kernel_index_unknown_name_raises():
    assert layout.kernel_index(layout.KERNELS[3][0]) == 3
    with pytest.raises(ValueError, match="no_such_kernel"):
        layout.kernel_index("no_such_kernel")


def test_build_for_some_kernels_links_without_the_others(build):
    flags = ["-shared", "-fPIC", "-DTFLM_HAS_DEFAULT=0", "-DTFLM_HAS_COPY=1", "-Wl,-z,defs"]
    library = build("runner.c", "slices.c", "dispatch.c", "kernels/portable/move.c", flags=flags)
    has = ctypes.CDLL(str(library)).tflm_has
    has.restype = ctypes.c_bool
    names = [kernel[0] for i, kernel in enumerate(layout.KERNELS) if has(i)]
    assert names == ["copy"]


def test_kernel_variadic_with_other_inputs_is_refused():
    with pytest.raises(ValueError, match="first of two"):
        gen_layout.Kernel("odd", "tflm_copy_t", "bytes first, ... inputs -> bytes output")
