# ST Nucleo-F446RE: STM32F446 with 512 KB of flash and 128 KB of RAM.
BOARD_UPSTREAM = NUCLEO_F446RE
BOARD_LIBRARIES = stm32lib micropython-lib
BOARD_CPU = Cortex-M4F
BOARD_CLOCK_HZ = 168000000
BOARD_ROMFS_START = 0x08010000
BOARD_ROMFS_SIZE = 0x10000
BOARD_HEAP_SIZE = 92160
TFLM_ISA = dsp
include $(BOARD_DIR)/../common/stm32_512k.mk

LD_FILES = $(BOARD_DIR)/link.ld boards/common_ifs.ld
include $(BOARD_DIR)/../common/stm32.mk
