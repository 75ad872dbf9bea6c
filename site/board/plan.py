"""What the web page asks before and after a model goes to a board; the browser runs this.

Each function returns JSON, as session.py's do; {"error": why} where something is refused. The
sentences are those of `tflm deploy` and `tflm doctor`.
"""

import json
from binascii import hexlify, unhexlify
from hashlib import sha256

import deploy_device
from session import (  # noqa: F401 - the page calls them here
    Session,
    answering,
    digest,
    load,
    put_bytes,
    put_numbers,
    run,
    shown,
)

from tflm.base.arena import Arena
from tflm.interpreter import Interpreter
from tflm.model import PREPARED, Model
from tflm.schema import OP_CUSTOM
from tflm_host.deploy import verdicts
from tflm_host.model.kernels import kernels_run_by
from tflm_host.model.loading import heap_besides, in_pieces
from tflm_host.model.mistaken import other
from tflm_host.targets.romfs import build_romfs

UNPROVEN = (
    "this file holds prepared data, and a browser cannot prove that they are genuine."
    " Choose the unprepared .tflite, or use `tflm deploy` on a PC"
)


class Needs:
    """What the model takes of a board."""

    name = ""
    arena = besides = size = 0
    ops = ()


@answering
def mistaken(path, name):
    """Say what the file is where it is no model that this page writes to a board."""
    with open(path, "rb") as file:
        data = file.read()
    what = other(name, data)
    if what:
        raise ValueError(f"not a .tflite file but {what}")
    if Model(data, prepared=False).metadata_entry(PREPARED)[0]:
        raise ValueError(UNPROVEN)


@answering
def trouble(facts):
    """Return why the board of the JSON *facts* cannot be used, null where it can."""
    return {"why": verdicts.trouble(json.loads(facts))}


@answering
def planned(facts, name):
    """Return what the board, of the JSON *facts* of look(), is asked, and what writing destroys.

    Writes the image of /rom to the file /image.
    """
    facts = json.loads(facts)
    _refuse(verdicts.of_version(facts))
    with open("/model", "rb") as file:
        data = file.read()
    interp = Interpreter(Model(data, prepared=False), Arena(), measure=True)
    image = build_romfs([(name, data)])
    with open("/image", "wb") as file:
        file.write(image)
    in_place = facts["in_place"]
    total = len(image) if in_place else len(data)
    _refuse(verdicts.of_room(facts, total))
    Needs.name = name
    Needs.arena = interp.arena_used_bytes()
    Needs.besides = heap_besides(interp.model, interp.arena_report())
    Needs.size = 0 if in_place else len(data)
    Needs.ops = _ops(interp.model)
    sizes = [Needs.arena] + in_pieces(Needs.besides)
    return {
        "ops": Needs.ops,
        "kernels": kernels_run_by(interp),
        "sizes": sizes if in_place else [len(data)] + sizes,
        "in_place": in_place,
        "total": total,
        "losses": verdicts.losses(facts, [name]),
        "state": verdicts.NO_IMAGE
        if in_place
        else f"what was in {facts['folder']} is still there",
    }


def _refuse(why):
    if why:
        raise ValueError(why)


def _ops(model):
    """Return [code or name, version] of each operator, once."""
    found = []
    for op in model.operators():
        key = [op.custom_name if op.builtin == OP_CUSTOM else op.builtin, op.version]
        if key not in found:
            found.append(key)
    return found


@answering
def verdict(answer, in_place):
    """Refuse by the JSON *answer* of check()."""
    answer = json.loads(answer)
    names = verdicts.missing(answer, Needs.ops)
    if names:
        raise ValueError(f"{Needs.name}: the firmware of the board lacks {', '.join(names)}")
    size = 0 if in_place else Needs.size
    why = verdicts.of_heap(answer, size, Needs.arena, Needs.besides)
    _refuse(why and f"{Needs.name}: {why}")


@answering
def proved(proof):
    """Refuse by the JSON *proof* of prove(): the model's bytes, and its outputs here."""
    proof = json.loads(proof)
    with open("/model", "rb") as file:
        if proof["model"] != _digest(file.read()):
            raise ValueError("the board reads other bytes than were written: write it again")
    interp = Session.interpreter
    for tensor in interp.inputs:
        deploy_device.fill(tensor.data)
    interp.invoke()
    if proof["outputs"] != [_digest(tensor.data) for tensor in interp.outputs]:
        raise ValueError("the board's output differs from this browser's")


def _digest(data):
    return hexlify(sha256(data).digest()).decode()


@answering
def taken():
    """Return the bytes of all inputs, as hex."""
    return {"inputs": [hexlify(tensor.data).decode() for tensor in Session.interpreter.inputs]}


@answering
def given(outputs):
    """Return how the outputs are shown whose bytes, hex, a board gave: as run() does."""
    tensors = Session.interpreter.outputs
    texts = json.loads(outputs)
    for i in range(len(tensors)):
        tensors[i].data[:] = unhexlify(texts[i])
    return {"outputs": [shown(tensor) for tensor in tensors]}
