"""What a model of pictures has found: things with a label, a score and a box.

    for thing in Fomo(look, labels=("red", "blue"), fit=fit):
        print(thing)                     # red 0.93 at 40,56 16x16, in the frame's pixels

A detector reads the outputs of the last run each time that it is iterated over. All of its
arithmetic is on whole numbers, so things are the same on boards and on the PC.
"""

from ..base.files import imported

# Each detector: its module, which is imported on first use.
_LATER = {
    "BlazeFace": "detect.faces",
    "Fomo": "detect.fomo",
    "Heat": "detect.heat",
    "PostProcess": "detect.ssd",
    "Ssd": "detect.ssd",
    "YoloV2": "detect.yolo_grid",
    "YoloV3": "detect.yolo_grid",
    "YoloV5": "detect.yolo_rows",
    "YoloV8": "detect.yolo_rows",
    "read_labels": "detect.labels",
}


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError("module 'tflm.detect' has no attribute '%s'" % name)
    globals()[name] = found = imported("tflm.detect", _LATER[name][7:], name)
    return found
