# Raspberry Pi Pico: RP2040, 264 KB of RAM, 2 MB of flash.
set(BOARD_UPSTREAM RPI_PICO)
set(BOARD_CPU Cortex-M0+)
set(BOARD_CLOCK_HZ 125000000)
set(BOARD_UF2_FAMILY 0xe48bff56)
set(BOARD_FLASH_KB 2048)
set(BOARD_ROMFS_KB 1024)
set(BOARD_FILESYSTEM_KB 336)
set(BOARD_HEAP_KB 238)
set(TFLM_ISA armv6m)
set(TFLM_HOT_IN_RAM 1)
# Built for size, as its 688 KB hold all operators: kernels of types that are slow on this core.
set(TFLM_SMALL_KERNELS "bilinear.c broadcast_divide.c broadcast_rows_s16.c broadcast_wide.c channels_s16.c conv_depthwise_f32.c conv_f32.c conv_s16.c deconv.c deconv_f32.c dense_s16.c elementwise_curves_f32.c elementwise_functions.c exp_f32.c matmul.c matmul_f32.c resize.c")

include(${CMAKE_CURRENT_LIST_DIR}/../common/rp2.cmake)
