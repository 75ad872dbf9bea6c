// Configuration of all emulated boards, on top of the port's own.
#include "mpconfigport.h"

#undef MICROPY_PY_TIME
#define MICROPY_PY_TIME (1)
#undef MICROPY_PY_SELECT
#define MICROPY_PY_SELECT (1)
#undef MICROPY_PY_SYS_STDIO_BUFFER
#define MICROPY_PY_SYS_STDIO_BUFFER (1)
#undef MICROPY_VFS_ROM_IOCTL
#define MICROPY_VFS_ROM_IOCTL (1)
#define MICROPY_KBD_EXCEPTION (1)
#define MICROPY_PY_OS_UNAME (1)
#define MICROPY_PY_MACHINE_MEMX (1)

#if defined(__thumb__)
// The port leaves native code out on the micro:bit; its M0 runs it, without the wide instructions.
#undef MICROPY_EMIT_THUMB
#define MICROPY_EMIT_THUMB (1)
#undef MICROPY_EMIT_INLINE_THUMB
#define MICROPY_EMIT_INLINE_THUMB (1)
#if defined(__ARM_ARCH_6M__)
#define MICROPY_EMIT_THUMB_ARMV7M (0)
#define MICROPY_EMIT_INLINE_THUMB_FLOAT (0)
#endif
#endif

// Look for Ctrl-C on every 64th jump of the virtual machine.
extern void stdio_poll(void);
#define MICROPY_VM_HOOK_COUNT (64)
#define MICROPY_VM_HOOK_INIT static unsigned int vm_hook_left = MICROPY_VM_HOOK_COUNT;
#define MICROPY_VM_HOOK_POLL \
    if (--vm_hook_left == 0) { \
        vm_hook_left = MICROPY_VM_HOOK_COUNT; \
        stdio_poll(); \
    }
#define MICROPY_VM_HOOK_LOOP MICROPY_VM_HOOK_POLL
#define MICROPY_VM_HOOK_RETURN MICROPY_VM_HOOK_POLL
