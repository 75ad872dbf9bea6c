# What all emulated Cortex-M boards share. A board's mpconfigboard.mk sets these, then includes
# this file (tflm_host/targets/boards.py reads them too, so they are plain `NAME = value`):
#   QEMU_MACHINE      -M of qemu-system-arm;  QEMU_EXTRA  further options
#   BOARD_CPU         name of the core, as os.uname() shows it
#   BOARD_CPU_FLAGS   its compiler flags;  BOARD_MPY_ARCH  its name for mpy-cross
#   BOARD_GC_HELPER   objects of shared/runtime/ that collect its registers
#   BOARD_UART        cmsdk, nrf51, ...: one of firmware/qemu_board/uart_*.c, at BOARD_UART_BASE
#   BOARD_CLOCK_HZ    of SysTick
#   BOARD_ROMFS_START, BOARD_ROMFS_SIZE, BOARD_ROMFS_WRITABLE  where /rom is; 1 in RAM, else 0
#   MICROPY_HEAP_SIZE bytes of the garbage-collected heap
QEMU_ARCH = arm
BOARD_COMMON := $(abspath $(BOARD_DIR)/../common)

CFLAGS += -mthumb $(BOARD_CPU_FLAGS)
CFLAGS += -DMP_CONFIGFILE='"$(BOARD_COMMON)/mpconfigboard.h"'
CFLAGS += -DMICROPY_HW_MCU_NAME='"$(BOARD_CPU)"'
CFLAGS += $(foreach name,CLOCK_HZ UART_BASE ROMFS_START ROMFS_SIZE ROMFS_WRITABLE, \
    -DBOARD_$(name)=$(BOARD_$(name)))

LDSCRIPT = $(BOARD_DIR)/link.ld
LDFLAGS += -L$(BOARD_COMMON)
SRC_BOARD_O = $(addprefix shared/runtime/,$(BOARD_GC_HELPER))
MPY_CROSS_FLAGS += -march=$(BOARD_MPY_ARCH)
FROZEN_MANIFEST ?= $(BOARD_DIR)/manifest.py
