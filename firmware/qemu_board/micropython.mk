# Board support for ports/qemu on Cortex-M. Only boards/common/cortex_m.mk asks for it, by naming
# the board's UART: every other port that builds firmware/ passes it by.
ifdef BOARD_UART
QEMU_BOARD_DIR := $(USERMOD_DIR)
SRC_USERMOD_C += $(addprefix $(QEMU_BOARD_DIR)/, \
    clock.c modqemu_board.c romfs.c startup.c stdio.c uart_$(BOARD_UART).c)
CFLAGS_USERMOD += -I$(QEMU_BOARD_DIR)
LDFLAGS_USERMOD += -Wl,--wrap=mp_hal_stdio_poll
endif
