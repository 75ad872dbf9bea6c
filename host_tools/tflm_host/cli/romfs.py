"""`tflm romfs`: models into one image for flash, each aligned so that it is used in place."""

from pathlib import Path

import click

from ..model.files import model_files, write_file
from ..report.errors import reports_errors
from ..report.proven import named_models
from ..report.terminal import Grid, number
from ..targets.romfs import build_romfs, list_romfs
from .common import print_json


@click.command("romfs")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The image.")
@click.option("--align", default=16, show_default=True, help="Alignment of file data in bytes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def romfs(files, output, align, as_json):
    """Build an aligned ROMFS image of FILES (models, or folders of models)."""
    paths = model_files(files)
    image = build_romfs(named_models(paths), align)
    write_file(output, image)
    entries = [
        {"name": name, "offset": offset, "bytes": size} for name, offset, size in list_romfs(image)
    ]
    if as_json:
        print_json({"image": str(output), "bytes": len(image), "files": entries})
        return
    grid = Grid(f"{output}: {number(len(image))} bytes", "file", ">offset", ">bytes")
    for entry in entries:
        grid.add_row(entry["name"], number(entry["offset"]), number(entry["bytes"]))
    grid.show()
