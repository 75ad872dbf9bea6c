# What all STM32 boards share. A board's mpconfigboard.mk sets these, then includes this file
# (host_tools/tflm_host/targets/boards.py reads them too, so they are plain `NAME = value`):
#   BOARD_UPSTREAM    MicroPython's board of which this is a variant, with pins, clocks and drivers;
#                     none: everything is in the board's own folder
#   BOARD_LIBRARIES   submodules of MicroPython that it needs, in lib/
#   BOARD_CPU, BOARD_CLOCK_HZ
#   BOARD_ROMFS_START, BOARD_ROMFS_SIZE   of /rom, whole sectors of the flash, as in link.ld
#   BOARD_FLASH_CACHE 1024 where `tflm prepare` counts the flash of an STM32F4: flash_cache.py
#   BOARD_HEAP_SIZE   bytes that MicroPython's garbage collector manages, at least
#   QEMU_MACHINE      -M of qemu-system-arm, where it emulates the board
# Its link.ld divides flash and RAM; its LD_FILES name that and one of MicroPython's scripts.
BOARD_OWN_DIR := $(abspath $(BOARD_DIR))
BOARD_COMMON := $(abspath $(BOARD_DIR)/../common)
FROZEN_MANIFEST ?= $(BOARD_OWN_DIR)/manifest.py

ifeq ($(USE_MBOOT),1)
$(error $(BOARD): its memory map has no room for Mboot)
endif

ifdef BOARD_UPSTREAM
BOARD_OWN_LD_FILES := $(LD_FILES)
override BOARD_DIR := boards/$(BOARD_UPSTREAM)
include $(BOARD_DIR)/mpconfigboard.mk
LD_FILES := $(BOARD_OWN_LD_FILES)
# In front of upstream's folder: our mpconfigboard.h is found first, and includes upstream's.
CFLAGS += -I$(BOARD_OWN_DIR)
QSTR_GLOBAL_DEPENDENCIES += $(BOARD_OWN_DIR)/mpconfigboard.h
endif
LDFLAGS += -L$(BOARD_COMMON)
