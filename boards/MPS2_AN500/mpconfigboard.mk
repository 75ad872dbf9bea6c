# Arm MPS2 with application note AN500: Cortex-M7 with a double-precision FPU.
QEMU_MACHINE = mps2-an500
BOARD_CPU = Cortex-M7
BOARD_CPU_FLAGS = -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard
BOARD_MPY_ARCH = armv7emdp
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb2.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x40004000
BOARD_CLOCK_HZ = 25000000
BOARD_ROMFS_START = 0x60000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = dsp
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/cortex_m.mk
