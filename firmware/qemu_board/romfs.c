// /rom: a ROMFS image at a fixed address, mounted at boot when there is one. The emulator's loader
// puts it there, or `mpremote romfs deploy` where the memory is writable. Files in it are read in
// place, without a copy.
#include <string.h>

#include "py/runtime.h"
#include "py/mperrno.h"
#include "py/objarray.h"
#include "extmod/vfs.h"
#include "qemu_board.h"

#define START ((uint8_t *)BOARD_ROMFS_START)
#define MIN_WRITE (4)  // bytes; mpremote writes whole multiples

static const mp_obj_array_t segment = {
    {&mp_type_memoryview}, 'B', 0, BOARD_ROMFS_SIZE, (void *)BOARD_ROMFS_START,
};

static mp_int_t prepare(size_t n_args, const mp_obj_t *args) {
    if (n_args != 3) {
        return -MP_EINVAL;
    }
    if (!BOARD_ROMFS_WRITABLE) {
        return -MP_EROFS;
    }
    mp_int_t length = mp_obj_get_int(args[2]);
    return length < 0 || length > BOARD_ROMFS_SIZE ? -MP_EINVAL : MIN_WRITE;
}

static mp_int_t write(size_t n_args, const mp_obj_t *args) {
    if (n_args != 4 || !BOARD_ROMFS_WRITABLE) {
        return -MP_EINVAL;
    }
    mp_int_t offset = mp_obj_get_int(args[2]);
    mp_buffer_info_t data;
    mp_get_buffer_raise(args[3], &data, MP_BUFFER_READ);
    if (offset < 0 || offset > BOARD_ROMFS_SIZE || data.len > (size_t)(BOARD_ROMFS_SIZE - offset)) {
        return -MP_EINVAL;
    }
    memcpy(START + offset, data.buf, data.len);
    return 0;
}

// args: command, then the segment's number except the first command, then what the command takes.
mp_obj_t mp_vfs_rom_ioctl(size_t n_args, const mp_obj_t *args) {
    mp_int_t command = mp_obj_get_int(args[0]);
    if (command == MP_VFS_ROM_IOCTL_GET_NUMBER_OF_SEGMENTS) {
        return MP_OBJ_NEW_SMALL_INT(1);
    }
    if (n_args < 2 || mp_obj_get_int(args[1]) != 0) {
        return MP_OBJ_NEW_SMALL_INT(-MP_EINVAL);
    }
    switch (command) {
        case MP_VFS_ROM_IOCTL_GET_SEGMENT:
            return MP_OBJ_FROM_PTR(&segment);
        case MP_VFS_ROM_IOCTL_WRITE_PREPARE:
            return MP_OBJ_NEW_SMALL_INT(prepare(n_args, args));
        case MP_VFS_ROM_IOCTL_WRITE:
            return MP_OBJ_NEW_SMALL_INT(write(n_args, args));
        case MP_VFS_ROM_IOCTL_WRITE_COMPLETE:
            return MP_OBJ_NEW_SMALL_INT(0);
        default:
            return MP_OBJ_NEW_SMALL_INT(-MP_EINVAL);
    }
}
