"""What the page that talks to boards has of this clone: how firmware gets there, and scripts."""

import ast

from ..report.text import escape
from ..targets.boards import SOLD
from ..targets.device import script

SCRIPTS = ("doctor_device", "deploy_device", "page_device")
PICO = "hold BOOTSEL while you plug it in, drag <b>{file}</b> onto the drive {drive}"
NUCLEO = "drag <b>{file}</b> onto its drive {drive}"
PROBE = "<code>st-flash --format ihex write {file}</code>, over its debug probe"
DFU = "start its DFU boot loader, then <code>dfu-util -a 0 -D {file}</code>"
# Of each board, what MicroPython calls it and how it gets which file.
BOARDS = {
    "RPI_PICO": ("Raspberry Pi Pico", PICO, "uf2", "RPI-RP2"),
    "RPI_PICO2": ("Raspberry Pi Pico2", PICO, "uf2", "RP2350"),
    "RPI_PICO2_RISCV": ("Raspberry Pi Pico2", PICO, "uf2", "RP2350"),
    "RPI_PICO_W": ("Raspberry Pi Pico W", PICO, "uf2", "RPI-RP2"),
    "NUCLEO_F446RE": ("NUCLEO-F446RE", NUCLEO, "hex", "NOD_F446RE"),
    "NUCLEO_H743ZI": ("NUCLEO_H743ZI", NUCLEO, "hex", "NOD_H743ZI"),
    "PYBV11": ("PYBv1.1", DFU, "dfu", ""),
    "STM32F4DISC": ("F4DISC", PROBE, "hex", ""),
    "WEACT_F411_BLACKPILL": ("WEACT_F411_BLACKPILL", DFU, "dfu", ""),
}


def firmware():
    """Return rows of a table: a board that people buy, and how its firmware gets onto it."""
    rows = []
    for name, title in SOLD.items():
        machine, how, suffix, drive = BOARDS[name]
        text = how.format(file=f"{name}.{suffix}", drive=drive)
        rows.append(
            f'<tr data-machine="{escape(machine)}"><th scope="row">{escape(title)}</th>'
            f'<td class="text">{text}</td></tr>'
        )
    return "\n".join(rows)


def scripts():
    """Return {name: text} of the Python that the page sends to boards."""
    return {name: _bare(script(name)) for name in SCRIPTS}


def _bare(text):
    """Return Python *text* without comments and docstrings, which a board need not read."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) + "\n"
