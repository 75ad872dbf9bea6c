# Pyboard v1.1: STM32F405 with 1 MB of flash and 192 KB of RAM, of which 128 KB hold the heap.
BOARD_UPSTREAM = PYBV11
BOARD_LIBRARIES = stm32lib micropython-lib
BOARD_CPU = Cortex-M4F
BOARD_CLOCK_HZ = 168000000
BOARD_FLASH_CACHE = 1024
BOARD_ROMFS_START = 0x080c0000
BOARD_ROMFS_SIZE = 0x40000
BOARD_HEAP_SIZE = 102400
TFLM_ISA = dsp

LD_FILES = $(BOARD_DIR)/link.ld boards/common_ifs.ld
include $(BOARD_DIR)/../common/stm32.mk
