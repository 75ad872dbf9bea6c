"""Kernels as WebAssembly: what a machine without all of the compiler's packages does."""

import pytest

from tflm_host.model import wasm
from tflm_host.model.native import BuildError


def build_where_clang_says(text, tmp_path, monkeypatch):
    clang = tmp_path / "clang"
    clang.write_text(f'#!/bin/sh\necho "{text}" >&2\nexit 1\n')
    clang.chmod(0o755)
    monkeypatch.setattr(wasm, "compiler", lambda: str(clang))
    return wasm.build()


def test_a_package_that_is_missing_leaves_the_kernels_out(tmp_path, monkeypatch):
    for text in (
        "bytes.h:5:10: fatal error: 'string.h' file not found",
        "wasm-ld-14: error: cannot open /usr/lib/wasi/libclang_rt.builtins-wasm32.a: No such file",
    ):
        assert build_where_clang_says(text, tmp_path, monkeypatch) is None


def test_a_kernel_that_does_not_compile_is_an_error(tmp_path, monkeypatch):
    with pytest.raises(BuildError, match="unknown type name"):
        build_where_clang_says("conv.c:3:1: error: unknown type name", tmp_path, monkeypatch)
