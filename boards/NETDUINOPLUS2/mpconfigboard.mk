# Netduino Plus 2: Cortex-M4F with the memory map of an STM32F405. 448 KB of its flash are /rom.
QEMU_MACHINE = netduinoplus2
BOARD_CPU = Cortex-M4F
BOARD_CPU_FLAGS = -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard
BOARD_MPY_ARCH = armv7emsp
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb2.o
BOARD_UART = stm32
BOARD_UART_BASE = 0x40011000
BOARD_CLOCK_HZ = 168000000
BOARD_ROMFS_START = 0x08090000
BOARD_ROMFS_SIZE = 0x70000
BOARD_ROMFS_WRITABLE = 0
TFLM_ISA = dsp
MICROPY_HEAP_SIZE ?= 90112
include $(BOARD_DIR)/../common/stm32_512k.mk

include $(BOARD_DIR)/../common/cortex_m.mk
