"""Firmware for some operators, services or prepared models alone has all that it imports."""

import os
import subprocess
import sys
from fnmatch import fnmatchcase
from functools import cache, partial

import _tflm
from support.models.control_models import counter
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain
from tflm_host.generate.frozen import kernels_of, users_of
from tflm_host.generate.picked import SELECTIONS
from tflm_host.generate.rows import PACKAGE, collected, rows, shortened, with_facts
from tflm_host.generate.squeeze import GROUPS, PARTS, SERVICES, imports, needed_paths
from tflm_host.generate.squeeze.merge import merge
from tflm_host.generate.squeeze.module import Module
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

INIT = "/__init__.py"
FAMILIES = list(rows().families)
# Late imports that only models with an operator of one of these families reach.
OF_FAMILIES = {
    ("load/context.py", "load/resources.py"): {"circular", "resources", "signal"},
    ("run/graph.py", "run/periods.py"): {"circular"},
    ("memory/lifetime.py", "file/control.py"): {"control"},
    ("extra/resizing.py", "file/control.py"): {"control"},
    ("extra/shapes.py", "ops/axes.py"): {"axes"},
}
# Those that no prepared model reaches: nodes of Python, refused operators, the plan's lines, which
# come after those of arena_report().
OF_PLAIN_MODELS = {
    ("interpreter.py", "load/registration.py"),
    ("interpreter.py", "load/open_shapes.py"),
    ("model.py", "load/open_shapes.py"),
    ("load/op_resolver.py", "load/refusal.py"),
    ("extra/printed.py", "memory/lifetime.py"),
    ("memory/allocator.py", "memory/spill.py"),
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
        folders = {os.path.dirname(path) + INIT for path in kept if "/" in path}
        assert folders <= kept
        for path in kept:
            for found in imports_of(path):
                if found.path in kept or found.is_tried or found.path.endswith(INIT):
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
    assert {"extra/state.py", "extra/profiler.py", "load/op_resolver.py"} <= named


def test_modules_of_a_group_without_its_own_stay_apart():
    """Else a module `loading` would be there without what loads."""
    texts = {"heap.py": "def free(): return 1", "shortage.py": "from .heap import free\nfree()"}
    modules = [Module(path, text, "box") for path, text in texts.items()]
    modules = {module.name: module for module in modules}
    merge(modules, GROUPS)
    assert set(modules) == {("heap",), ("shortage",)}
    assert "from .heap import free" in modules[("shortage",)].text(modules)


# An editable install finds all modules of the clone, whatever a folder lacks.
ALONE = """import sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in str(one).lower()]
"""


def ask(folder, script, *, models=(), **selection):
    """Run *script* with no module of tflm but those of a selection; return what it prints."""
    paths, found = needed_paths(**{"services": (), **selection}), rows()
    tables = found.tables([name for name in FAMILIES if f"ops/{name}.py" in paths])
    for path in paths:
        text = (PACKAGE / path).read_text()
        if path.startswith("ops/"):
            text = with_facts(shortened(text), found)
        if path == "ops/collect.py":
            text = collected(tables)
        (folder / "tflm" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tflm" / path).write_text(text)
    for i, model in enumerate(models):
        (folder / f"{i}.tflite").write_bytes(model)
    (folder / "script.py").write_text(f"{ALONE}import tflm\n{script}")
    places = [str(folder), str(ROOT / "host_tools")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    options = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "script.py"], check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


SAID = """
def said(function, *arguments, **options):
    try:
        print(function(*arguments, **options))
    except Exception as error:
        print(type(error).__name__, error)
"""


def test_prepared_models_alone_are_loaded_shown_and_refused(tmp_path):
    script = (
        SAID
        + """
said(tflm.Interpreter, "0.tflite", 0, prepared=True)
interp = tflm.Interpreter("0.tflite", prepared=True)
interp.invoke()
print(interp)
said(interp.arena_report)
said(tflm.Model("1.tflite").arena_required)
said(tflm.Interpreter, "1.tflite")
"""
    )
    models = prepare(chain(), _tflm.isa), chain()
    selected = {"families": [], "services": ("report",)}
    short, shown, report, *refused = ask(tmp_path, script, models=models, **selected)
    assert short.startswith("ArenaError arena for this model: ")
    assert shown.startswith("<Interpreter 0: ")
    assert "prepared models only does not show an arena: tflm arena does" in report
    only = "UnsupportedOpError this firmware runs prepared models only: make one with tflm prepare"
    assert refused == [only] * 2


def test_what_only_left_out_kernels_need_is_left_out_and_named(tmp_path):
    b = ModelBuilder()
    x = b.tensor([1, 4, 4, 2], "INT16", Quant(0.5, 0))
    weights = b.tensor([2, 1, 1, 2], "INT8", Quant(0.25, 0), bytes(4))
    bias = b.tensor([2], "INT64", Quant(0.125, 0), bytes(16))
    y = b.tensor([1, 4, 4, 2], "INT16", Quant(0.5, 0))
    b.op("CONV_2D", [x, weights, bias], [y])
    script = SAID + 'said(tflm.Interpreter, "0.tflite", measure=True)\n'
    script += 'print(tflm.Interpreter("1.tflite", measure=True))\n'
    script += 'said(tflm.Interpreter("1.tflite").arena_report)'
    small = chain()
    names = [name for name in SELECTIONS["int8"].split() if name != "row_group"]
    families = sorted({rows().kernel(name).family for name in names})
    selected = {"families": families, "kernels": names, "models": (b.build([x], [y]), small)}
    refused, shown, report = ask(tmp_path, script, **selected)[:3]
    assert refused.startswith("UnsupportedOpError this int16x8")
    assert (
        "(CONV_2D #0: no kernels for its types in this firmware; add what tflm ops MODEL"
        in refused
    )
    assert shown == "<Interpreter>"
    assert report.startswith("ImportError this firmware was built without tflm.report: name it in")


def test_parts_name_their_kernels():
    for name, patterns in PARTS.items():
        text = (PACKAGE / f"{name.replace('.', '/')}.py").read_text()
        said = {kernel.name for kernel in rows().kernels if f'"{kernel.name}"' in text}
        fitting = {one for one in said if any(map(partial(fnmatchcase, one), patterns.split()))}
        assert said == fitting, name


def test_prepared_models_of_some_kernels_have_control_flow_if_it_is_named():
    def kept(ops):
        found = rows()
        users, kernels = users_of(ops, found), kernels_of(ops, found)
        return set(needed_paths(families=[], services=(), kernels=kernels, users=users))

    assert {"file/control.py", "run/periods.py"} <= kept("prepared")
    assert {"file/control.py", "run/periods.py"}.isdisjoint(kept("prepared,copy"))
    assert "file/control.py" in kept("prepared,copy,control")
    assert "run/periods.py" in kept("prepared,copy,circular")


def test_control_flow_runs_or_is_named(tmp_path):
    data, script = prepare(counter(), _tflm.isa), 'tflm.Interpreter("0.tflite", prepared=True)'
    for name in ("resources", "elementwise"):
        (tmp_path / name).mkdir()
    run = f"interp = {script}\ninterp.invoke()\nprint(bytes(interp.outputs[0].data)[:1] != b'')"
    there = ask(tmp_path / "resources", run, families=["resources"], models=[data])
    assert there == ["True"]
    refused = SAID + f"said(lambda: {script})"
    (text,) = ask(tmp_path / "elementwise", refused, families=["elementwise"], models=[data])
    assert text == (
        "ModelError CALL_ONCE #0: this firmware lacks control flow: name control in TFLM_OPS"
    )


def test_slice_from_where_it_computes_is_refused_without_its_kernel(tmp_path):
    b = ModelBuilder()
    x, y = (b.tensor([n], "INT8", Quant(0.5, 0)) for n in (8, 4))
    begin = b.tensor([1], "INT32")
    size = b.tensor([1], "INT32", None, (4).to_bytes(4, "little"))
    b.op("SLICE", [x, begin, size], [y])
    model = b.build([x, begin], [y])
    script = SAID + 'said(tflm.Interpreter, "0.tflite")'
    (text,) = ask(tmp_path, script, families=["axes"], models=[model])
    assert text.startswith("UnsupportedOpError this int8 model needs operators")
    assert "SLICE int8 (node 0) (SLICE #0: name slice_at in TFLM_OPS, as begin" in text
