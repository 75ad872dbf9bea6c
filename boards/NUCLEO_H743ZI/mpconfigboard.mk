# ST Nucleo-H743ZI: STM32H743 with a double-precision FPU, 2 MB of flash and 1 MB of RAM, of which
# 512 KB hold the heap.
BOARD_UPSTREAM = NUCLEO_H743ZI
BOARD_LIBRARIES = stm32lib micropython-lib lwip mbedtls
BOARD_CPU = Cortex-M7
BOARD_CLOCK_HZ = 400000000
BOARD_ROMFS_START = 0x080e0000
BOARD_ROMFS_SIZE = 0xa0000
BOARD_HEAP_SIZE = 456704
TFLM_ISA = dsp

LD_FILES = $(BOARD_DIR)/link.ld boards/common_basic.ld
include $(BOARD_DIR)/../common/stm32.mk
