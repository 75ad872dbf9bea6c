"""Models of TFLite_Detection_PostProcess."""

from functools import partial

from flatbuffers import flexbuffers

from cases.op import Op
from support.draw.one_op import OneOp, pack


def detection(regular, draw):
    groups = draw.size(1, 6)  # of boxes that overlap
    count, classes = groups * draw.size(1, 4), draw.size(1, 4)
    columns, width = classes + draw.size(0, 1), draw.size(4, 6)
    model = OneOp(draw)
    levels = draw.rng.choice((3, 1000))  # so that scores are equal now and then

    def boxes():
        return pack("f", [draw.rng.uniform(-1, 1) for _ in range(count * width)])

    def scores():
        return pack("f", [draw.size(1, levels) / levels for _ in range(count * columns)])

    inputs = [model.input([1, count, width], None, "FLOAT32")]
    model.makers[-1] = boxes
    inputs.append(model.input([1, count, columns], None, "FLOAT32"))
    model.makers[-1] = scores
    anchors = []
    for i in range(count):
        anchors += [20.0 * (i % groups) + draw.rng.random(), draw.rng.random()]
        anchors += [draw.rng.uniform(0.2, 2) for _ in range(2)]
    inputs.append(model.const([count, 4], "FLOAT32", pack("f", anchors)))
    # Without "regular", TFLM leaves what lay behind the last detection: there is one a row.
    most = draw.size(1, 12 if regular else groups)
    options = {
        "max_detections": most,
        "max_classes_per_detection": draw.size(1, 3) if regular else 1,
        "use_regular_nms": regular,
        "nms_score_threshold": draw.rng.uniform(0, 0.9) if regular else 0.0,
        "nms_iou_threshold": draw.rng.choice((0.01, 0.3, 0.6, 1.0)),
        "num_classes": classes,
    }
    options |= {name: draw.rng.uniform(1, 10) for name in ("y_scale", "x_scale")}
    options |= {name: draw.rng.uniform(1, 5) for name in ("h_scale", "w_scale")}
    if draw.odds(0.5):
        options["detections_per_class"] = draw.size(1, 5)
    shapes = ([1, most, 4], [1, most], [1, most], [1])
    outputs = [model.builder.tensor(shape, "FLOAT32") for shape in shapes]
    data = bytes(flexbuffers.Dumps(options))
    model.builder.op("TFLite_Detection_PostProcess", inputs, outputs, custom_options=data)
    return model.builder.build(model.inputs, outputs), model.makers


CASES = {
    "detection": Op(partial(detection, True), kernel="detection"),
    "detection_fast": Op(partial(detection, False), kernel="detection"),
}
