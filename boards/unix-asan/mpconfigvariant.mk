# The unix build with the address and undefined behaviour sanitizers, and module `guarded`.
include $(VARIANT_DIR)/../unix/mpconfigvariant.mk

SANITIZE = -fsanitize=address,undefined -fno-sanitize=nonnull-attribute -fno-omit-frame-pointer
# The garbage collector must find roots on the real stack.
CFLAGS += $(SANITIZE) --param asan-use-after-return=0 -g
LDFLAGS += $(SANITIZE)
TFLM_GUARDED = 1
