# Arm MPS2 with application note AN505: Cortex-M33 with DSP instructions, all in the secure state.
QEMU_MACHINE = mps2-an505
BOARD_CPU = Cortex-M33
BOARD_CPU_FLAGS = -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard
BOARD_MPY_ARCH = armv7emsp
BOARD_GC_HELPER = gchelper_generic.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x50200000
BOARD_CLOCK_HZ = 20000000
BOARD_ROMFS_START = 0x80000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = dsp
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/cortex_m.mk
