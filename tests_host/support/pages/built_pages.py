"""The web pages that run models, as `make site` writes them."""

import shutil

import pytest

from tflm_host.cli import site
from tflm_host.model import wasm


def built(path):
    """Build the web pages and return *path*, one that runs models; skip where nothing can."""
    if shutil.which("npm") is None or wasm.compiler() is None:
        pytest.skip("no npm, or no clang with wasm-ld: nothing here builds the page")
    site.main()
    if not path.exists():
        pytest.skip("no wasi-libc: nothing here compiles the kernels to WebAssembly")
    return path
