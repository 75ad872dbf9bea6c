"""`tflm get`: models of others, by name, with licence and checksum."""

from pathlib import Path

import click

from ..deploy import gallery
from ..report.errors import reports_errors
from ..report.terminal import Grid, number, progress, say
from .common import print_json


def _complete(_context, _parameter, begun):
    return [name for name in gallery.entries() if name.startswith(begun)]


@click.command("get")
@click.argument("name", required=False, shell_complete=_complete)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    help="Folder for the files. Default: the current one.",
)
@click.option(
    "--index",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=gallery.INDEX,
    help="Index of another gallery.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@reports_errors
def get(name, folder, index, as_json):
    """Fetch the model NAME of the gallery; without NAME, list the models.

    The command compares size and SHA-256 with the index, and keeps a copy in the cache. It
    overwrites no file.
    """
    known = gallery.entries(index)
    if name is None:
        _list(known, as_json)
        return
    entry = gallery.find(name, known)
    with progress(f"fetching {name}", entry.nbytes) as advance:
        contents = [gallery.fetch(file, advance) for file in entry.files]
    paths = gallery.save(entry, folder, contents)
    if as_json:
        print_json({**_facts(entry), "files": [str(path) for path in paths]})
        return
    for path, file in zip(paths, entry.files, strict=True):
        say(f"{path}: {number(file.nbytes)} bytes, checked")
    say(f"{entry.task}; licence {entry.licence}; from {entry.source}")
    say(f"now: tflm arena {paths[0]} --board RPI_PICO")


def _facts(entry):
    return {
        "name": entry.name,
        "task": entry.task,
        "licence": entry.licence,
        "source": entry.source,
        "bytes": entry.nbytes,
    }


def _list(known, as_json):
    if as_json:
        print_json({"models": [_facts(entry) for entry in known.values()]})
        return
    grid = Grid("", "name", ">bytes", "licence", "what it does")
    for entry in known.values():
        grid.add_row(entry.name, number(entry.nbytes), entry.licence, entry.task)
    grid.show()
    say("tflm get NAME fetches one.")
