"""Look for races between the two cores of an emulated Pico, under random schedules.

    python tests_host/races.py --sections 10000
    make races

A section is what both cores do between two points where one waits for the other. The models are
those of models/ and, if models of others are there, kws_ref_model. A race is printed with the
model, the seed of the schedule and the emulator's log; the command then fails.
"""

import sys
import time

import click

from support.device.two_cores import SECONDS, cases_of, open_two_cores, sections
from tflm_host.measure.bench_table import ZOO
from tflm_host.places import ROOT

NAMES = "digits_cnn", "digits_ds_cnn", "digits_gated"
OTHERS = ("kws_ref_model",)
RUNS_EACH = 6  # of a model, while the schedule goes on
JITTERS = 20, 100, 400, 2000  # cycles by which the cores' times differ


def paths():
    found = [ROOT / "models" / f"{name}.tflite" for name in NAMES]
    return found + [path for name in OTHERS if (path := ZOO / f"{name}.tflite").exists()]


RUNS = """
interp = load({name!r})
tflm.cores(2)
for i in range({runs}):
    fill(interp, {name!r})
    interp.invoke()
    print(outputs(interp), machine.mem32[RACES])
interp = None
"""


def one_round(seed, is_prepared):
    """Run each model RUNS_EACH times under one schedule; return how many sections, or exit."""
    cases, wanted = cases_of(paths(), is_prepared)
    jitter = JITTERS[seed % len(JITTERS)]
    with open_two_cores(cases, sync=True, jitter=jitter, seed=seed) as target:
        for name in cases:
            printed = target.exec(RUNS.format(name=name, runs=RUNS_EACH), SECONDS)
            for line in printed.splitlines():
                if line.split() != [wanted[name], "0"]:
                    print(f"{name}, seed {seed}, jitter {jitter}: {line}; {target.log()}")
                    sys.exit(1)
        return sections(target)


@click.command()
@click.option("--sections", "wanted", default=10_000, help="As many sections at least.")
@click.option("--first", default=1, help="The seed of the first schedule.")
def main(wanted, first):
    count, seed, start = 0, first, time.monotonic()
    while count < wanted:
        for is_prepared in (False, True):
            count += one_round(seed, is_prepared)
        seed += 1
        print(f"{count} sections, no race, {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
