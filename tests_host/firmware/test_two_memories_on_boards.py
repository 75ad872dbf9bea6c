"""Two memories on an emulated board whose second RAM is PSRAM: bytes and numbers of the PC."""

import csv
import random
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from support.nets import control_nets, memory_graphs, one_op_models
from support.nets.two_memories import answers, in_two, needs
from tflm import ArenaError, Interpreter, Model, ModelError
from tflm_host.model.tensor_io import random_tensor
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.isa import isa_of
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError
from tflm_host.targets.run import Job, batches, run_jobs

BOARD = "MPS2_AN386"
DRIVER = Path(__file__).parents[1] / "support/device/two_memories_device.py"
ROOM = 3 << 20  # bytes of models on the board at once
AT_ONCE = 25  # Ways; a new board for the next ones
HEAP = 700_000  # of the board for the first memory
RUNS = 2
SECONDS = 3000
RANDOM, OTHERS = 300, 20
NOTHING = -1, -1  # in place of an error's figures: this memory has no 16 bytes to lose


@dataclass
class Way:
    """A model with *need* bytes in each memory, its inputs and outputs, and errors in less."""

    name: str
    model: bytes
    vectors: bytes
    prepared: bool
    is_whole: bool  # no tensor had to move to the second memory
    need: tuple
    short: tuple  # of each memory: bytes requested and available as the error says, 0 0 for none

    def size(self):
        return len(self.model) + len(self.vectors)

    def facts(self):
        return RUNS, self.prepared, *self.need, *self.short


def fed_and_answered(model, seed):
    """Return inputs and outputs of *RUNS* runs on the PC in one memory, joined."""
    interp = Interpreter(model)
    rng = np.random.default_rng(seed)
    graph = Model(model).subgraphs[0]
    runs = [[random_tensor(graph.tensor(i), rng) for i in graph.inputs] for _ in range(RUNS)]
    return b"".join(b"".join([*fed, *answers(interp, fed)]) for fed in runs)


def refusals(model, need, **options):
    """Return what errors say on the PC with 16 bytes less of each memory: see Way.short."""
    found = ()
    for which in range(2):
        less = [nbytes - 16 * (i == which) for i, nbytes in enumerate(need)]
        if min(less) < 0:
            found += NOTHING
            continue
        try:
            in_two(model, less, **options)
        except ArenaError as error:
            found += error.requested, error.available
        else:
            found += 0, 0
    return found


def ways(name, model, seed):
    """Yield the Ways of *model*: all in the first memory, some of it, and prepared for BOARD."""
    vectors = fed_and_answered(model, seed)
    whole = needs(model)
    firsts = {whole[0], whole[0] // 2 & -16, 0 if seed % 8 == 0 else whole[0]}
    for first in sorted(firsts, reverse=True):
        need = needs(model, first)
        assert need[0] <= first
        facts = False, need == whole, need, refusals(model, need)
        yield Way(f"{name} {need}", model, vectors, *facts)
    for prepared in prepared_ways(model):
        need = needs(prepared, prepared=True)
        short = ()
        for nbytes in need:  # no board divides a prepared plan
            short += (nbytes, nbytes - 16) if nbytes else NOTHING
        yield Way(f"{name} {need} prepared", prepared, vectors, True, True, need, short)


def prepared_ways(model):
    """Return *model* prepared for BOARD, in one memory and divided; [] where it cannot be."""
    try:
        whole = prepare(model, isa_of(BOARD))
    except ModelError:
        return []
    first, _ = needs(whole, prepared=True)
    divided = prepare(model, isa_of(BOARD), first_memory=first // 2)
    return [whole, divided] if divided != whole else [whole]


def pack(batch):
    """Return one file of the Ways *batch*, as two_memories_device.check() takes it."""
    body, index, places = bytearray(), [], {}
    start = 4 + struct.calcsize("<11i") * len(batch)
    for way in batch:
        for data in (way.model, way.vectors):
            if data not in places:
                body += bytes(-(start + len(body)) % 16)
                places[data] = start + len(body)
                body += data
        row = places[way.model], len(way.model), places[way.vectors], *way.facts()
        index += row
    return struct.pack(f"<{1 + len(index)}i", len(batch), *index) + body


def failures(all_ways):
    """Run all on the board; return a line for each that is not as on the PC."""
    lines = []
    for batch in batches(all_ways, ROOM, Way.size, AT_ONCE):
        with open_target(BOARD, models=[("batch", pack(batch))]) as device:
            device.exec(DRIVER.read_text())
            printed = device.exec(f"check({device.path('batch')!r})", SECONDS).splitlines()
        assert printed[-1] == f"= {len(batch)}"
        said = (line.split(" ", 2)[1:] for line in printed[:-1])
        lines += [f"{batch[int(i)].name}: {what}" for i, what in said]
    return lines


def assert_that_less_raises(found):
    """Of the second memory always; of the first unless more tensors can move to the second."""
    for way in found:
        first, second = (way.short[i] - way.short[i + 1] for i in (0, 2))
        assert second in ((16,) if way.need[1] else (0,)), way.name
        if way.need[0] and (way.prepared or way.is_whole):
            assert first >= 16, way.name


def random_model(number):
    """Return (name, model) of random model *number*: half of them plan much, others do much."""
    if number % 2:
        return f"graph {number}", memory_graphs.graph(number)
    case = (control_nets.case if number % 4 else one_op_models.case)(number // 2)
    return case.name, case.model


def random_ways(numbers):
    return [way for number in numbers for way in ways(*random_model(number), number)]


def models_of_others(zoo):
    """Return paths of OTHERS models that the board's heap holds, of as many repositories."""
    with (zoo / "zoo.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["whole"] == "1" and row["tflm"] == "ok"]
    chosen = {}
    for row in sorted(rows, key=lambda row: (int(row["bytes"]), row["file"])):
        path = zoo / "models" / row["file"]
        if row["source"] not in chosen and needs(str(path))[0] < HEAP:
            chosen[row["source"]] = path
    return list(chosen.values())[-OTHERS:]


def test_a_few_models_count_and_answer_in_two_memories_as_on_the_pc():
    digits = (ROOT / "models/digits_cnn.tflite").read_bytes()
    found = random_ways(random.Random("two memories").sample(range(RANDOM), 6))
    found += ways("digits_cnn", digits, 0)
    assert len([way for way in found if way.prepared and all(way.need)]) >= 4
    assert_that_less_raises(found)
    assert failures(found) == []


def test_interpreter_of_a_divided_model_takes_both_memories_from_the_heap():
    digits, fed = (ROOT / "models/digits_cnn.tflite").read_bytes(), [[bytes(range(64))]]
    divided = prepare(digits, isa_of(BOARD), first_memory=240)
    (there,) = run_jobs(BOARD, [Job("divided", divided, fed, prepared=True)])
    assert there.error is None
    assert there.outputs == [answers(Interpreter(digits), fed[0])]
    need = needs(divided, prepared=True)
    assert there.arena_used_bytes == sum(need)
    assert all(need)


def test_board_of_64_bits_refuses_a_table_beyond_all_tagged_offsets():
    with open_target("unix") as device:
        for table in (1 << 30, 1 << 32, 1 << 40):
            with pytest.raises(ExecError, match="ValueError: table"):
                device.exec(f"import _tflm\n_tflm.Graph(bytearray(64), b'', {table}, 0)")
        device.exec("_tflm.Graph(bytearray(64), b'', 0, 0)")


@pytest.mark.long
def test_random_models_count_and_answer_in_two_memories_as_on_the_pc():
    found = random_ways(range(RANDOM))
    assert_that_less_raises(found)
    assert failures(found) == []


@pytest.mark.long
def test_models_of_others_count_and_answer_in_two_memories_as_on_the_pc(shared):
    zoo = shared / "zoo"
    if not zoo.is_dir():
        pytest.skip("no folder zoo in shared: models of others are not tested in two memories")
    found = []
    for seed, path in enumerate(models_of_others(zoo)):
        model = path.read_bytes()
        found += ways(path.name, model, seed)
    assert len({way.vectors for way in found}) == OTHERS
    assert_that_less_raises(found)
    assert failures(found) == []
