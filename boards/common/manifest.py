# Frozen into the firmware of every board: the runtime package, squeezed, and without the viper
# kernels, because the C kernels do the same: backend="viper" finds nothing there. TFLM_OPS picks
# what is frozen as it picks kernels: the families of these, or "prepared". opt=3 leaves out line
# numbers.
import os
import sys

sys.path.insert(0, os.path.abspath("../../host_tools"))
from tflm_host.generate.frozen import freeze

folder, paths = freeze(os.environ.get("TFLM_OPS", ""))
package("tflm", tuple(paths), base_path=folder, opt=3)
