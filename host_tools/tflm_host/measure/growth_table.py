"""By how much `tflm prepare` changes each model's file, for the kernels of each kind of core.

python -m tflm_host.measure.growth_table [--model NAME]...
"""

import click

from ..generate.sources import isa_names
from ..prepare import prepare
from ..report.errors import reports_errors
from ..report.terminal import Grid, number
from .bench_table import models

SMALL = "dsp"  # the core for which `--small` makes a difference


def growths(path, isas):
    """Return {isa: bytes that the file at *path* takes more when it is prepared for it}.

    SMALL comes once more, as "SMALL --small".
    """
    data = path.read_bytes()
    grown = {isa: len(prepare(data, isa)) - len(data) for isa in isas}
    if SMALL in grown:
        grown[f"{SMALL} --small"] = len(prepare(data, SMALL, small=True)) - len(data)
    return grown


@click.command()
@click.option("--model", "names", multiple=True, help="This model only (may be repeated).")
@reports_errors
def main(names):
    """Show by how many bytes files grow (or shrink) when they are prepared."""
    isas = isa_names()
    columns = [">" + name for name in (*isas, f"{SMALL} --small")]
    grid = Grid("bytes more in a prepared file", "model", ">file", *columns)
    for path in models(names):
        grown = growths(path, isas)
        cells = (f"{nbytes:+,}" for nbytes in grown.values())
        grid.add_row(path.stem, number(path.stat().st_size), *cells)
    grid.show()


if __name__ == "__main__":
    main(prog_name="python -m tflm_host.measure.growth_table")
