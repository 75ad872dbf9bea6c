"""Firmware for some operators, services or prepared models alone has all that it imports."""

from functools import cache

from tflm_host.generate.rows import PACKAGE, rows
from tflm_host.generate.squeeze import GROUPS, SERVICES, imports, needed_paths
from tflm_host.generate.squeeze.merge import merge
from tflm_host.generate.squeeze.module import Module

FAMILIES = list(rows().families)
# Late imports that only models with an operator of one of these families reach.
OF_FAMILIES = {
    ("context.py", "resources.py"): {"circular", "resources", "signal"},
    ("graph.py", "periods.py"): {"circular"},
    ("lifetime.py", "control.py"): {"control"},
    ("resizing.py", "control.py"): {"control"},
    ("shapes.py", "ops/axes.py"): {"axes"},
}
# Those that no prepared model reaches: nodes of Python, refused operators, the plan's lines, which
# come after those of arena_report().
OF_PLAIN_MODELS = {
    ("interpreter.py", "registration.py"),
    ("op_resolver.py", "refusal.py"),
    ("printed.py", "lifetime.py"),
}


def selections():
    """Yield (families, services) as firmware may have them: each alone, and all without one."""
    for families in ([], FAMILIES, None):
        yield families, ()
        yield from ((families, (name,)) for name in SERVICES)
    for name in FAMILIES:
        yield [name], ()
        yield [other for other in FAMILIES if other != name], ()


@cache
def imports_of(path):
    return imports.imports(PACKAGE, path)


def may_be_missing(path, wanted, families):
    """Tell whether the late import of *wanted* in *path* is never reached with *families*."""
    if path.startswith("kernels/"):  # needed beside C kernels only as a package
        return True
    if families == [] and (path, wanted) in OF_PLAIN_MODELS:
        return True
    users = OF_FAMILIES.get((path, wanted))
    return users is not None and families is not None and users.isdisjoint(families)


def test_what_a_selection_imports_is_in_it():
    missing = set()
    for families, services in selections():
        kept = set(needed_paths(families=families, services=services))
        for path in kept:
            for found in imports_of(path):
                if found.path in kept or found.is_tried:
                    continue
                if not (found.is_late and may_be_missing(path, found.path, families)):
                    missing.add((path, found.path, str(families), services))
    assert missing == set()


def test_names_in_strings_are_modules_and_what_may_be_missing_is_still_imported():
    paths = needed_paths()
    known = {(path, found.path) for path in paths for found in imports_of(path)}
    assert {wanted for _, wanted in known} <= set(paths) | {"kernels/calls.py"}
    assert set(OF_FAMILIES) | OF_PLAIN_MODELS <= known
    named = {found.path for path in paths for found in imports_of(path) if found.is_tried}
    assert {"state.py", "profiler.py", "op_resolver.py"} <= named


def test_modules_of_a_group_without_its_own_stay_apart():
    """Else a module `loading` would be there without what loads."""
    texts = {"heap.py": "def free(): return 1", "shortage.py": "from .heap import free\nfree()"}
    modules = [Module(path, text, "box") for path, text in texts.items()]
    modules = {module.name: module for module in modules}
    merge(modules, GROUPS)
    assert set(modules) == {("heap",), ("shortage",)}
    assert "from .heap import free" in modules[("shortage",)].text(modules)
