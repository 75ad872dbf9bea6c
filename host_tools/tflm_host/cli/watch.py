"""`tflm watch`: frames, the input as the model sees it, and the things that the model finds."""

import re
from collections import deque
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import click
import numpy as np

from tflm.image import Fit
from tflm.model import Model

from ..model.decoders import DETECTORS, NONE, Decoder, told_by
from ..model.files import InputError, check_folder, write_file
from ..model.frames import NBYTES, Form, as_seen, colours, frames_in
from ..model.labels import labels_inside, read_labels
from ..model.samples import tensor_of
from ..places import here
from ..report.errors import reports_errors
from ..report.proven import read_proven
from ..report.terminal import out, say
from ..report.watched import View, results_of, show
from ..report.watched_page import html
from ..targets.pictures import frames_of
from ..targets.watching import WatchingThere, watch_here
from .common import EMULATED_CAMERA, complete_port, consent_of, print_json, yes_option

DRIVER = "cam"
KEPT = 100  # frames of a camera in a page, the last ones
HOST = "host"
SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")
FITS = ("crop", "squash", "letterbox")
RESIZES = ("bilinear", "nearest", "antialias", "area", "edge")
TURNS = ("0", "90", "180", "270")
PORT_HELP = f"Run on a board: its serial port{here(', or an emulated board', '')}."
BOXES_HELP = "What the outputs mean; default: as their shapes tell."
MEAN_HELP = "Taken off these numbers; one number, or one for each channel, as 0.5,0.4,0.4."
STD_HELP = "What the difference is divided by."
ANCHORS_HELP = "Of yolov2: widths and heights, parts of the input, as 0.1,0.2,0.5,0.6."
RANGE_HELP = "Numbers of the model that black and white are, such as -1 1."
DRIVER_HELP = "Python file that reads the board's camera; default: cam.py of the board."


def _size(_context, _parameter, text):
    if text is None:
        return None
    found = SIZE.fullmatch(text)
    if found is None or not int(found[1]) or not int(found[2]):
        raise click.BadParameter(f"{text}: width and height expected, such as 160x120")
    return int(found[1]), int(found[2])


def _floats(text):
    """Return the numbers in *text*, with commas between; [] where a word is none."""
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        return []


def _numbers(_context, _parameter, text):
    if text is None:
        return None
    found = _floats(text)
    if not found:
        raise click.BadParameter(f"{text}: numbers expected, such as 0.5,0.4,0.4")
    return found if len(found) > 1 else found[0]


def _anchors(_context, _parameter, text):
    if text is None:
        return None
    found = _floats(text)
    if not found or len(found) % 2 or min(found) <= 0:
        raise click.BadParameter(f"{text}: pairs of numbers expected, such as 0.1,0.2,0.5,0.6")
    return list(zip(found[::2], found[1::2], strict=True))


@click.command("watch")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("frames", nargs=-1, type=click.Path(path_type=Path))
@click.option("--size", callback=_size, metavar="WxH", help="Of raw frames, such as 160x120.")
@click.option("--format", type=click.Choice(list(NBYTES)), help="Of raw frames; default rgb565.")
@click.option("--order", help="Of their bytes, as of tflm.image.Fit: big, little, yuyv, rggb ...")
@click.option("--fit", type=click.Choice(FITS), default=FITS[0], show_default=True)
@click.option("--resize", type=click.Choice(RESIZES), default=RESIZES[0], show_default=True)
@click.option("--rotate", type=click.Choice(TURNS), default=TURNS[0], help="Degrees, clockwise.")
@click.option("--range", "limits", type=float, nargs=2, help=RANGE_HELP)
@click.option("--mean", callback=_numbers, help=MEAN_HELP)
@click.option("--std", callback=_numbers, help=STD_HELP)
@click.option("--boxes", type=click.Choice([*DETECTORS, NONE]), help=BOXES_HELP)
@click.option("--anchors", callback=_anchors, help=ANCHORS_HELP)
@click.option(
    "--labels", type=click.Path(path_type=Path), help="Names of the classes, one per line."
)
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True)
@click.option("--port", "--target", "port", help=PORT_HELP, shell_complete=complete_port)
@click.option("--driver", type=click.Path(path_type=Path), help=DRIVER_HELP)
@click.option("--camera", **EMULATED_CAMERA)
@click.option("--count", type=click.IntRange(1), help="End after so many frames.")
@click.option("--live/--no-live", default=None, help="Show pictures in the terminal.")
@click.option("--html", "page", type=click.Path(path_type=Path), help="Write a page of all.")
@click.option("--overwrite", is_flag=True, help="Replace the page if it exists.")
@yes_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@reports_errors
def watch(model, frames, port, count, live, page, overwrite, yes, as_json, **options):
    """Show what MODEL sees in FRAMES, or in the camera of a board, and the things that it finds.

    FRAMES are pictures, raw frames of --size and --format, or folders of them. tflm.image.Fit
    makes the input of each. With --port that is done on the board, which gets rows and sends
    input and outputs back.

    Without FRAMES the board's camera is watched until Ctrl-C or for --count frames. Its driver is
    a Python file with readinto(buffer), which fills the buffer with one frame. The driver has
    shape, (height, width) or (height, width, 3), or --size and --format say it.

    The shapes of the outputs tell FOMO, SSD, BlazeFace, YOLO 5 and 8; --boxes names others. With
    none, the best classes are shown. Labels of boxes leave out the background.

    --live is usual in a terminal. It shows the frame with its boxes, and beside it the input.
    --html writes both to one page, which needs no other file. Of a camera it has the last 100
    frames.
    """
    form, camera = _checked(frames, port, page, overwrite, **options)
    looker = _Looker(model, options)
    views = [] if frames else deque(maxlen=KEPT)
    is_live = (out.is_terminal if live is None else live) and not as_json
    if not as_json:
        looker.say_boxes(options["boxes"])

    def take(seen):
        view = looker.view(seen)
        if page or as_json:
            views.append(view)
        if not as_json:
            show(view, is_live, is_moving=not frames)

    found = islice(frames_in(frames, form), count) if frames else None
    if port is None:
        for seen in watch_here(looker.data, looker.graph, found, looker.options):
            take(seen)
    else:
        there = {"consent": consent_of(yes), "camera": camera}
        with WatchingThere(
            port, (model.name, looker.data), looker.graph, looker.options, **there
        ) as watching:
            _watch_there(watching, found, options["driver"], form, count, take)
    if page:
        write_file(page, html(model.name, looker.about(port), views))
    if as_json:
        facts = {"model": str(model), "target": port or HOST, "boxes": looker.decoder.name}
        print_json(facts | {"frames": [view.facts() for view in views]})


def _checked(frames, port, page, overwrite, size, format, order, driver, camera, **_):
    """Return (the Form of raw frames or None, what an emulated camera sees or None)."""
    if not frames and port is None:
        raise click.UsageError("name FRAMES, or --port BOARD, which has a camera")
    if frames and (driver or camera):
        raise click.UsageError("FRAMES are given: there is no camera")
    if size is None and (format or order):
        raise click.UsageError("--format and --order are of raw frames, which need --size")
    if page and page.exists() and not overwrite:
        raise InputError(f"{page} exists: --overwrite replaces it")
    if page:
        check_folder(page)
    form = Form(*size, format or "rgb565", order) if size else None
    return form, frames_of(camera, port) if camera else None


def _watch_there(watching, frames, driver, form, count, take):
    """Give take() what a board sees in *frames*; None: by its camera."""
    if frames is None:
        watching.watch_camera(*_driver(driver), form, count, take)
        return
    for seen in watching.watch(frames):
        take(seen)


def _driver(path):
    """Return (name of the driver, its text; "" for the board's own module)."""
    if path is None:
        return DRIVER, ""
    try:
        return path.name, path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {error}") from None


def _ends(limits, mean, std):
    """Return the least and the largest number of the model, of all channels."""
    mean, std = (0 if mean is None else mean), (1 if std is None else std)
    ends = (np.array(limits)[:, None] - mean) / std
    return float(ends.min()), float(ends.max())


class _Looker:
    """A model that sees pictures: its bytes, graph, options of Fit, and Decoder."""

    def __init__(self, path, options):
        self.path, self.data = path, read_proven(path)
        opened = Model(self.data, prepared=True)
        self.graph = graph = opened.subgraphs[0]
        if len(graph.inputs) != 1:
            raise InputError(f"{path}: {len(graph.inputs)} inputs, a model with one is watched")
        if opened.snapshot and opened.snapshot.is_fed():
            raise InputError(
                f"{path}: its input is fed by rows, so it is never whole. Watch the model that it"
                " was prepared from"
            )
        self.limits = options["limits"] or None
        names = "fit", "resize", "mean", "std"
        self.options = {name: options[name] for name in names}
        self.options |= {"rotate": int(options["rotate"]), "values": self.limits}
        self._info = graph.tensor(graph.inputs[0])
        self._screen = SimpleNamespace(inputs=[tensor_of(self._info)], context=True)
        if options["std"] is not None and not np.all(options["std"]):
            raise InputError("--std 0: another number expected")
        self._fits = {}  # of each Form
        self._fit_of(Form(1, 1, "grey"))  # refuses other inputs
        self._shown = _ends(self.limits or (0, 1), options["mean"], options["std"])
        labels = options["labels"]
        self.labels = read_labels(labels) if labels else labels_inside(path)
        name = options["boxes"] or (NONE if options["anchors"] else told_by(graph))
        boxes = self.labels, options["threshold"], options["anchors"]
        self.decoder = Decoder(graph, name, *boxes)

    def _fit_of(self, form):
        if form not in self._fits:
            size = form.width, form.height, form.format, form.order
            try:
                self._fits[form] = Fit(self._screen, *size, **self.options)
            except ValueError as error:
                raise InputError(f"{self.path}: {error}") from None
        return self._fits[form]

    def say_boxes(self, asked):
        if asked is None and self.decoder.name != NONE:
            say(f"boxes: {self.decoder.name}, as the outputs' shapes tell; --boxes has others")

    def about(self, port):
        fit = ", ".join(f"{name} {value}" for name, value in self.options.items() if value)
        return f"{self.path}, run on {port or HOST}; {fit}; boxes: {self.decoder.name}"

    def view(self, seen):
        """Return the View of *seen*."""
        pixels = colours(seen.form, seen.frame)
        fitted = as_seen(self._info, seen.input, self._shown)
        things = self.decoder.things(seen.outputs, self._fit_of(seen.form))
        results = []
        if self.decoder.name == NONE:
            results = results_of(self.graph, seen.outputs, self.labels)
        return View(seen, pixels, fitted, things, results)
