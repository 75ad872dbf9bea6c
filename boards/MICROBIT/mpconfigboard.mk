# BBC micro:bit with its Cortex-M0, which faults on misaligned words, and more memory than the real one:
# 256 KB of RAM, and 4.6 MB of flash that hold the firmware and, from 576 KB on, /rom.
QEMU_MACHINE = microbit
QEMU_EXTRA = -global nrf51-soc.flash-size=4784128 -global nrf51-soc.sram-size=262144
BOARD_CPU = Cortex-M0
BOARD_CPU_FLAGS = -mcpu=cortex-m0 -mfloat-abi=soft
BOARD_MPY_ARCH = armv6m
BOARD_GC_HELPER = gchelper_native.o gchelper_thumb1.o
BOARD_UART = nrf51
BOARD_UART_BASE = 0x40002000
BOARD_CLOCK_HZ = 16000000
BOARD_ROMFS_START = 0x00090000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 0
TFLM_ISA = armv6m
MICROPY_HEAP_SIZE ?= 180224

include $(BOARD_DIR)/../common/cortex_m.mk
