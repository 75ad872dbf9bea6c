# The module `_tflm` for ports that build with make: USER_C_MODULES=<this clone>/firmware
#   TFLM_ISA      folder of kernels/ whose files replace those of portable/ (default: portable)
#   TFLM_OPS      the kernels to build, with commas between (default: all): `tflm ops MODEL...`;
#                 prepared: all of them, and no Python for models that are not prepared
#   TFLM_SMALL_KERNELS  more files of kernels that are built for size, for a board whose flash is full
#   TFLM_SPEED_MORE  more options of the files that are built for speed
#   TFLM_HOT_IN_RAM  1 for a board that reads its flash through a small cache: see
#                 kernels/armv6m/core.h; its linker script knows sections .time_critical*
#   TFLM_CHECKED  1 in builds with a sanitizer
TFLM_ISA ?= portable

TFLM_DIR := $(USERMOD_DIR)
TFLM_BUILD := $(abspath $(TFLM_DIR)/../../build)
# A folder, then macros.
TFLM_MADE := $(shell PYTHONPATH=$(TFLM_DIR)/../../host_tools python3 -m tflm_host.generate \
    --frozen '$(TFLM_OPS)')
TFLM_FROZEN := $(firstword $(TFLM_MADE))
ifeq ($(TFLM_FROZEN),)
$(error tflm_host.generate has failed)
endif
include $(TFLM_BUILD)/generated/sources.mk
TFLM_FAST_C := $(addprefix $(TFLM_DIR)/,$(TFLM_FAST) $(TFLM_KERNELS_$(TFLM_ISA)))
TFLM_C := $(TFLM_FAST_C) $(addprefix $(TFLM_DIR)/,$(TFLM_SMALL))
CFLAGS_USERMOD += -I$(TFLM_DIR) -I$(TFLM_BUILD) -I$(TFLM_FROZEN)
CFLAGS_USERMOD += -DTFLM_ISA=$(TFLM_ISA)
CFLAGS_USERMOD += $(addprefix -D,$(wordlist 2,$(words $(TFLM_MADE)),$(TFLM_MADE)))
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

# Which files have which options, and why: host_tools/tflm_host/generate/sources.py.
TFLM_O := $(patsubst $(USER_C_MODULES)/%.c,$(BUILD)/%.o,$(TFLM_FAST_C))
$(TFLM_O): CFLAGS += $(TFLM_FAST_OPTIONS)
TFLM_SMALL_KERNELS += $(if $(TFLM_OPS),$(TFLM_SMALL_SELECTED))
TFLM_SMALL_O := $(patsubst %.c,%.o,$(TFLM_KERNELS_SMALL) $(TFLM_SMALL_KERNELS))
$(filter-out $(addprefix %/,$(TFLM_SMALL_O)),$(TFLM_O)): CFLAGS += $(TFLM_SPEED) $(TFLM_SPEED_MORE)
# What `make size` reads, of GCC: the stack that each function takes, and which ones it calls.
TFLM_ALL_O := $(patsubst $(USER_C_MODULES)/%.c,$(BUILD)/%.o,$(TFLM_C))
$(TFLM_ALL_O): CFLAGS += $(if $(CROSS_COMPILE),-fcallgraph-info=su)

# make goes by times and notices no other options, and no other order of linking. So the objects
# depend on this file, which is written where its contents change: the options, then the order.
TFLM_OPTIONS := $(BUILD)/tflm/options
TFLM_OPTIONS_TEXT := $(CFLAGS) $(CFLAGS_USERMOD) $(TFLM_FAST_OPTIONS) for speed: $(TFLM_SPEED) \
    $(TFLM_SPEED_MORE) without: $(TFLM_SMALL) $(TFLM_KERNELS_SMALL) $(TFLM_SMALL_KERNELS) \
    in this order: $(TFLM_FAST_C)
TFLM_OPTIONS_PRINT := printf '%s\n' '$(subst ','\'',$(TFLM_OPTIONS_TEXT))'
$(TFLM_OPTIONS): FORCE
	@mkdir -p $(@D); $(TFLM_OPTIONS_PRINT) | cmp -s - $@ || $(TFLM_OPTIONS_PRINT) >$@
$(TFLM_ALL_O) $(BUILD)/tflm/modtflm.o: $(TFLM_OPTIONS)
