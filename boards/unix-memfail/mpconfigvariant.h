#include "../unix/mpconfigvariant.h"

// As in upstream's builds, Ctrl-C is raised anywhere: the C kernels' guard against it is built.
#undef MICROPY_ASYNC_KBD_INTR
#define MICROPY_ASYNC_KBD_INTR (1)
