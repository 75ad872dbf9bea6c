# Arm MPS2 with application note AN385: Cortex-M3.
QEMU_MACHINE = mps2-an385
BOARD_CPU = Cortex-M3
BOARD_CPU_FLAGS = -mcpu=cortex-m3 -mfloat-abi=soft
BOARD_MPY_ARCH = armv7m
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb2.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x40004000
BOARD_CLOCK_HZ = 25000000
BOARD_ROMFS_START = 0x21000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = armv6m
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/cortex_m.mk
