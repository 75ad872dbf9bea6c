// What the compiler calls by itself and no .mpy file is given by the firmware or by libgcc.
#include "py/dynruntime.h"

void *memset(void *to, int byte, size_t count) {
    return mp_fun_table.memset_(to, byte, count);
}

void *memmove(void *to, const void *from, size_t count) {
    return mp_fun_table.memmove_(to, from, count);
}

void *memcpy(void *to, const void *from, size_t count) {
    return mp_fun_table.memmove_(to, from, count);
}
