# WeAct's BlackPill: STM32F411 with 512 KB of flash and 128 KB of RAM, 96 MHz.
BOARD_UPSTREAM = WEACT_F411_BLACKPILL
BOARD_LIBRARIES = stm32lib micropython-lib
BOARD_CPU = Cortex-M4F
BOARD_CLOCK_HZ = 96000000
BOARD_FLASH_CACHE = 1024
BOARD_ROMFS_START = 0x08010000
BOARD_ROMFS_SIZE = 0x10000
BOARD_HEAP_SIZE = 89024
TFLM_ISA = dsp
include $(BOARD_DIR)/../common/stm32_512k.mk

# The port puts files of its choice behind the vectors else, where link.ld puts others.
MICROPY_HW_ENABLE_ISR_UART_FLASH_FUNCS_IN_RAM = 1
LD_FILES = $(BOARD_DIR)/link.ld boards/common_ifs.ld
include $(BOARD_DIR)/../common/stm32.mk
# Its filesystem of 32 KB is FAT, as on boards of which the port makes drives.
MICROPY_VFS_LFS2 = 0
