# Raspberry Pi Pico W: a Pico with a radio, whose firmware takes nearly half of the flash.
# Its driver is in no package: it builds from a git checkout only (MICROPYTHON_DIR).
set(BOARD_UPSTREAM RPI_PICO_W)
set(BOARD_CPU Cortex-M0+)
set(BOARD_CLOCK_HZ 125000000)
set(BOARD_UF2_FAMILY 0xe48bff56)
set(BOARD_FLASH_KB 2048)
set(BOARD_ROMFS_KB 512)
set(BOARD_FILESYSTEM_KB 256)
set(BOARD_HEAP_KB 198)
set(TFLM_ISA armv6m)
set(TFLM_HOT_IN_RAM 1)

include(${CMAKE_CURRENT_LIST_DIR}/../common/rp2.cmake)
