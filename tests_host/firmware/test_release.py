"""`make release`: two builds are the same bytes, and every file is in the list of sums."""

import json
import shutil
import subprocess
import zipfile

import pytest

from tflm_host.cli import release as module
from tflm_host.cli.release import PARTS, changes, release, sbom
from tflm_host.deploy import package
from tflm_host.deploy.index import write_index
from tflm_host.model import wasm
from tflm_host.places import BUILD
from tflm_host.targets.boards import load_board, rp2_board_names, stm32_board_names

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

ARCHES = ("armv6m",)  # whose packages are built twice
WHEEL = "tflm_host-0.2.0-py3-none-any.whl"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.long
def test_two_releases_are_the_same_bytes_and_have_their_sums(tmp_path, monkeypatch):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: nothing here builds the page")
    monkeypatch.setattr(package, "ARCHES", ARCHES)
    monkeypatch.setattr(module, "write_index", lambda folder: write_index(folder, ARCHES))
    parts = [part for part in PARTS if part != "firmware"]
    names = release(parts, tmp_path / "first")
    for built in (f"package/{ARCHES[0]}", "site", "docs"):
        shutil.rmtree(BUILD / built)
    release(parts, tmp_path / "second")
    first, second = contents(tmp_path / "first"), contents(tmp_path / "second")
    assert first == second
    assert set(first) == {*names, "SHA256SUMS"}
    assert [name for name in names if name.endswith(".whl")] == [
        WHEEL,
        "tflm_stubs-0.2.0-py3-none-any.whl",
    ]
    assert {"site/arena/index.html", "site/docs/index.html"} <= {*names}
    assert any(name.startswith("mip/file/") for name in names)
    if wasm.compiler() is not None:
        with zipfile.ZipFile(tmp_path / "first" / WHEEL) as wheel:
            assert "tflm_host/firmware/kernels.wasm" in wheel.namelist()
        assert {f"site/{name}/index.html" for name in ("run", "repl", "board")} <= set(names)
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=tmp_path / "first", check=True)


def test_bill_of_materials_names_what_others_made_with_its_version():
    found = {part["name"]: part for part in sbom()["components"]}
    assert found["MicroPython"]["version"] == "1.25.0"
    assert found["pico-sdk"]["purl"] == "pkg:github/raspberrypi/pico-sdk@2.1.1"
    assert found["TinyUSB"]["version"] == "0.18.0"
    assert found["rp2040js"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert found["numpy"]["purl"].startswith("pkg:pypi/numpy@")
    lines = (module.ROOT / "pyproject.toml").read_text().split("dependencies = [")[1]
    assert all(f'"{name}>=' in lines for name in ("click", "rich", "mpremote"))
    assert {"click", "rich", "mpremote", "pyserial", "flatbuffers"} <= set(found)
    assert json.dumps(sbom()) == json.dumps(sbom())


def test_changes_are_those_of_this_version():
    assert changes().startswith("## 0.2.0")
    assert changes().count("\n## ") == 0


@pytest.mark.parametrize("checkout", ["", "a checkout"])
def test_firmware_is_of_boards_that_people_buy(tmp_path, monkeypatch, checkout):
    built = tmp_path / "build"
    monkeypatch.setenv("MICROPYTHON_DIR", checkout)
    monkeypatch.setattr(module, "build", lambda _: None)

    def path(board):
        (built / board).mkdir(parents=True, exist_ok=True)
        for suffix in ("elf", "uf2", "hex", "dfu"):
            (built / board / f"firmware.{suffix}").write_text(suffix)
        return built / board / "firmware.elf"

    monkeypatch.setattr(module, "program_path", path)
    names = release(["firmware"], tmp_path / "dist")
    picos = [f"firmware/{name}.uf2" for name in ("RPI_PICO", "RPI_PICO2", "RPI_PICO2_RISCV")]
    nucleo = [f"firmware/NUCLEO_F446RE.{suffix}" for suffix in ("dfu", "hex")]
    expected = {*picos, *nucleo, "firmware/RPI_PICO_W.uf2"} if checkout else {*picos}
    found = {name for name in names if name.startswith("firmware/")}
    assert expected <= found if checkout else expected == found
    assert not [name for name in found if "MPS2" in name or "QEMU" in name]
    text = (tmp_path / "dist" / "README.md").read_text()
    assert all(f"| `{name.removeprefix('firmware/')}` |" in text for name in found)
    assert "{{" not in text


def test_board_that_people_buy_has_a_folder_and_a_name():
    known = {*rp2_board_names(), *stm32_board_names()}
    real = None, "rp2040js", "unicorn"  # firmware of a board that people have
    emulated = {name for name in known if load_board(name).machine not in real}
    assert set(module.SOLD) == known - emulated


def test_models_and_examples_are_there_to_try(tmp_path):
    names = release(["models"], tmp_path / "dist")
    assert {"models/digits_cnn.tflite", "models/digits_cnn.json", "examples/digits.py"} <= {*names}
    for example, needs in (
        ("gesture", ("models/keras/knocks.tflite", "examples/moves.csv")),
        ("activity", ("models/numpy/activity.tflite", "examples/activity.csv")),
        ("balloons", ("examples/balloons.rgb565",)),
    ):
        assert {f"examples/{example}.py", *needs} <= {*names}
    assert {"README.md", "LICENSE", "CHANGELOG.md", "sbom.json"} <= {*names}


def test_documentation_lies_beside_the_page_that_it_names(tmp_path, monkeypatch):
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "index.html").write_text("../arena/index.html")
    monkeypatch.setattr(module.docs, "main", lambda: None)
    monkeypatch.setattr(module.docs, "SITE", tmp_path / "built")
    assert "site/docs/index.html" in release(["docs"], tmp_path / "dist")
