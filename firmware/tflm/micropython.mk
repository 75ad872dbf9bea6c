# The module `_tflm` for ports that build with make: USER_C_MODULES=<this clone>/firmware
#   TFLM_ISA      folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS      the kernels to build, with commas between (default: all): `tflm ops MODEL...`;
#                 prepared: all of them, and no Python for models that are not prepared
#   TFLM_SMALL_KERNELS  more files of kernels that are built for size, for a board whose flash is full
#   TFLM_HOT_IN_RAM  1 for a board that reads its flash through a small cache: see
#                 kernels/armv6m/core.h; its linker script knows sections .time_critical*
#   TFLM_CHECKED  1 in builds with a sanitizer
TFLM_ISA ?= portable

TFLM_DIR := $(USERMOD_DIR)
TFLM_BUILD := $(abspath $(TFLM_DIR)/../../build)
TFLM_FROZEN := $(shell PYTHONPATH=$(TFLM_DIR)/../../host_tools python3 -m tflm_host.generate \
    --frozen '$(TFLM_OPS)')
ifeq ($(TFLM_FROZEN),)
$(error tflm_host.generate has failed)
endif
include $(TFLM_BUILD)/generated/sources.mk
TFLM_FAST_C := $(addprefix $(TFLM_DIR)/,$(TFLM_FAST) $(TFLM_KERNELS_$(TFLM_ISA)))
TFLM_C := $(TFLM_FAST_C) $(addprefix $(TFLM_DIR)/,$(TFLM_SMALL))
CFLAGS_USERMOD += -I$(TFLM_DIR) -I$(TFLM_BUILD) -I$(TFLM_FROZEN)
CFLAGS_USERMOD += -DTFLM_ISA=$(TFLM_ISA)
ifneq ($(filter-out prepared%,$(TFLM_OPS)),)
comma := ,
TFLM_KEPT := $(shell echo '$(subst $(comma), ,$(TFLM_OPS))' | tr a-z A-Z)
CFLAGS_USERMOD += -DTFLM_HAS_DEFAULT=0 $(foreach kernel,$(TFLM_KEPT),-DTFLM_HAS_$(kernel)=1)
endif
ifneq ($(filter prepared%,$(TFLM_OPS)),)
ifeq ($(findstring audio,$(TFLM_OPS))$(findstring listen,$(TFLM_OPS)),)
CFLAGS_USERMOD += -DTFLM_HAS_AUDIO=0
endif
endif
ifeq ($(strip $(TFLM_HOT_IN_RAM)),1)
CFLAGS_USERMOD += -DTFLM_HOT_IN_RAM
endif
ifeq ($(TFLM_CHECKED),1)
TFLM_FAST_C += $(TFLM_DIR)/checked.c
TFLM_C += $(TFLM_DIR)/checked.c
CFLAGS_USERMOD += -DTFLM_CHECKED
endif

SRC_USERMOD_C += $(TFLM_DIR)/modtflm.c
SRC_USERMOD_LIB_C += $(TFLM_C)

# Ports optimise for size. Kernels are where the time goes, not what reads models; and a float
# kernel whose products and sums were contracted would not be equal on all cores. Nor would e^x be
# with constants of single precision, which is what ports for cores with an FPU make of them.
TFLM_O := $(patsubst $(USER_C_MODULES)/%.c,$(BUILD)/%.o,$(TFLM_FAST_C))
$(TFLM_O): CFLAGS += -ffp-contract=off -fno-single-precision-constant
TFLM_SMALL_O := $(patsubst %.c,%.o,$(TFLM_KERNELS_SMALL) $(TFLM_SMALL_KERNELS))
$(filter-out $(addprefix %/,$(TFLM_SMALL_O)),$(TFLM_O)): CFLAGS += -O2
# What `make size` reads, of GCC: the stack that each function takes, and which ones it calls.
TFLM_ALL_O := $(patsubst $(USER_C_MODULES)/%.c,$(BUILD)/%.o,$(TFLM_C))
$(TFLM_ALL_O): CFLAGS += $(if $(CROSS_COMPILE),-fcallgraph-info=su)
