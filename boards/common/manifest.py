# Frozen into every firmware: the whole runtime package.
package("tflm", base_path="../../mp_modules")
