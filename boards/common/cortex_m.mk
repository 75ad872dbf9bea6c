# What all emulated Cortex-M boards share. A board's mpconfigboard.mk sets these, then includes
# this file (tflm_host/targets/boards.py reads them too, so they are plain `NAME = value`):
#   QEMU_MACHINE      -M of qemu-system-arm;  QEMU_EXTRA  further options
#   BOARD_CPU         name of the core, as os.uname() shows it
#   BOARD_CPU_FLAGS   its compiler flags;  BOARD_MPY_ARCH  its name for mpy-cross
#   BOARD_GC_HELPER   objects of shared/runtime/ that collect its registers
#   BOARD_UART        cmsdk, nrf51, ...: one of firmware/qemu_board/uart_*.c, at BOARD_UART_BASE
#   BOARD_CLOCK_HZ    of its timer
#   BOARD_ROMFS_START, BOARD_ROMFS_SIZE, BOARD_ROMFS_WRITABLE  where /rom is; 1 in RAM, else 0
#   MICROPY_HEAP_SIZE bytes of the garbage-collected heap
QEMU_ARCH = arm

CFLAGS += -mthumb $(BOARD_CPU_FLAGS)
SRC_BOARD_O = $(addprefix shared/runtime/,$(BOARD_GC_HELPER))

include $(BOARD_DIR)/../common/qemu.mk
