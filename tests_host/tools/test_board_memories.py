"""`tflm arena --board`: what lies in the heap, and what in another memory of the board."""

import json
import re

import pytest
from click.testing import CliRunner

from support.models.small_models import two_wide
from support.nets.two_memories import in_two
from tflm import ArenaError
from tflm_host.__main__ import main
from tflm_host.prepare import prepare
from tflm_host.report.arena_page import html
from tflm_host.report.arena_report import measure
from tflm_host.report.board_memories import placed
from tflm_host.targets.boards import all_board_names, board_facts, load_board
from tflm_host.targets.isa import isa_of

WITH_MEMORIES = [name for name in all_board_names() if load_board(name).memories]
SMALL = 1024  # bytes of tensors that fit everywhere


@pytest.fixture
def path(tmp_path):
    return tmp_path / "two_wide.tflite"


def arena(path, *options):
    """Return exit status and the lines after that of the arena."""
    done = CliRunner().invoke(main, ["arena", str(path), *options])
    assert not done.stderr
    return done.exit_code, done.stdout.rpartition("\narena: ")[2].splitlines()[1:]


def half_too_wide(name):
    """Return a width at which one of two tensors fits into the heap of the board, not both."""
    return load_board(name).free_heap * 6 // 10 & -16


def test_boards_that_name_their_memories():
    assert WITH_MEMORIES == ["MPS2_AN386", "NUCLEO_H743ZI", "PYBV11", "STM32F4DISC"]
    for name in WITH_MEMORIES:
        for memory in load_board(name).memories:
            assert memory.start % 16 == 0
            assert memory.nbytes > 0
            assert memory.name
            assert memory.source
    assert load_board("MPS2_AN386-ops").memories == load_board("MPS2_AN386").memories


@pytest.mark.parametrize("board", WITH_MEMORIES)
def test_small_model_is_in_the_heap(path, board):
    path.write_bytes(two_wide(SMALL))
    status, (line, *_) = arena(path, "--board", board)
    assert status == 0
    assert line.startswith(f"memory of {board}: heap 2,")
    assert placed(measure(path), board, "overlap").names() == "heap"


@pytest.mark.parametrize("board", WITH_MEMORIES)
def test_model_beyond_the_heap_is_divided_and_the_bytes_do(path, board):
    width = min(half_too_wide(board), 60_000 if load_board(board).free_heap < 1 << 17 else 1 << 30)
    path.write_bytes(two_wide(width))
    status, lines = arena(path, "--board", board)
    other = load_board(board).memories[0]
    assert status == 0
    assert lines[0].startswith(f"memory of {board}: heap ")
    assert f", {other.name} at {other.start:#010x} " in lines[0]
    done = CliRunner().invoke(main, ["arena", str(path), "--board", board, "--json"])
    facts = json.loads(done.stdout)
    first, second = facts["memories"]
    assert (first["name"], second["name"], second["start"]) == ("heap", other.name, other.start)
    assert facts["fits_in_memories"]
    assert not facts["boards"][board]  # which counts the heap alone
    made = f"tflm.Arena({first['bytes']}, tail=bytearray_at({other.start:#x}, {second['bytes']}))"
    assert made == facts["in_a_program"]
    assert lines[1] == f"from uctypes import bytearray_at; arena = {made}"
    assert lines[2:] == ([f"{other.name} is free {other.condition}"] if other.condition else [])
    need = first["bytes"], second["bytes"]
    assert in_two(path.read_bytes(), need).arena.used_in_each() == need
    with pytest.raises(ArenaError):
        in_two(path.read_bytes(), (need[0], need[1] - 16))


def page_of(path):
    return html(measure(path), [], board_facts())


def test_page_names_the_other_memories_of_boards_that_lack_only_heap(path):
    path.write_bytes(two_wide(half_too_wide("PYBV11")))
    (told,) = re.findall("another memory beside the heap: (.*?)[.] ", page_of(path))
    assert told == "pyboard v1.1 CCM; ST STM32F4DISCOVERY CCM"
    path.write_bytes(two_wide(half_too_wide("PYBV11")) + bytes(600_000))
    assert '<b class="no">Does not fit</b>' in page_of(path)
    assert "another memory" not in page_of(path)
    path.write_bytes(two_wide(SMALL))
    assert "another memory" not in page_of(path)


def test_tensor_beyond_the_heap_is_in_the_other_memory(path):
    path.write_bytes(two_wide(3 << 20))
    found = placed(measure(path), "MPS2_AN386", "overlap")
    assert found.fits
    assert found.names() == "heap and PSRAM"
    assert found.need[1] >= 6 << 20


def test_prepared_model_lies_whole_where_it_has_room(path):
    path.write_bytes(prepare(two_wide(600_000), isa_of("MPS2_AN386"), by_rows=False))
    found = placed(measure(path), "MPS2_AN386", "overlap")
    assert found.fits
    assert found.names() == "PSRAM"
    assert found.in_heap == 0
    assert found.in_a_program() == f"tflm.Arena(bytearray_at(0x21800000, {found.need[0]}))"
    assert arena(path, "--board", "MPS2_AN386")[0] == 0


def test_board_whose_memories_are_too_small_says_the_bytes_of_each(path):
    path.write_bytes(two_wide(100_000))
    status, (line, *_) = arena(path, "--board", "PYBV11")
    found = placed(measure(path), "PYBV11", "overlap")
    heap, ccm = found.memories
    near, far = found.need
    assert status == 1
    assert not found.fits
    assert 0 < near <= heap.nbytes
    here = f"heap {near:,} of {heap.nbytes:,}, CCM at 0x10000000 {far:,} but it has 65,536"
    assert line == f"memory of PYBV11: {here}: {far - 65_536:,} are missing"


def test_board_with_one_memory_says_so_where_that_is_too_small(path):
    path.write_bytes(two_wide(SMALL))
    assert arena(path, "--board", "RPI_PICO") == (0, [])
    path.write_bytes(two_wide(200_000))
    need = measure(path).arena_bytes
    (memory,) = placed(measure(path), "RPI_PICO", "overlap").memories
    status, lines = arena(path, "--board", "RPI_PICO")
    assert status == 1
    missing = f"{memory.nbytes:,}: {need - memory.nbytes:,} are missing"
    assert lines == [f"RPI_PICO has one memory: heap {need:,} but it has {missing}"]


def test_boards_that_need_a_second_memory_are_named(path):
    for width, boards in ((250_000, "NUCLEO_H743ZI"), (50_000, "PYBV11, STM32F4DISC")):
        path.write_bytes(two_wide(width))
        done = CliRunner().invoke(main, ["arena", str(path)])
        assert done.exit_code == 0
        assert f"\nwith a second memory it fits on {boards}; --board says how\n" in done.stdout
    kept = CliRunner().invoke(main, ["arena", str(path), "--preserve-intermediates"])
    assert "with a second memory" not in kept.stdout  # no board divides it


def test_bytes_of_memory_are_used_in_place_of_those_of_the_board(path):
    path.write_bytes(two_wide(SMALL))
    status, (line,) = arena(path, "--board", "MPS2_AN386", "--memory", "64K,64K")
    assert status == 0
    assert line.startswith("two memories: first 2,")
