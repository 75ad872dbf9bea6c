# Raspberry Pi Pico 2: RP2350 with its RISC-V cores (Hazard3), 520 KB of RAM, 4 MB of flash.
set(BOARD_UPSTREAM RPI_PICO2)
set(BOARD_CPU RV32IMAC)
set(BOARD_CLOCK_HZ 150000000)
set(BOARD_UF2_FAMILY 0xe48bff5a)
set(BOARD_FLASH_KB 4096)
set(BOARD_ROMFS_KB 2048)
set(BOARD_FILESYSTEM_KB 1024)
set(BOARD_HEAP_KB 480)

include(${CMAKE_CURRENT_LIST_DIR}/../common/rp2.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../common/rp2_riscv.cmake)
