"""The demo: handwritten digits, classified by an emulated Cortex-M4 from nothing but this clone.

python -m tflm_host.cli.demo        (or `make demo`, which also sets up what that needs)
"""

import runpy
import sys

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel

import tflm

from ..places import ROOT
from ..targets.boards import load_board
from ..targets.build import build
from ..targets.device import FOLDER
from ..targets.emulator import Emulator
from ..targets.open_target import deploy_romfs, mpremote
from ..targets.repl import TargetError
from ..targets.romfs import build_romfs

BOARD = "MPS2_AN386"
MODEL = ROOT / "models" / "digits_cnn.tflite"
DIGITS = 12
SHADES = " ░▒▓█"


def main():
    console = Console(highlight=False)
    try:
        run(console)
    except TargetError as error:
        Console(stderr=True, highlight=False).print(f"error: {error}", markup=False)
        return 1
    return 0


def run(console):
    """Build, boot, deploy, classify on the board, do the same on the host, show both."""
    data = runpy.run_path(str(ROOT / "models" / "train" / "dataset.py"))
    images, labels = (part[:DIGITS] for part in data["split"]()[1])
    grey = (images * data["WHITE"]).astype("uint8").reshape(DIGITS, -1)
    board = load_board(BOARD)

    with console.status(f"building the firmware of {BOARD} ({board.cpu})"):
        build(BOARD)
    with (
        console.status(f"starting {BOARD} ({board.cpu}) in the emulator") as status,
        Emulator(board, icount=True, pty=True) as emulator,
    ):
        status.update(f"deploying {MODEL.name} and {DIGITS} digits with mpremote")
        files = [(MODEL.name, MODEL.read_bytes()), ("digits.bin", grey.tobytes())]
        deploy_romfs(emulator.port, build_romfs(files))
        status.update("classifying on the board")
        script = FOLDER / "demo_device.py"
        answers, board_arena = parse(mpremote(emulator.port, "soft-reset", "run", str(script)))
        instructions = emulator.instructions(answers[-1][2])

    host_outputs, host_arena = classify_on_host(images)
    pictures = zip(grey.reshape(images.shape[:3]), labels, answers, strict=True)
    console.print(Columns([panel(*one) for one in pictures]))
    right = sum(answer[0] == label for answer, label in zip(answers, labels, strict=True))
    same = [answer[3] for answer in answers] == host_outputs
    console.print(f"{right} of {DIGITS} right; {instructions:,} instructions an inference")
    console.print(f"outputs on the host: {'the same bytes' if same else 'DIFFERENT'}")
    console.print(f"arena on the board: {board_arena:,} bytes, host: {host_arena:,} bytes")
    if not same or board_arena != host_arena:
        raise TargetError("board and host do not agree")


def parse(printed):
    """Return [(digit, percent, ticks, output bytes)] and the arena's size."""
    answers, arena = [], None
    for line in printed.splitlines():
        kind, *values = line.split() or [""]
        if kind == "digit":
            answers.append((*map(int, values[:3]), bytes.fromhex(values[3])))
        elif kind == "arena":
            arena = int(values[0])
    if arena is None or len(answers) != DIGITS:
        raise TargetError(f"the board printed:\n{printed}")
    return answers, arena


def classify_on_host(images):
    """Return the output bytes for each image, and the arena's size, by the same runtime here."""
    interp = tflm.Interpreter(str(MODEL))
    outputs = []
    for image in images:
        interp.inputs[0].quantize(image.ravel().tolist())
        interp.invoke()
        outputs.append(bytes(interp.outputs[0].data))
    return outputs, interp.arena_used_bytes()


def panel(picture, label, answer):
    """Return a framed picture of one digit, titled with the board's result."""
    digit, percent = answer[:2]
    lines = [
        "".join(2 * SHADES[grey * (len(SHADES) - 1) // 16] for grey in row) for row in picture
    ]
    title = f"it is a {digit} ({percent} %)"
    style = "green" if digit == label else "red"
    subtitle = None if digit == label else f"it was a {label}"
    return Panel("\n".join(lines), title=title, subtitle=subtitle, border_style=style, width=24)


if __name__ == "__main__":
    sys.exit(main())
