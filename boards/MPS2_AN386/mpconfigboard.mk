# Arm MPS2 with application note AN386: Cortex-M4F with DSP instructions.
QEMU_MACHINE = mps2-an386
BOARD_CPU = Cortex-M4F
BOARD_CPU_FLAGS = -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard
BOARD_MPY_ARCH = armv7emsp
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb2.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x40004000
BOARD_CLOCK_HZ = 25000000
BOARD_ROMFS_START = 0x21000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = dsp
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/cortex_m.mk
