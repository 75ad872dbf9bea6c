# Raspberry Pi Pico 2: RP2350 with its Arm cores, 520 KB of RAM, 4 MB of flash.
set(BOARD_UPSTREAM RPI_PICO2)
set(BOARD_CPU Cortex-M33)
set(BOARD_UF2_FAMILY 0xe48bff59)
set(BOARD_FLASH_KB 4096)
set(BOARD_ROMFS_KB 2048)
set(BOARD_FILESYSTEM_KB 1024)
set(BOARD_HEAP_KB 448)

include(${CMAKE_CURRENT_LIST_DIR}/../common/rp2.cmake)
