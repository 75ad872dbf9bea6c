// MicroPython for qemu-xtensa, which loads the .mpy files of an ESP32: see main.c.
#include <stdint.h>
#include <alloca.h>

#define MICROPY_CONFIG_ROM_LEVEL (MICROPY_CONFIG_ROM_LEVEL_EXTRA_FEATURES)
#define MICROPY_EMIT_XTENSAWIN (1)
#define MICROPY_NLR_SETJMP (1)  // as on an ESP32
#define MICROPY_OPT_COMPUTED_GOTO (0)
#define MICROPY_PERSISTENT_CODE_LOAD (1)
#define MICROPY_PERSISTENT_CODE_TRACK_FUN_DATA (1)
#define MICROPY_ENABLE_GC (1)
#define MICROPY_READER_POSIX (1)
#define MICROPY_LONGINT_IMPL (MICROPY_LONGINT_IMPL_MPZ)
#define MICROPY_FLOAT_IMPL (MICROPY_FLOAT_IMPL_FLOAT)
#define MICROPY_HELPER_REPL (0)
#define MICROPY_KBD_EXCEPTION (1)
extern int jumps_left;
void count_jump(void);
#define MICROPY_VM_HOOK_LOOP \
    if (jumps_left > 0) { \
        count_jump(); \
    }
#define MICROPY_USE_INTERNAL_PRINTF (1)
#define MICROPY_PY_SYS_PLATFORM "qemu"
#define MICROPY_PY_SYS_STDFILES (0)
#define MICROPY_PY_SYS_STDIO_BUFFER (0)
#define MICROPY_PY_SELECT (0)
#define MICROPY_PY_TIME (0)
#define MICROPY_PY_ASYNCIO (0)
#define MICROPY_PY_OS (0)
#define MICROPY_PY_MACHINE (0)
#define MICROPY_PY_RE (0)
#define MICROPY_PY_CRYPTOLIB (0)
#define MICROPY_PY_HASHLIB (0)
#define MICROPY_PY_FRAMEBUF (0)
#define MICROPY_PY_RANDOM (0)
#define MICROPY_PY_BUILTINS_INPUT (0)
#define MICROPY_PY_BUILTINS_HELP (0)
#define MICROPY_VFS (0)
#define MICROPY_PY_CMATH (0)
#define MICROPY_PY_BUILTINS_COMPLEX (0)  // LLVM cannot compile it
#define MP_NEED_LOG2 (1)

#define MP_SSIZE_MAX (0x7fffffff)
typedef int32_t mp_int_t;
typedef uint32_t mp_uint_t;
typedef long mp_off_t;
#define MICROPY_HW_BOARD_NAME "qemu-xtensa"
#define MICROPY_HW_MCU_NAME "de233_fpu"
#define MP_STATE_PORT MP_STATE_VM
