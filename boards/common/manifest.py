# Frozen into the firmware of every board: the runtime package, squeezed, and without the viper
# kernels, because the C kernels do the same: backend="viper" finds nothing there. opt=3 leaves out
# line numbers.
import os
import sys

root = "../../mp_modules/tflm"
squeezed = "../../build/squeezed"
paths = []
for folder, _, names in os.walk(root):
    where = os.path.relpath(folder, root)
    for name in names:
        if name.endswith(".py") and (where != "kernels" or name == "__init__.py"):
            paths.append(os.path.normpath(os.path.join(where, name)))
paths.sort()
sys.path.insert(0, os.path.abspath("."))
from squeeze import squeeze  # noqa: E402

paths = squeeze(root, squeezed + "/tflm", paths)
package("tflm", tuple(paths), base_path=squeezed, opt=3)
