"""By how much `tflm prepare` changes each model's file, for the kernels of each kind of core.

python -m tflm_host.measure.growth_table [--model NAME]...
"""

import click

from ..generate.sources import isa_names
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number
from .bench_table import models

PACKING = "dsp"  # the core for which `--small` and `--large` make a difference
OPTIONS = "small", "large"


def growths(path, isas):
    """Return {isa: bytes that the file at *path* takes more when it is prepared for it}.

    PACKING comes again with each of OPTIONS, as "PACKING --small".
    """
    data = path.read_bytes()
    grown = {isa: len(prepare(data, isa)) - len(data) for isa in isas}
    for name in OPTIONS if PACKING in grown else ():
        grown[f"{PACKING} --{name}"] = len(prepare(data, PACKING, **{name: True})) - len(data)
    return grown


@click.command()
@click.option("--model", "names", multiple=True, help="This model only (may be repeated).")
@reports_errors
def main(names):
    """Show by how many bytes files grow (or shrink) when they are prepared."""
    isas = isa_names()
    columns = [">" + name for name in (*isas, *(f"{PACKING} --{name}" for name in OPTIONS))]
    grid = Grid("bytes more in a prepared file", "model", ">file", *columns)
    for path in models(names):
        grown = growths(path, isas)
        cells = (f"{nbytes:+,}" for nbytes in grown.values())
        grid.add_row(path.stem, number(path.stat().st_size), *cells)
    grid.show()


if __name__ == "__main__":
    main(prog_name="python -m tflm_host.measure.growth_table")
