# What emulated boards with a 32-bit RISC-V core share. They set what cortex_m.mk says, but
#   QEMU_PROGRAM      the emulator
#   BOARD_CPU_FLAGS   is the port's own: -march and -mabi
QEMU_ARCH = riscv32

# Debian's compiler finds its libraries by this name, and not by the port's rv32imac_zicsr. Of the
# older specification, it has the instructions of zicsr.
RV32_ARCH = rv32imac
AFLAGS += -misa-spec=2.2

SRC_BOARD_O = $(addprefix shared/runtime/,$(BOARD_GC_HELPER))

include $(BOARD_DIR)/../common/qemu.mk
