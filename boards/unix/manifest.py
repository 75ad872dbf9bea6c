# Frozen into the build for this machine: the whole runtime package, viper kernels included, and
# what the scripts of tests_device share.
import os
import sys

sys.path.insert(0, os.path.abspath("../../host_tools"))
from tflm_host.generate.frozen import whole

package("tflm", base_path=str(whole()))
module("tflm_tests.py", base_path="../../tests_device")
