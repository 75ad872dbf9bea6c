"""The options of commands that hear a board's microphone: where it is."""

import click

PINS_HELP = "Of the board's I2S microphone; 16 17 18, if not given."
PDM_HELP = "Of a PDM microphone, instead: any two pins of a Pico."
ADC_HELP = "Of an analogue microphone, instead: GPIO 26, 27 or 28 of a Pico."
USUAL = ("16", "17", "18")


def microphone_options(command):
    """Add --pins, --pdm and --adc to *command*."""
    for option in (
        click.option("--adc", metavar="PIN", help=ADC_HELP),
        click.option("--pdm", nargs=2, metavar="CLK DAT", help=PDM_HELP),
        click.option("--pins", nargs=3, metavar="SCK WS SD", help=PINS_HELP),
    ):
        command = option(command)
    return command


def chosen(pins, pdm, adc):
    """Return the pins that one of the options names; () where none of them is given.

    Raises UsageError where several are.
    """
    named = [tuple(found) for found in (pins, pdm, adc and (adc,)) if found]
    if len(named) > 1:
        raise click.UsageError("--pins, --pdm and --adc are different microphones: name one")
    return named[0] if named else ()


def numbers(pins):
    """Return *pins* as a board takes them; without any, the pins of the usual I2S microphone."""
    return [int(pin) if pin.isdecimal() else pin for pin in pins or USUAL]
