// Configuration of all STM32 boards, after upstream's header of the board: /rom is a part of the
// internal flash, which the board's link.ld sets aside.
#define MICROPY_HW_ROMFS_ENABLE_INTERNAL_FLASH (1)
#define MICROPY_HW_ROMFS_ENABLE_PART0 (1)
