# Board support for ports/qemu on Cortex-M and RISC-V. Only boards/common/qemu.mk asks for it, by
# naming the board's UART: every other port that builds firmware/ passes it by.
ifdef BOARD_UART
QEMU_BOARD_DIR := $(USERMOD_DIR)
SRC_USERMOD_C += $(addprefix $(QEMU_BOARD_DIR)/, \
    clock.c clock_$(QEMU_ARCH).c modqemu_board.c romfs.c startup_$(QEMU_ARCH).c stdio.c \
    uart_$(BOARD_UART).c)
CFLAGS_USERMOD += -I$(QEMU_BOARD_DIR)

# What the port has of the same, more from version to version, gets names that nothing calls.
QEMU_BOARD_REPLACES := mp_hal_stdio_poll mp_vfs_rom_ioctl mp_hal_delay_ms mp_hal_delay_us \
    mp_hal_ticks_cpu mp_hal_ticks_ms mp_hal_ticks_us mp_hal_time_ns
$(BUILD)/mphalport.o $(BUILD)/vfs_rom_ioctl.o: \
    CFLAGS += $(foreach name,$(QEMU_BOARD_REPLACES),-D$(name)=port_$(name))
endif
