# The module `_tflm` for ports that build with make: USER_C_MODULES=<this clone>/firmware
#   TFLM_ISA      folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS      the kernels to build, with commas between (default: all): `tflm ops MODEL...`
#   TFLM_CHECKED  1 in builds with a sanitizer
TFLM_ISA ?= portable

TFLM_DIR := $(USERMOD_DIR)
TFLM_ISA_NAMES := $(notdir $(wildcard $(TFLM_DIR)/kernels/$(TFLM_ISA)/*.c))
TFLM_PORTABLE_NAMES := $(notdir $(wildcard $(TFLM_DIR)/kernels/portable/*.c))
TFLM_C := $(TFLM_DIR)/runner.c $(TFLM_DIR)/slices.c $(TFLM_DIR)/dispatch.c $(TFLM_DIR)/flatbuffer.c $(TFLM_DIR)/describe.c $(TFLM_DIR)/convolution.c $(TFLM_DIR)/elements.c $(TFLM_DIR)/quantization.c $(wildcard $(TFLM_DIR)/kernels/*.c)
TFLM_C += $(addprefix $(TFLM_DIR)/kernels/$(TFLM_ISA)/,$(TFLM_ISA_NAMES))
TFLM_C += $(addprefix $(TFLM_DIR)/kernels/portable/,$(filter-out $(TFLM_ISA_NAMES),$(TFLM_PORTABLE_NAMES)))
CFLAGS_USERMOD += -DTFLM_ISA=$(TFLM_ISA)
ifneq ($(TFLM_OPS),)
comma := ,
TFLM_KEPT := $(shell echo '$(subst $(comma), ,$(TFLM_OPS))' | tr a-z A-Z)
CFLAGS_USERMOD += -DTFLM_HAS_DEFAULT=0 $(foreach kernel,$(TFLM_KEPT),-DTFLM_HAS_$(kernel)=1)
endif
ifeq ($(TFLM_CHECKED),1)
TFLM_C += $(TFLM_DIR)/checked.c
CFLAGS_USERMOD += -DTFLM_CHECKED
endif

SRC_USERMOD_C += $(TFLM_DIR)/modtflm.c
SRC_USERMOD_LIB_C += $(TFLM_C)

# Ports optimise for size. Kernels are where the time goes, not what reads models; and a float
# kernel whose products and sums were contracted would not be equal on all cores.
TFLM_FAST := $(filter-out $(addprefix $(TFLM_DIR)/,flatbuffer.c describe.c convolution.c slices.c elements.c),$(TFLM_C))
TFLM_O := $(patsubst $(USER_C_MODULES)/%.c,$(BUILD)/%.o,$(TFLM_FAST))
$(TFLM_O): CFLAGS += -O2 -ffp-contract=off
