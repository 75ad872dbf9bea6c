#include "boards/NUCLEO_F446RE/mpconfigboard.h"
#include "../common/stm32_config.h"

// 512 KB of flash have no room for all that upstream's firmware has. Left out are the compilers to
// machine code, networks, for which the board has no hardware, and classes that module machine has too.
#define MICROPY_EMIT_THUMB (0)
#define MICROPY_EMIT_INLINE_THUMB (0)
#define MICROPY_PY_STM (0)
#define MICROPY_PY_NETWORK (0)
#define MICROPY_PY_PYB_LEGACY (0)
// pyb.CAN, whose bus needs a transceiver that the board does not have
#undef MICROPY_HW_CAN1_TX
#undef MICROPY_HW_CAN1_RX
#undef MICROPY_HW_CAN2_TX
#undef MICROPY_HW_CAN2_RX
