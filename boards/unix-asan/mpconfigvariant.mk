# The unix build with the address and undefined behaviour sanitizers: kernels work on copies of
# arena and model in blocks of their own, so that one byte past either is found.
include $(VARIANT_DIR)/../unix/mpconfigvariant.mk

SANITIZE = -fsanitize=address,undefined -fno-sanitize=nonnull-attribute
SANITIZE += -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# The garbage collector must find roots on the real stack.
CFLAGS += $(SANITIZE) --param asan-use-after-return=0 -g
LDFLAGS += $(SANITIZE)
TFLM_CHECKED = 1
