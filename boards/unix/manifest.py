# Frozen into the build for this machine: the whole runtime package.
package("tflm", base_path="../../mp_modules")
