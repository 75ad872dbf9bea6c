# The runtime package without the viper kernels, for a board whose flash does not hold both them
# and the C kernels, which do the same: backend="viper" finds nothing there.
import os

root = "../../mp_modules"
files = []
for folder, _, names in os.walk(root + "/tflm"):
    where = folder[len(root + "/tflm/") :]
    for name in names:
        if name.endswith(".py") and (where != "kernels" or name == "__init__.py"):
            files.append(os.path.join(where, name))
package("tflm", tuple(sorted(files)), base_path=root)
