"""Which detector of tflm.detect makes things of a model's outputs: by name, or by their shapes."""

from types import SimpleNamespace

from tflm import detect

from .files import InputError
from .samples import tensor_of
from .told import NONE, TOLD, detector_of

TENSORFLOW = (10, 10, 5, 5)  # scales of SSD models of TensorFlow
# Each name of --boxes: the detector, what it is given besides, and whether it needs anchors.
DETECTORS = {
    **{name: (kind, {}, False) for name, kind in TOLD.items()},
    "ssd-tensorflow": ("Ssd", {"scales": TENSORFLOW}, False),
    "yolov2": ("YoloV2", {}, True),
    "heat": ("Heat", {}, False),
}


def told_by(graph):
    """Return the name of the detector that the shapes of *graph* tell, NONE where they do not."""
    shapes = [tuple(graph.tensor(i).shape) for i in graph.outputs]
    return detector_of(shapes, graph.tensor(graph.inputs[0]).shape[1:3])


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
