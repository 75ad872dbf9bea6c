# QEMU's RISC-V machine with one 32-bit core: integers, products, atomics, short instructions, no FPU.
QEMU_PROGRAM = qemu-system-riscv32
QEMU_MACHINE = virt
QEMU_EXTRA = -bios none
BOARD_CPU = RV32IMAC
BOARD_MPY_ARCH = rv32imc
BOARD_GC_HELPER = gchelper_native.o gchelper_rv32i.o
BOARD_UART = ns16550
BOARD_UART_BASE = 0x10000000
BOARD_CLOCK_HZ = 10000000
BOARD_ROMFS_START = 0x82000000
BOARD_ROMFS_SIZE = 0x400000
BOARD_ROMFS_WRITABLE = 1
MICROPY_HEAP_SIZE ?= 1048576

include $(BOARD_DIR)/../common/rv32.mk
