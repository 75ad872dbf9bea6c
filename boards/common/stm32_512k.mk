# A board with 512 KB of flash: what takes little of a model's time is built for size.
TFLM_SMALL_KERNELS = broadcast.c broadcast_add.c broadcast_add_line.c convert.c elementwise.c \
    broadcast_add_pairs.c broadcast_rows.c elementwise_curves.c move.c pad.c pool.c pool_maximum.c reduce.c \
    requantize_row.c rows.c svdf.c table.c bytes.c conv_depthwise.c conv_depthwise_any.c dense.c \
    groups.c quantization.c dispatch.c slices.c describe.c convolution.c \
    conv_depthwise_3x3.c conv_gather.c conv_threes.c conv_winograd.c conv_winograd_terms.c
# Names of MicroPython have checksums of one byte in place of two: 2 KB of flash less.
CFLAGS += -DMICROPY_QSTR_BYTES_IN_HASH=1
