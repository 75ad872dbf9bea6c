"""`tflm doctor`: list installed programs, builds, connected boards and missing parts."""

import click

from ..places import here
from ..report.doctor import doctor as examine
from ..report.errors import fail, reports_errors
from ..report.terminal import Grid, number, paint, say
from .common import print_json

PORT_HELP = here("Ask this board, or an emulated one.", "Ask the board at this serial port.")


@click.command("doctor")
@click.option("--port", "asked", multiple=True, help=PORT_HELP)
@click.option("--ask", is_flag=True, help="Ask the boards at all ports with a USB device.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def doctor(asked, ask, as_json):
    """List installed programs, boards on ports, and commands that install missing parts.

    It asks a board only with --port or --ask, because that interrupts the board's program and
    resets it softly. Exit status 1 if such a board does not reply, or has no matching tflm.
    """
    facts = examine(asked)
    if ask:
        facts = examine([*asked, *(port["port"] for port in facts["ports"])])
    if as_json:
        print_json(facts)
    else:
        _print(facts)
    if any(board["error"] for board in facts["boards"]):
        fail()


def _print(facts):
    where = f"the clone {facts['clone']}" if facts["clone"] else "an installed package"
    say(paint(f"tflm {facts['tflm']}", "bold"), f", {where}, Python {facts['python']}")
    grid = Grid("\ninstalled", "part", "for", "found", "!cure")
    for part in facts["parts"]:
        found = part["found"] or paint("missing", "red")
        grid.add_row(part["name"], part["for"], found, part["cure"] or "")
    grid.show()
    if facts["firmware"]:
        _print_firmware(facts["firmware"])
    _print_ports(facts)
    for board in facts["boards"]:
        _print_board(board)


def _print_firmware(builds):
    grid = Grid("\nfirmware", "target", "", "state", "file", "!cure")
    for build in builds:
        kind = "emulated" if build["emulated"] else "real boards only"
        cells = build["target"], kind, build["state"], build["path"] or "", build["cure"] or ""
        grid.add_row(*cells)
    grid.show()


def _print_ports(facts):
    say("\nserial ports with a USB device (--ask asks the boards what they are):")
    for port in facts["ports"]:
        say(f"  {port['port']}: {port['usb']}")
    for drive in facts["drives"]:
        say(f"  {drive}: a board in its boot loader: tflm flash")
    if not facts["ports"] and not facts["drives"]:
        say(f"  none{here('; emulated boards need none: tflm repl MPS2_AN386', '')}")


def _print_board(board):
    say("\n", paint(board["port"], "bold"))
    if "board" in board:
        say(f"  {board['board']}, MicroPython {board['micropython']}")
        kernels = " and ".join(board["backends"]) or "no"
        heap = f"{number(board['heap_free'])} bytes of heap free"
        say(f"  tflm {board['tflm'] or 'missing'}, {kernels} kernels, {heap}")
        rom = "none" if board["rom"] is None else ", ".join(board["rom"]) or "empty"
        say(f"  /rom: {rom}")
    verdict = paint(board["error"], "red") if board["error"] else paint("ready", "green")
    say("  ", verdict)
