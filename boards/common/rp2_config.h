// Configuration of all boards with an RP2040 or RP2350, after upstream's header of the board.
// The sizes of the partitions come from the board's mpconfigboard.cmake.
#undef MICROPY_HW_FLASH_STORAGE_BYTES
#define MICROPY_HW_FLASH_STORAGE_BYTES (BOARD_FILESYSTEM_BYTES)
#define MICROPY_HW_ROMFS_BYTES (BOARD_ROMFS_BYTES)
