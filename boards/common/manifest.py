# Frozen into the firmware of every board: the runtime package, minified, and without the viper
# kernels, because the C kernels do the same: backend="viper" finds nothing there. TFLM_OPS picks
# what is frozen as it picks kernels: the families of these, or "prepared". opt=3 leaves out line
# numbers. Firmware with all operators also has what the scripts of tests_device share; tests=False
# leaves it out. camera=True adds what only boards with an RP2040 or RP2350 can use.
import os
import sys

sys.path.insert(0, os.path.abspath("../../host_tools"))
from tflm_host.generate.frozen import freeze

options.defaults(tests=True, camera=False)
ops = os.environ.get("TFLM_OPS", "")
folder, paths = freeze(ops)
if not options.camera:
    paths = [path for path in paths if path != "camera.py"]
package("tflm", tuple(paths), base_path=folder, opt=3)
if options.tests and not ops:
    module("tflm_tests.py", base_path="../../tests_device", opt=3)
