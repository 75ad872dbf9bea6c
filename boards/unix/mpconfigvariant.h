// The features of MicroPython's standard unix variant.
#define MICROPY_CONFIG_ROM_LEVEL (MICROPY_CONFIG_ROM_LEVEL_EXTRA_FEATURES)
#include "variants/mpconfigvariant_common.h"

// Ctrl-C is raised between two instructions, as on boards. Upstream's default raises it out of
// the signal handler, and there it can leave a lock of the heap taken for ever.
#undef MICROPY_ASYNC_KBD_INTR
#define MICROPY_ASYNC_KBD_INTR (0)
