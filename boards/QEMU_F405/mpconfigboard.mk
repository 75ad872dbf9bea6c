# An STM32F405 as QEMU emulates it, in its netduinoplus2: the firmware of MicroPython's STM32 port
# with what is emulated, which is the core, the memories, SysTick and the serial ports.
QEMU_MACHINE = netduinoplus2
BOARD_LIBRARIES = stm32lib
BOARD_CPU = Cortex-M4F
BOARD_CLOCK_HZ = 168000000
BOARD_FLASH_CACHE = 1024
BOARD_ROMFS_START = 0x080a0000
BOARD_ROMFS_SIZE = 0x60000
BOARD_HEAP_SIZE = 109568
TFLM_ISA = dsp

MCU_SERIES = f4
CMSIS_MCU = STM32F405xx
AF_FILE = boards/stm32f405_af.csv
LD_FILES = $(BOARD_DIR)/link.ld boards/common_basic.ld
TEXT0_ADDR = 0x08000000
include $(BOARD_DIR)/../common/stm32.mk
