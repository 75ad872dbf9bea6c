# Frozen into the firmware of every board: the runtime package without the viper kernels, because
# the C kernels do the same. So backend="viper" finds nothing there.
import os

root = "../../mp_modules"
files = []
for folder, _, names in os.walk(root + "/tflm"):
    where = folder[len(root + "/tflm/") :]
    for name in names:
        if name.endswith(".py") and (where != "kernels" or name == "__init__.py"):
            files.append(os.path.join(where, name))
# Without line numbers and asserts: a tenth less.
package("tflm", tuple(sorted(files)), base_path=root, opt=3)
