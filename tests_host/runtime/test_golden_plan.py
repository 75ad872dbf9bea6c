"""Planned offsets and every op's output against what the compiled TFLM reference printed."""

import pytest

from tflm import Interpreter
from tflm.memory.planner import greedy

INVOKES = 2


def parse_golden(text):
    """Return {model file: {"head", "tensors", "scratch", "invokes", "outputs"}}.

    tensors {index: (size, offset)}, scratch [(node, size, offset)], invokes: for each one the
    list of (tensor, FNV-1a hash) of every op, outputs: for each one {tensor: bytes}.
    """
    golden = {}
    for line in text.splitlines():
        words = line.split()
        if words[0] == "model":
            facts = {"tensors": {}, "scratch": [], "invokes": [], "outputs": []}
            golden[words[1]] = facts
        elif words[0] == "head":
            facts["head"] = int(words[1])
        elif words[:2] == ["plan", "tensor"]:
            facts["tensors"][int(words[2])] = (int(words[4]), int(words[6]))
        elif words[:2] == ["plan", "scratch"]:
            facts["scratch"].append((int(words[4]), int(words[6]), int(words[8])))
        elif words[0] == "invoke":
            facts["invokes"].append([])
            facts["outputs"].append({})
        elif words[0] == "op":
            facts["invokes"][-1].append((int(words[3]), int(words[7], 16)))
        elif words[0] == "output":
            facts["outputs"][-1][int(words[1])] = bytes.fromhex(words[3])
    return golden


def fnv1a(data):
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


@pytest.fixture(scope="module")
def golden(shared):
    return parse_golden((shared / "data" / "tflm_golden_models.txt").read_text())


def all_golden(golden, zoo):
    for name, facts in golden.items():
        yield facts, Interpreter((zoo / name).read_bytes(), planner="tflm"), name


def planned_as_in_tflm(report, nodes):
    """Return {tensor: offset}, [(node, size, offset) of scratch] and the height.

    Planned again, with the scratch buffers of *nodes* only: convolutions have ours.
    """
    rows = [
        (b, int(b["name"].split()[-1]) if b["tensor"] < 0 else None) for b in report["buffers"]
    ]
    rows = [(b, node) for b, node in rows if node is None or node in nodes]
    buffers = [(b["size"], b["first_used"], b["last_used"], -1) for b, _ in rows]
    offsets, height = greedy(buffers)
    tensors, scratch = {}, []
    for (b, node), offset in zip(rows, offsets, strict=True):
        if node is None:
            tensors[b["tensor"]] = offset
        else:
            scratch.append((node, b["size"], offset))
    return tensors, scratch, height


def test_plan_golden_models_every_offset_equals_tflm(golden, zoo):
    checked = 0
    for facts, interpreter, name in all_golden(golden, zoo):
        nodes = {node for node, _, _ in facts["scratch"]}
        planned = planned_as_in_tflm(interpreter.arena_report(), nodes)
        tensors = {i: offset for i, (_, offset) in facts["tensors"].items()}
        assert planned == (tensors, facts["scratch"], facts["head"]), name
        checked += len(tensors) + len(facts["scratch"])
    assert checked == 61 + 14  # tensors and scratch buffers of the file


def test_invoke_golden_models_every_op_output_equals_tflm(golden, zoo):
    checked = 0
    for facts, interpreter, name in all_golden(golden, zoo):
        seen = []
        graph = interpreter.model.subgraphs[0]

        def note(node, interpreter=interpreter, graph=graph, seen=seen):
            tensor = graph.operator(node).outputs[0]
            seen.append((tensor, fnv1a(interpreter.tensor(tensor).data)))

        interpreter.on_node = note
        for invoke in range(INVOKES):
            for tensor in interpreter.inputs:
                tensor.data[:] = bytes((37 * k + 11) & 255 for k in range(tensor.nbytes))
            del seen[:]
            interpreter.invoke()
            assert seen == facts["invokes"][invoke], (name, invoke)
            for i, data in facts["outputs"][invoke].items():
                assert bytes(interpreter.outputs[i].data) == data, (name, invoke)
            checked += len(seen)
    assert checked > 2 * 40
