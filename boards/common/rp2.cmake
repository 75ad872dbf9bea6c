# What all boards with an RP2040 or RP2350 share. A board's mpconfigboard.cmake sets these, then
# includes this file (tflm_host/targets/boards.py reads them too: one plain `set` a line):
#   BOARD_UPSTREAM       MicroPython's board of which this is a variant, with pins and drivers
#   BOARD_CPU            name of the core
#   BOARD_CLOCK_HZ       of the core, as MicroPython sets it
#   BOARD_UF2_FAMILY     that the chip's boot ROM accepts, see uf2conv.py
#   BOARD_FLASH_KB       of the board. It holds the firmware, then /rom, then the filesystem:
#   BOARD_ROMFS_KB       of /rom, for models
#   BOARD_FILESYSTEM_KB  of /, at the end of the flash
#   BOARD_HEAP_KB        that MicroPython's garbage collector manages, at least
#   TFLM_ISA, TFLM_HOT_IN_RAM  optional, see firmware/tflm/micropython.cmake
math(EXPR BOARD_FIRMWARE_BYTES
    "(${BOARD_FLASH_KB} - ${BOARD_ROMFS_KB} - ${BOARD_FILESYSTEM_KB}) * 1024")

set(BOARD_UPSTREAM_DIR ${MICROPY_PORT_DIR}/boards/${BOARD_UPSTREAM})
include(${BOARD_UPSTREAM_DIR}/mpconfigboard.cmake)
include(${BOARD_UPSTREAM_DIR}/mpconfigvariant.cmake OPTIONAL)

# The port looks for pins.csv in the folder of the board only, and keeps these where it is not.
set(GEN_PINS_BOARD_CSV ${BOARD_UPSTREAM_DIR}/pins.csv)
set(GEN_PINS_CSV_ARG --board-csv ${GEN_PINS_BOARD_CSV})

list(APPEND MICROPY_DEF_BOARD
    BOARD_ROMFS_BYTES=${BOARD_ROMFS_KB}*1024
    BOARD_FILESYSTEM_BYTES=${BOARD_FILESYSTEM_KB}*1024
)

# The linker knows the whole flash only: make it refuse a firmware that reaches into /rom.
set(BOARD_COMMON_DIR ${CMAKE_CURRENT_LIST_DIR})
function(board_limit_firmware)
    target_link_options(${MICROPY_TARGET} PRIVATE
        -Wl,--defsym=_board_romfs_start=0x10000000+${BOARD_FIRMWARE_BYTES}
        ${BOARD_COMMON_DIR}/rp2_limit.ld
    )
endfunction()
cmake_language(DEFER CALL board_limit_firmware)
