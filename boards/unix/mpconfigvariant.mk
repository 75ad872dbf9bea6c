# MicroPython for this machine, without the libraries that its source package leaves out.
MICROPY_PY_BTREE = 0
MICROPY_PY_FFI = 0
MICROPY_PY_SSL = 0
MICROPY_SSL_MBEDTLS = 0

# Native code of the frozen modules, where mpy-cross knows this machine's processor.
ifeq ($(shell uname -m),x86_64)
MPY_CROSS_FLAGS += -march=x64
endif

FROZEN_MANIFEST ?= $(VARIANT_DIR)/manifest.py
