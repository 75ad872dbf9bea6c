"""The kinds of files that are given by mistake. Runs on MicroPython, too, for the web page."""

KERAS = "a Keras model: tf.lite.TFLiteConverter.from_keras_model makes a .tflite of it"
SAVED = "TensorFlow's graph: tf.lite.TFLiteConverter.from_saved_model makes a .tflite of it"
ONNX = "an ONNX model: a converter such as onnx2tf makes a .tflite of it"
HTML = "a page of HTML: the download gave that instead of the model"
POINTER = "a pointer of Git LFS: `git lfs pull` fetches the model"
EMPTY = "an empty one: copy or download it again"
ZIP = "a zip archive: unpack it"
BEGINNINGS = (b"\x89HDF", KERAS), (b"version https://git-lfs", POINTER), (b"<", HTML)
ENDINGS = {".onnx": ONNX, ".pb": SAVED}  # which begin like anything
WEIGHTS = b"model.weights.h5"  # a file in the archive of a Keras model


def other(name, data, zipped=None):
    """Return the kind of the file *name*, which is no model; None if the kind is not known.

    zipped  a function without arguments that says what an archive is; None: by its bytes
    """
    if not data:
        return EMPTY
    if data[4:8] == b"TFL3":
        return None
    if data[:2] == b"PK":
        if zipped:
            return zipped()
        return KERAS if WEIGHTS in data else ZIP
    begun = data[:1024].lstrip()
    for beginning, what in BEGINNINGS:
        if begun.startswith(beginning):
            return what
    return ENDINGS.get("." + name.lower().rsplit(".", 1)[-1])
