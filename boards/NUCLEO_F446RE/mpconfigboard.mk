# ST Nucleo-F446RE: STM32F446 with 512 KB of flash and 128 KB of RAM.
BOARD_UPSTREAM = NUCLEO_F446RE
BOARD_LIBRARIES = stm32lib micropython-lib
BOARD_CPU = Cortex-M4F
BOARD_CLOCK_HZ = 168000000
BOARD_ROMFS_START = 0x08010000
BOARD_ROMFS_SIZE = 0x10000
BOARD_HEAP_SIZE = 92160
TFLM_ISA = dsp
# Its flash is small: what takes little of a model's time is built for size.
TFLM_SMALL_KERNELS = broadcast.c broadcast_add.c broadcast_add_line.c convert.c elementwise.c \
    broadcast_add_pairs.c broadcast_rows.c elementwise_curves.c move.c pad.c pool.c pool_maximum.c reduce.c \
    requantize_row.c rows.c svdf.c table.c bytes.c conv_depthwise.c conv_depthwise_any.c dense.c \
    groups.c quantization.c dispatch.c slices.c describe.c convolution.c

LD_FILES = $(BOARD_DIR)/link.ld boards/common_ifs.ld
include $(BOARD_DIR)/../common/stm32.mk
