"""Stock firmware with the heap of smaller boards: what boards/heaps.csv and docs/ways.md say runs.

A heap class costs some ten seconds of processor time.
"""

import json
import shutil

import pytest

import tflm
from support.device.disks import ram_disk
from support.device.stock import ON_DEVICE, files_of, own_models, prepared, wrong_models
from tflm_host.certify.scripts import FOLDER, run_one, stock_package
from tflm_host.deploy.package import PACKAGES, build_package, package_files
from tflm_host.measure import small_heaps
from tflm_host.measure.small_heaps import ARCH, BOARD, HEAPS, ISA, MARGIN, WAYS, open_small
from tflm_host.places import ROOT
from tflm_host.targets.boards import KB
from tflm_host.targets.device import script
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import TargetError, open_target

pytestmark = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")

CLOSE = 0.02  # by which figures differ from the file's, as other changes do not measure again
INSTALLER = ROOT / "install" / "tflm_install.py"
DEVICE = ROOT / "tests_host" / "support" / "device"
DISK = ram_disk(0)  # no file takes heap
ON_BOARD = [("ram_disk.py", DISK.encode()), DEVICE / "outside_disk.py", INSTALLER]
SMALLEST, PLAIN = HEAPS[0], 416  # from PLAIN KB on, the whole package loads any model
SCRIPTS = "test_errors.py", "test_tensor.py"
INSTALLED = 87, 224, 416  # in less, the list of the disk in RAM splits the heap
SECONDS = 400
RUN = f"execfile('/rom/{INSTALLER.name}')"


def same(now, said, slack=0):
    return now is not None and abs(now - said) <= CLOSE * said + slack


@pytest.mark.parametrize("heap", HEAPS)
@pytest.mark.slow
def test_every_way_leaves_of_the_heap_what_the_table_says(heap):
    said = small_heaps.saved()
    for way in WAYS:
        now, row = small_heaps.measured(way, heap), said[way, heap]
        if row["taken"] is None:  # what fits by less than the margin is said not to run
            assert (now["left"] or 0) < MARGIN + CLOSE * heap * KB, (way, now)
            continue
        assert same(now["taken"], row["taken"]), (way, now, row)
        assert same(now["left"], row["left"], MARGIN), (way, now, row)  # its pieces are luck


def test_rooms_of_the_packages_are_those_of_the_table():
    for (way, _), row in small_heaps.saved().items():
        assert same(small_heaps.room(way), row["room"]), way


@pytest.mark.parametrize("heap", INSTALLED)
@pytest.mark.slow
def test_installer_and_models_in_a_small_heap(heap):
    """What it installs lies outside of the heap, as in a flash."""
    package = "package.json" if heap >= PLAIN else "prepared.json"
    folder = build_package(ARCH)
    needed = [package, *(source for _, source in sources(package))]
    files = [(f"packages/{ARCH}/{name}", (folder / name).read_bytes()) for name in needed]
    cases = own_models() if heap >= PLAIN else prepared(own_models(), ISA)
    with open_target(BOARD, [*files, *files_of(cases), *ON_BOARD]) as target:
        target.exec("import outside_disk")
        target.exec(f"{script('small_heap_device')}\nshrink({heap * KB})")
        target.exec(f"SOURCE, PACKAGE, TARGET = '/rom/packages', {package!r}, '/ram/lib'")
        if heap == SMALLEST:
            with pytest.raises(
                TargetError, match=r"no memory is left .*PACKAGE = 'prepared.json'"
            ):
                target.exec(RUN, SECONDS)
            return
        printed = target.exec(RUN, SECONDS)
        assert printed.splitlines()[-1] == f"tflm {tflm.__version__} in /ram/lib, kernels: c"
        assert printed.count("Installing: ") == len(needed) - 1
        target.exec(ON_DEVICE)
        assert wrong_models(target, cases, "c") == []
        assert target.exec("import tflm\nprint(tflm.__file__.startswith('/ram/lib/'))") == "True\n"


def sources(package):
    """Return (name, path below the folder of the architecture) of what *package* lists."""
    return json.loads((PACKAGES / ARCH / package).read_text())["urls"]


@pytest.mark.parametrize("heap", [heap for heap in HEAPS if heap != SMALLEST])
@pytest.mark.slow
def test_device_scripts_pass_in_a_small_heap(heap):
    paths = [FOLDER / name for name in SCRIPTS]
    small = f"{script('small_heap_device')}\nshrink({heap * KB})\n"
    with open_target(BOARD, [*small_heaps.model_files(), *stock_package(BOARD), *paths]) as target:
        exec_as_it_is = target.exec

        def in_small_heap(code, *rest):
            """Each script begins with a soft reset, which gives all heap back."""
            if exec_as_it_is("print('shrink' in globals())") == "False\n":
                exec_as_it_is(small)
            return exec_as_it_is(code, *rest)

        target.exec = in_small_heap
        outcomes = [run_one(target, path) for path in paths]
        total = int(target.exec("gc.collect()\nprint(gc.mem_free() + gc.mem_alloc())"))
        held = int(target.exec("print(sum(map(len, _held)))"))
    assert [one.output for one in outcomes if not one.ok] == []
    assert sum(one.passed for one in outcomes) >= 10
    assert total - held <= heap * KB


def test_prepared_package_refuses_a_plain_model_and_says_what_to_do():
    files = [("lib/" + name, data) for name, data in package_files(ARCH, "prepared.json")]
    with open_small(HEAPS[-1], [*files, *small_heaps.model_files()]) as target:
        target.exec("import tflm")
        with pytest.raises(TargetError, match="runs prepared models only: make one with tflm"):
            target.exec("tflm.Interpreter('/rom/plain.tflite')")


def test_prepared_package_is_a_part_of_the_whole_one():
    whole, part = (dict(package_files(ARCH, name)) for name in ("package.json", "prepared.json"))
    assert {*part} < {*whole}
    assert sum(map(len, part.values())) < sum(map(len, whole.values())) / 2
