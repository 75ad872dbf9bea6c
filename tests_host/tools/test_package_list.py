"""pyproject.toml lists every package and every C file: the wheel has what the clone has."""

import ast

from tflm_host.places import ROOT

PROJECT = (ROOT / "pyproject.toml").read_text()


def listed(name):
    """Return the list that stands at *name* in pyproject.toml."""
    start = PROJECT.index("[", PROJECT.index(f"\n{name} = ["))
    return ast.literal_eval(PROJECT[start : PROJECT.index("]\n", start) + 1])


def test_every_package_is_listed():
    folders = [path.parent for path in (ROOT / "host_tools").rglob("__init__.py")]
    names = {".".join(path.relative_to(ROOT / "host_tools").parts) for path in folders}
    folders = [path.parent for path in (ROOT / "mp_modules").rglob("__init__.py")]
    names |= {".".join(path.relative_to(ROOT / "mp_modules").parts) for path in folders}
    data = {name for name in listed("packages") if name.endswith(("_data", ".firmware"))}
    assert set(listed("packages")) == names | data


def test_every_c_file_of_the_module_is_listed():
    firmware = ROOT / "firmware/tflm"
    patterns = listed('"tflm_host.firmware"')
    assert set(firmware.rglob("*.[ch]")) <= {
        path for one in patterns for path in firmware.glob(one)
    }
