# An armv6-M build for the Cortex-M3 of MPS2 AN385: Cortex-M0+ code with more memory than a micro:bit
# has. That core forgives misaligned words; MICROBIT does not.
QEMU_MACHINE = mps2-an385
BOARD_CPU = Cortex-M0+
BOARD_CPU_FLAGS = -mcpu=cortex-m0plus -mfloat-abi=soft
BOARD_MPY_ARCH = armv6m
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb1.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x40004000
BOARD_CLOCK_HZ = 25000000
BOARD_ROMFS_START = 0x21000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = armv6m
TFLM_HOT_IN_RAM = 1  # as on an RP2040
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/cortex_m.mk
