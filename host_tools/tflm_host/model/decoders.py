"""Which detector of tflm.detect makes things of a model's outputs: by name, or by their shapes."""

from types import SimpleNamespace

from tflm import detect

from .files import InputError
from .samples import tensor_of

CELL = 8  # pixels of the input for each cell of FOMO
FACES = 896  # anchors of BlazeFace
TENSORFLOW = (10, 10, 5, 5)  # scales of SSD models of TensorFlow
NONE = "none"
# Each name of --boxes: the detector, what it is given besides, and whether it needs anchors.
DETECTORS = {
    "fomo": ("Fomo", {}, False),
    "postprocess": ("PostProcess", {}, False),
    "ssd": ("Ssd", {}, False),
    "ssd-tensorflow": ("Ssd", {"scales": TENSORFLOW}, False),
    "yolov2": ("YoloV2", {}, True),
    "yolov5": ("YoloV5", {}, False),
    "yolov8": ("YoloV8", {}, False),
    "blazeface": ("BlazeFace", {}, False),
    "heat": ("Heat", {}, False),
}


def told_by(graph):
    """Return the name of the detector that the shapes of *graph* tell, NONE where they do not."""
    shapes = [tuple(graph.tensor(i).shape) for i in graph.outputs]
    size = tuple(graph.tensor(graph.inputs[0]).shape[1:3])
    if len(shapes) == 1:
        return _of_one(shapes[0], size)
    if len(shapes) == 4 and shapes[0][2:] == (4,) and shapes[1] == shapes[2] == shapes[0][:2]:
        return "postprocess"
    flat = [len(shape) == 3 for shape in shapes]
    if sorted(shapes) == [(1, FACES, 1), (1, FACES, 16)]:
        return "blazeface"
    if len(shapes) == 3 and all(flat) and shapes[1] == shapes[2] and shapes[1][2] == 4:
        return "ssd" if shapes[0][1] == shapes[1][1] and shapes[0][2] > 1 else NONE
    return NONE


def _of_one(shape, size):
    if len(shape) == 4 and shape[3] > 1 and size == (CELL * shape[1], CELL * shape[2]):
        return "fomo"
    if len(shape) == 3 and shape[0] == 1 and shape[1] > shape[2] >= 6:
        return "yolov5"
    if len(shape) == 3 and shape[0] == 1 and shape[2] > shape[1] >= 5:
        return "yolov8"
    return NONE


class Decoder:
    """Makes Things of the bytes of outputs.

    graph    the model's subgraph
    name     of DETECTORS, or NONE: there are no Things
    anchors  [(width, height)], parts of the input
    labels, threshold  as of tflm.detect.boxes.Detector
    Raises InputError where the outputs are not of this detector.
    """

    def __init__(self, graph, name, labels=None, threshold=0.5, anchors=None):
        self.name = name
        self._inputs = [graph.tensor(i) for i in graph.inputs]
        self._outputs = [graph.tensor(i) for i in graph.outputs]
        self._options = {"labels": labels, "threshold": threshold}
        if name == NONE:
            return
        kind, more, needs = DETECTORS[name]
        if needs and not anchors:
            raise InputError(f"--boxes {name} needs --anchors")
        self._make = getattr(detect, kind)
        self._options.update(more)
        if kind == "BlazeFace" and labels is None:
            del self._options["labels"]
        if needs:
            self._options["anchors"] = anchors
        self.things([bytes(info.nbytes) for info in self._outputs])

    def things(self, outputs, fit=None):
        """Return the Things of *outputs*, in pixels of the frame of *fit*."""
        if self.name == NONE:
            return []
        tensors = [tensor_of(i, data) for i, data in zip(self._outputs, outputs, strict=True)]
        look = SimpleNamespace(inputs=[tensor_of(i) for i in self._inputs], outputs=tensors)
        try:
            return list(self._make(look, fit=fit, **self._options))
        except (TypeError, ValueError, IndexError) as error:
            raise InputError(f"--boxes {self.name}: {error}") from None
