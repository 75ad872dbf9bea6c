"""From boxes and scores to the best detections: TFLite_Detection_PostProcess."""

from struct import pack, unpack

from ..memory.allocator import scratch_arg, tensor_arg
from .common import (
    kernel,
    operator,
    require_elements,
    require_shape,
    require_type,
    row_types,
    set_kernel,
)

RECORDS = {
    # columns: of the boxes, of the scores; background: 1 where their first is of no class; most:
    # detections in all, and of one class; the rest are float32
    "DETECTION": (
        "count",
        "box_columns",
        "score_columns",
        "background",
        "regular",
        "most",
        "most_of_class",
        "least_score",
        "overlap",
        "scales[]",  # of y, x, height and width
    )
}

KERNELS = (
    kernel(
        136,
        "detection",
        record="DETECTION",
        arguments=(
            "raw boxes, raw scores, raw anchors"
            " -> raw output, raw classes, raw output_scores, raw found, s32 scratch"
        ),
        traits="native",
    ),
)

_MOST = 1 << 16


class _Options:
    """The custom options, a map."""

    def __init__(self, node):
        self._node = node
        self._values = node.operator.attributes
        node.expect(isinstance(self._values, dict), "has no map of custom options")

    def number(self, name, default=None, least=1):
        value = self._values.get(name)
        value = default if value is None else value
        self._node.expect(
            isinstance(value, (int, bool)) and least <= value <= _MOST,
            "%s is %s, %d..%d expected",
            name,
            value,
            least,
            _MOST,
        )
        return value

    def real(self, name):
        value = self._values.get(name)
        self._node.expect(
            isinstance(value, (int, float)), "%s is %s, a number expected", name, value
        )
        return float(value)

    def bits(self, name):
        """Return the bits of a float32."""
        return unpack("<i", pack("<f", self.real(name)))[0]


def _prepare_detection(context, node):
    node.expect_counts(3, 3, 4)
    ports = [node.required(i) for i in range(3)] + [node.output(i) for i in range(4)]
    for i, tensor in enumerate(ports):
        what = "input %d" % i if i < 3 else "output %d" % (i - 3)
        require_type(node, tensor, what, *row_types("TFLite_Detection_PostProcess"))
    boxes, scores, anchors = ports[:3]
    count = boxes.shape[1] if len(boxes.shape) > 1 else 0
    node.expect(
        count > 0 and len(boxes.shape) == 3 and boxes.shape[0] == 1 and boxes.shape[2] >= 4,
        "boxes have shape %s",
        boxes.shape,
    )
    options = _Options(node)
    classes = options.number("num_classes")
    columns = scores.elements // count
    require_shape(node, scores, "scores", (1, count, columns))
    node.expect(0 <= columns - classes <= 1, "%d classes, scores of %d", classes, columns)
    require_shape(node, anchors, "anchors", (count, 4))
    most = options.number("max_detections")
    regular = options.number("use_regular_nms", False, 0) != 0
    of_class = options.number("detections_per_class", 100) if regular else most
    for i, size in enumerate((4 * most, most, most, 1)):
        require_elements(node, node.output(i), "output %d" % i, size)
    each = options.number("max_classes_per_detection")
    node.expect(
        regular or min(each, classes) == 1, "max_classes_per_detection is %d, 1 expected", each
    )
    overlap = options.real("nms_iou_threshold")
    node.expect(0 < overlap <= 1, "nms_iou_threshold is %s, 0 to 1 expected", overlap)
    operator = node.operator
    words = 4 * count + (2 * most if regular else 2 * count) + (count + 3) // 4
    args = [tensor_arg(i) for i in operator.inputs + operator.outputs]
    args.append(scratch_arg(context.request_scratch_buffer(node, 4 * words)))
    set_kernel(
        context,
        node,
        "detection",
        args,
        count=count,
        box_columns=boxes.shape[2],
        score_columns=columns,
        background=columns - classes,
        regular=int(regular),
        most=most,
        most_of_class=of_class,
        least_score=options.bits("nms_score_threshold"),
        overlap=options.bits("nms_iou_threshold"),
        scales=[options.bits(name) for name in ("y_scale", "x_scale", "h_scale", "w_scale")],
    )


OPERATORS = (
    operator(
        "TFLite_Detection_PostProcess",
        _prepare_detection,
        "TFLite_Detection_PostProcess",
        version=1,
        uint8="own",
        types="float32",
        notes="fast: 1 class a detection; none where a box is empty",
    ),
)
