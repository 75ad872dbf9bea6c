"""The cost of hearing a second of sound: the front ends, a PDM microphone, ears with models.

    python -m tflm_host.measure.bench_sound [--diff] [--ear FILE,FILE]... [--wav FILE] [TARGET]...

Writes bench/sound.csv. With --diff it compares with the last commit instead, and fails if a count
has risen by more than a hundredth. It also fails if a goal is not reached. Each --ear is one front
end with these models, prepared for the board; without it, the wake words at hand are taken. The
sound is white noise, which costs more than speech; --wav FILE is another one.

Counts of loading, and heap, are those beside the models.
"""

import importlib.util
import sys
from pathlib import Path

import click
import numpy as np

from tflm.hearing import Description

from ..model.files import InputError
from ..places import ROOT
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, paint, say
from ..targets.boards import RP2_EMULATORS, load_board
from ..targets.build import build
from ..targets.device import script
from ..targets.microphone import samples_of
from ..targets.open_target import open_target
from . import ledger
from .bench import begin, counts_instructions

FIGURES = ROOT / "bench" / "sound.csv"
KEYS = ("target", "heard", "models", "sound")
TARGETS = ("MPS2_AN386", "M0PLUS", "RPI_PICO")
FRONTS = ("micro", "micro_speech")
NAMES = ("second", "load", "heap", "models_heap")
RATE, SECONDS_OF_SOUND = 16000, 2
LOUDNESS, SEED = 3000, 0
MHZ = 125  # of a Pico
SECONDS = 1200
# At most: a second of sound, loading, bytes of a front end.
GOALS = {
    ("RPI_PICO", "micro"): (10_000_000, 5_000_000, 3072),
    ("MPS2_AN386", "micro"): (4_000_000, 5_000_000, 3072),
    ("RPI_PICO", "PdmMicrophone"): (6_000_000,),
    ("RPI_PICO", "okay_nabu"): (23 * 10_000 * MHZ, 5_000_000),  # pymicro-wakeword's
    ("RPI_PICO", "okay_nabu-0689ab"): (20 * 10_000 * MHZ, 5_000_000),  # ESPHome's
}
WORDS = ("okay_nabu", "alexa", "hey_jarvis")


def noise():
    """Return two seconds of white noise, as bytes."""
    values = np.random.default_rng(SEED).normal(0, LOUDNESS, RATE * SECONDS_OF_SOUND)
    return values.clip(-32768, 32767).astype("<i2").tobytes()


def sound_of(path):
    """Return the name and two seconds of the wave file at *path*, of noise where it is None."""
    if path is None:
        return "noise", noise()
    data = samples_of(path, "RPI_PICO")
    if len(data) < 2 * RATE * SECONDS_OF_SOUND:
        raise InputError(f"{path}: {SECONDS_OF_SOUND} seconds of sound are needed")
    return Path(path).stem, data[: 2 * RATE * SECONDS_OF_SOUND]


def ears_at_hand():
    """Return the ears that can be measured here: of pymicro-wakeword, and ESPHome's okay_nabu."""
    ears = [[path] for path in sorted((ROOT.parent / "shared").rglob("okay_nabu-0689ab.tflite"))]
    package = importlib.util.find_spec("pymicro_wakeword")
    if package is not None:
        folder = Path(package.origin).parent / "models"
        words = [folder / f"{word}.json" for word in WORDS]
        ears += [words[:1], words]
    return ears


def files_of(ear, isa):
    """Return the files of an *ear*, (name, bytes) each: models, prepared, and their JSON."""
    files = {}
    for path in ear:
        model = Path(Description(path).path)
        files[Path(path).name] = Path(path).read_bytes()
        files[model.name] = prepare(model.read_bytes(), isa)
    return list(files.items())


def measure(target, ears, name, sound):
    """Return {key: row} of the front ends and *ears* (lists of paths) on *target*."""
    rows = {}
    isa = load_board(target).isa
    calls = [("front", front, (), f"bench_front({front!r}, ") for front in FRONTS]
    if target in RP2_EMULATORS:
        calls.append(("source", "PdmMicrophone", (), "bench_microphone("))
    for ear in ears:
        paths = [f"/rom/{Path(path).name}" for path in ear]
        heard = "+".join(Path(path).stem for path in ear)
        calls.append(("ear", heard, files_of(ear, isa), f"bench_ear({paths!r}, "))
    for heard, what, files, call in calls:
        options = {"icount": counts_instructions(target)}
        with open_target(target, [*files, ("sound.pcm", sound)], **options) as device:
            unit, scale = begin(device, script("bench_sound_device"))
            printed = device.exec(call + "'/rom/sound.pcm', _count, nothing)", SECONDS).split()
        second, load, *heaps = map(int, printed)
        figures = [scale(second), scale(load), *heaps]
        rows[target, heard, what, name] = {"unit": unit, **dict(zip(NAMES, figures, strict=True))}
    return rows


def show(rows):
    """Print the figures; return the keys of missed goals."""
    grid = Grid("", *KEYS, "unit", ">a second", ">of a Pico", ">loading", ">heap", ">models' heap")
    missed = []
    for key, row in rows.items():
        figures = [row[name] for name in NAMES]
        shown = [number(figure) for figure in figures]
        for i, most in enumerate(GOALS.get((key[0], key[2]), ())):
            is_met = figures[i] <= most
            shown[i] = paint(shown[i], "green" if is_met else "red")
            if not is_met:
                missed.append(" ".join((*key, NAMES[i])))
        share = ""
        if key[0] in RP2_EMULATORS:
            share = f"{row['second'] / (10_000 * MHZ):.1f} %"
        grid.add_row(*key, row["unit"], shown[0], share, *shown[1:])
    grid.show()
    return missed


def compare(rows):
    """Print what differs from the last commit; return whether nothing has risen too far."""
    return ledger.compare(FIGURES, KEYS, NAMES, rows)


@click.command(help=__doc__)
@click.option("--diff", is_flag=True, help="Compare, and write nothing.")
@click.option("--ear", "ears", multiple=True, help="Files of an ear, with commas.")
@click.option("--wav", type=click.Path(exists=True, dir_okay=False), help="The sound.")
@click.argument("targets", nargs=-1)
@reports_errors
def main(diff, ears, wav, targets):
    name, sound = sound_of(wav)
    chosen = [ear.split(",") for ear in ears] or ears_at_hand()
    rows = {}
    for target in targets or TARGETS:
        build(target)
        rows.update(measure(target, chosen, name, sound))
    missed = show(rows)
    if missed:
        say(f"{len(missed)} goals are missed: {', '.join(missed)}")
    if diff:
        sys.exit(1 if missed or not compare(rows) else 0)
    ledger.update(FIGURES, KEYS, rows)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
