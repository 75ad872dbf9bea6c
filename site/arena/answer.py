"""What the web page shows of one model. MicroPython runs it in the browser.

It is `tflm arena` without the PC's solver: the same package, the same report, the same picture.
"""

import json

from board_facts import BOARDS

from tflm.base.errors import ModelError, UnsupportedOpError
from tflm.memory.planner import overlap
from tflm.model import PREPARED, Model
from tflm_host.model.mistaken import other
from tflm_host.report.advice import of_operators, sorted_advice
from tflm_host.report.arena_page import body, table
from tflm_host.report.duration import milliseconds
from tflm_host.report.room import fits
from tflm_host.report.text import escape, number
from tflm_host.report.timeline import timeline
from tflm_host.report.unsupported import unsupported

UNPROVEN = (
    "<h2>Prepared</h2><p>This file holds prepared data. A browser cannot prove that they are"
    " genuine, so all figures here belong to the unprepared model in it. On a PC,"
    " <code>tflm arena</code> proves the file and shows the prepared model.</p>"
)


def answer(path, name):
    """Return JSON on the model file *path*, called *name*.

    {"html", "facts"}: what to show, and the numbers of `tflm arena --json`; only {"html"} if
    operators are missing; {"error"} if the file is malformed.
    """
    with open(path, "rb") as file:
        data = file.read()
    mistaken = other(name, data)
    if mistaken:
        return json.dumps({"error": f"not a .tflite file but {mistaken}"})
    try:
        return json.dumps(_answer(name, Model(data, prepared=False)))
    except UnsupportedOpError as error:
        return json.dumps(_missing(Model(data, prepared=False), error))
    except ModelError as error:
        return json.dumps({"error": str(error)})
    except MemoryError:
        return json.dumps({"error": "this browser gives too little memory for that"})


def _answer(name, model):
    report = timeline(name, model, "overlap", overlap)
    text = body(report, sorted_advice(of_operators(report)), BOARDS)
    facts = report.as_json()
    facts["boards"] = {board["name"]: fits(report, board) for board in BOARDS}
    facts["milliseconds"] = milliseconds(model, BOARDS)
    return {"html": text + _prepared(report, model), "facts": facts}


def _prepared(report, model):
    if model.metadata_entry(PREPARED)[0]:
        return UNPROVEN
    if len(model.subgraphs) > 1:
        return ""
    head = number(report.details["head_bytes"])
    text = "On a PC, <code>tflm prepare MODEL --target BOARD</code> does the work that depends"
    text += " only on the model. The tail goes to flash, and at most"
    text += f" {head} bytes of arena are left."
    text += " With fused layers it is far less; the command prints the size."
    return f"<h2>Prepared</h2><p>{text}</p>"


def _missing(model, error):
    """Return every operator that is missing, why, and what to change."""
    reasons = unsupported(model)
    if not reasons:
        return {"error": str(error)}
    rows = []
    for operator in model.operators():
        key = operator.subgraph.index, operator.index
        if key in reasons:
            why, change = reasons[key]
            place = str(operator.index) if key[0] == 0 else f"{key[0]}:{operator.index}"
            rows.append([place, escape(operator.name), escape(why), escape(change)])
    count = sum([1 for _ in model.operators()])
    title = f'<p class="arena no">{len(rows)} of {count} operators cannot run</p>'
    titles = "node", "<operator", "<why", "<change to the model"
    return {"html": title + '<div class="scroll">' + table("missing", titles, rows) + "</div>"}
