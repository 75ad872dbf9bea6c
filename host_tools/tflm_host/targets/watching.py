"""Let a model look at frames: in this process, on a board, or at the board's own camera.

watch_device.py does the work at both ends. Each frame becomes a Seen.
"""

import base64
from dataclasses import dataclass

from tflm.model import Model

from ..model.files import InputError
from ..model.frames import Form
from .answers import below, is_count, is_size, is_text, refuse
from .device import watch_device
from .listening import RefusedLine, Session, is_base64
from .open_target import open_target
from .repl import ExecError, TargetError

OUTPUTS = 1 << 8  # of a model, at most
CHUNK = 1536  # bytes of rows that are sent at once
LAST_LINES = 4  # of a traceback
FORMS = {
    "frame": is_base64,
    "input": is_base64,
    "output": [below(OUTPUTS), is_base64],
    "times": [is_count, is_count],
    "shape": [is_size, is_size, is_size],
    "error": [is_text, is_text],
}


@dataclass
class Seen:
    """A frame, the input that it became, the bytes of the outputs, and the times of both steps."""

    name: str
    form: Form
    frame: bytes
    input: bytes
    outputs: list
    fit_microseconds: int
    run_microseconds: int


class _Parts:
    """Makes a Seen of the lines that a Watching says, if all sizes are as in *graph*."""

    def __init__(self, graph, name):
        self._name = name
        self._input = graph.tensor(graph.inputs[0]).nbytes
        self._outputs = [graph.tensor(i).nbytes for i in graph.outputs]
        self._clear()

    def _clear(self):
        self.frame, self.input = bytearray(), bytearray()
        self.outputs = [bytearray() for _ in self._outputs]
        self.times = None

    def take(self, kind, value):
        if kind == "times":
            self.times = value
        elif kind == "output":
            number, text = value
            if number >= len(self.outputs):
                refuse(self._name, value)
            self.outputs[number] += base64.b64decode(text)
        else:
            getattr(self, kind).extend(base64.b64decode(value))

    def seen(self, name, form, frame=None):
        """Return the Seen of *frame*; None: the board said its bytes."""
        frame = bytes(self.frame) if frame is None else frame
        sizes = [len(frame), len(self.input), *map(len, self.outputs)]
        wanted = [form.nbytes, self._input, *self._outputs]
        if self.times is None or sizes != wanted:
            raise TargetError(
                f"{self._name}: frame, input and outputs of {sizes} bytes came, {wanted} expected"
            )
        outputs = [bytes(data) for data in self.outputs]
        found = Seen(name, form, frame, bytes(self.input), outputs, *self.times)
        self._clear()
        return found


def watch_here(model, graph, frames, options):
    """Yield a Seen of each of *frames*, with the *model*, bytes, run in this process."""
    parts, last = _Parts(graph, "host"), None
    watching = watch_device.Watching(Model(model, prepared=True), options, parts.take)
    for frame in frames:
        form = frame.form
        if form != last:
            _take_form(watching, frame)
            last = form
        watching.see(frame.data)
        yield parts.seen(frame.name, form, frame.data)


def _take_form(watching, frame):
    form = frame.form
    try:
        watching.frames_are(form.width, form.height, form.format, form.order)
    except ValueError as error:
        raise InputError(f"{frame.name}: {error}") from None


class WatchingThere(Session):
    """Target *port* with a *model*, a pair (file name, bytes), that looks at frames.

    graph    the model's subgraph;  options  of Fit
    consent, camera  of open_target()
    """

    def __init__(self, port, model, graph, options, consent=None, camera=None):
        target = open_target(port, [model], consent=consent, camera=camera)
        self._parts = _Parts(graph, target.name)
        self._form = self._shape = self._taken = None
        source = target.source(model[0])
        begins = f"watching = attempt(Watching, {source}, {options!r})"
        super().__init__(target, "watch_device", begins, FORMS)

    def watch(self, frames):
        """Yield a Seen of each of *frames*, which are sent by rows."""
        for frame in frames:
            form = frame.form
            self._expect(form)
            step = max(CHUNK // form.row_bytes, 1) * form.row_bytes
            for i in range(0, form.nbytes, step):
                text = base64.b64encode(frame.data[i : i + step]).decode()
                self._do(f"attempt(watching.take, {text!r}, {form.row_bytes})")
            yield self._parts.seen(frame.name, form, frame.data)

    def watch_camera(self, driver, text, form, count, take):
        """Give take() a Seen of each of *count* frames of the camera; None: until Ctrl-C.

        driver, text  name of the board's module, and Python that runs in its place, "" for none
        form          of its frames; None: as the driver's shape says
        """
        try:
            self._do(f"attempt(watching.begin, {driver!r}, {text!r})")
            form = form or self._form_of_shape(driver)
            self._expect(form)
            self._do(f"attempt(watching.make_room, {form.nbytes})")
            self._taken = lambda: take(self._parts.seen(driver, form))
            code = f"attempt(watching.look_on, {count})"
            self._target.follow(code, self._reader.line_of_many, self.seconds_to_spare)
        except RefusedLine as refused:
            raise refused.error from None
        except ExecError as error:
            last = "\n".join(str(error).strip().splitlines()[-LAST_LINES:])
            raise TargetError(f"{self._target.name}: {driver} raised\n{last}") from None

    def _form_of_shape(self, driver):
        height, width, channels = self._shape or (0, 0, 0)
        if channels not in (1, 3):
            raise TargetError(
                f"{self._target.name}: {driver} has no shape of 1 or 3 channels. --size and"
                " --format say what frames it gives"
            )
        return Form(width, height, "grey" if channels == 1 else "rgb888")

    def _expect(self, form):
        if form != self._form:
            asked = f"{form.width}, {form.height}, {form.format!r}, {form.order!r}"
            self._do(f"attempt(watching.frames_are, {asked})")
            self._form = form

    def _keep(self, kind, value):
        if kind == "shape":
            self._shape = value
        elif kind != "said":
            self._parts.take(kind, value)
            if kind == "times" and self._taken:
                self._taken()
