# Arm MPS3 with application note AN547: Cortex-M55 with the vector extension (MVE).
QEMU_MACHINE = mps3-an547
BOARD_CPU = Cortex-M55
BOARD_CPU_FLAGS = -mcpu=cortex-m55 -mfloat-abi=hard
BOARD_MPY_ARCH = armv7emdp
BOARD_GC_HELPER = gchelper_generic.o
BOARD_UART = cmsdk
BOARD_UART_BASE = 0x59303000
BOARD_CLOCK_HZ = 32000000
BOARD_ROMFS_START = 0x60000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
TFLM_ISA = mve
MICROPY_HEAP_SIZE ?= 1048576

# GCC 12.2 counts loops of a Cortex-M55 in a register of its own. At -Os it then took the rest of a
# loop in pairs for certain: a loop over 2 of 2 values wrote a third (tflm_unpack_s4). Files built
# for speed keep that register, which their low-overhead loops need.
CFLAGS += -fno-branch-count-reg
TFLM_SPEED_MORE = -fbranch-count-reg

include $(BOARD_DIR)/../common/cortex_m.mk
