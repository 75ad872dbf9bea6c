"""Files of a project for VS Code: its tasks, its settings, and the type stubs of tflm.

docs/editors.md shows the tasks, and a test runs each of them.
"""

import json

from ..targets.boards import RP2_EMULATORS, UNICORN, board_names
from .stubs import stubs

TYPINGS = "typings"  # where Pylance looks for stubs by itself, and mypy with mypy_path
SETTINGS = {
    "python.analysis.stubPath": TYPINGS,
    # On a board there are modules that this machine lacks.
    "python.analysis.diagnosticSeverityOverrides": {"reportMissingModuleSource": "none"},
    "python.testing.pytestEnabled": True,
    "python.testing.pytestArgs": ["."],
}
SERIAL = "/dev/ttyACM0"


def editor_files(board, model):
    """Return {path: text} for a project that runs models/*model* on *board*."""
    files = {".vscode/settings.json": SETTINGS, ".vscode/tasks.json": tasks(board, model)}
    texts = {path: json.dumps(content, indent=4) + "\n" for path, content in files.items()}
    return texts | {f"{TYPINGS}/tflm/{name}": text for name, text in stubs().items()}


def tasks(board, model):
    """Return the tasks of VS Code for a project that runs models/*model* on *board*."""
    emulated = board in [*RP2_EMULATORS, *UNICORN, *board_names()]
    models = " models" if emulated else ""  # which an emulated board has not by itself
    repl = f"tflm repl {{}}{models} < {{}}"
    in_cmd = repl.format("${input:port}", '"${file}"')
    return {
        "version": "2.0.0",
        "tasks": [
            _task("tflm: how big an arena", "tflm arena models", group="build"),
            _task("tflm: test on this machine and emulated", "python -m pytest", group="test"),
            _task("tflm: what a model consists of", "tflm inspect '${input:model}'"),
            _task(
                "tflm: run a model on the board",
                "tflm run '${input:model}' --target '${input:port}'",
            ),
            _task(
                "tflm: run this file on the board",
                repl.format("'${input:port}'", "'${file}'"),
                windows={"command": f'cmd /c "{in_cmd}"'},
            ),
            _task(
                "tflm: write the models to the board",
                "tflm deploy models --port '${input:port}'",
            ),
        ],
        "inputs": [
            _asked("model", "Model", f"models/{model}"),
            _asked(
                "port",
                "Serial port of the board, or an emulated board",
                board if emulated else SERIAL,
            ),
        ],
    }


def _task(label, command, group=None, **more):
    found = {"label": label, "type": "shell", "command": command, **more}
    if group:
        found["group"] = {"kind": group, "isDefault": True}
    return {**found, "problemMatcher": []}


def _asked(name, description, default):
    return {"id": name, "type": "promptString", "description": description, "default": default}
