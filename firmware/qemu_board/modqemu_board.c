// Python module `qemu_board`: the clock in full width, for counting instructions. time.ticks_cpu()
// wraps after 2^30 ticks, which a slow model exceeds.
#include "py/runtime.h"
#include "qemu_board.h"

// Restart the clock at 0, so that two measurements see its wraps at the same instructions.
static mp_obj_t qemu_board_restart(void) {
    clock_start();
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_0(qemu_board_restart_obj, qemu_board_restart);

// Ticks since the restart, at HZ.
static mp_obj_t qemu_board_ticks(void) {
    return mp_obj_new_int_from_ull(clock_ticks());
}
static MP_DEFINE_CONST_FUN_OBJ_0(qemu_board_ticks_obj, qemu_board_ticks);

static const mp_rom_map_elem_t qemu_board_globals_table[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_qemu_board)},
    {MP_ROM_QSTR(MP_QSTR_HZ), MP_ROM_INT(BOARD_CLOCK_HZ)},
    {MP_ROM_QSTR(MP_QSTR_restart), MP_ROM_PTR(&qemu_board_restart_obj)},
    {MP_ROM_QSTR(MP_QSTR_ticks), MP_ROM_PTR(&qemu_board_ticks_obj)},
};
static MP_DEFINE_CONST_DICT(qemu_board_globals, qemu_board_globals_table);

const mp_obj_module_t qemu_board_module = {
    .base = {&mp_type_module},
    .globals = (mp_obj_dict_t *)&qemu_board_globals,
};
MP_REGISTER_MODULE(MP_QSTR_qemu_board, qemu_board_module);
