"""Which detector of tflm.detect reads a model's outputs: their shapes tell it.

Runs on MicroPython, too: the web page has it.
"""

CELL = 8  # pixels of the input for each cell of FOMO
FACES = 896  # anchors of BlazeFace
NONE = "none"
# The detectors that shapes tell, by the names of --boxes.
TOLD = {
    "fomo": "Fomo",
    "postprocess": "PostProcess",
    "ssd": "Ssd",
    "yolov5": "YoloV5",
    "yolov8": "YoloV8",
    "blazeface": "BlazeFace",
}


def detector_of(shapes, size):
    """Return a name of TOLD for outputs of *shapes*, tuples, NONE where they do not tell it.

    size  height and width of the input
    """
    if len(shapes) == 1:
        return _of_one(shapes[0], size)
    if len(shapes) == 4 and shapes[0][2:] == (4,) and shapes[1] == shapes[2] == shapes[0][:2]:
        return "postprocess"
    if sorted(shapes) == [(1, FACES, 1), (1, FACES, 16)]:
        return "blazeface"
    if [len(shape) for shape in shapes] == [3, 3, 3] and shapes[1] == shapes[2]:
        scores, boxes = shapes[:2]
        if boxes[2] == 4 and scores[1] == boxes[1] and scores[2] > 1:
            return "ssd"
    return NONE


def _of_one(shape, size):
    if len(shape) == 4 and shape[3] > 1 and tuple(size) == (CELL * shape[1], CELL * shape[2]):
        return "fomo"
    if len(shape) == 3 and shape[0] == 1 and shape[1] > shape[2] >= 6:
        return "yolov5"
    if len(shape) == 3 and shape[0] == 1 and shape[2] > shape[1] >= 5:
        return "yolov8"
    return NONE
