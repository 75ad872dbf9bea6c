# Frozen into the firmware of every board: the runtime package, squeezed, and without the viper
# kernels, because the C kernels do the same: backend="viper" finds nothing there. opt=3 leaves out
# line numbers.
import os
import sys

sys.path.insert(0, os.path.abspath("."))
from squeeze import needed_paths, squeeze  # noqa: E402
from squeeze.texts import texts_in  # noqa: E402

root = "../../mp_modules/tflm"
squeezed = "../../build/squeezed"
texts = texts_in("../../firmware/tflm/texts.h")
paths = squeeze(root, squeezed + "/tflm", needed_paths(root), texts=texts)
package("tflm", tuple(paths), base_path=squeezed, opt=3)
