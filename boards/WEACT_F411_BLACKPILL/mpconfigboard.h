#include "boards/WEACT_F411_BLACKPILL/mpconfigboard.h"
#include "../common/stm32_config.h"

// 512 KB of flash have no room for all that upstream's firmware has. Left out are the compilers to
// machine code, networks, for which the board has no hardware, and classes that module machine has too.
#define MICROPY_EMIT_THUMB (0)
#define MICROPY_EMIT_INLINE_THUMB (0)
#define MICROPY_PY_STM (0)
#define MICROPY_PY_NETWORK (0)
#define MICROPY_PY_PYB_LEGACY (0)
// USB has the serial port only: no drive, whose cached blocks would be old after a deploy, and no mouse
#define MICROPY_HW_USB_HID (0)
#define MICROPY_HW_USB_MSC (0)
