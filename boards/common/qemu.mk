# What all boards of MicroPython's QEMU port share, whatever their core: see cortex_m.mk.
BOARD_COMMON := $(abspath $(BOARD_DIR)/../common)

CFLAGS += -DMP_CONFIGFILE='"$(BOARD_COMMON)/mpconfigboard.h"'
CFLAGS += -DMICROPY_HW_MCU_NAME='"$(BOARD_CPU)"'
CFLAGS += $(foreach name,CLOCK_HZ UART_BASE ROMFS_START ROMFS_SIZE ROMFS_WRITABLE, \
    -DBOARD_$(name)=$(BOARD_$(name)))

LDSCRIPT = $(BOARD_DIR)/link.ld
LDFLAGS += -L$(BOARD_COMMON)
MPY_CROSS_FLAGS += -march=$(BOARD_MPY_ARCH)
FROZEN_MANIFEST ?= $(BOARD_DIR)/manifest.py
