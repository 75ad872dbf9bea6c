// The module `_tflm`: the C runner and kernels, as MicroPython sees them.
//
//   run(arena, model, table, first, last)   run nodes of the node table; see runner.c
//   has(kernel)                             whether this build holds a kernel
//   isa                                     which folder of kernels/ was compiled
//
// The twin for CPython is host_tools/_tflm.py: same names, arguments and errors.
#include "py/runtime.h"

#include "checked.h"
#include "layout.h"
#include "runner.h"

#define ISA_QSTR_(isa) MP_QSTR_##isa
#define ISA_QSTR(isa) ISA_QSTR_(isa)

static mp_int_t get_index(mp_obj_t obj, mp_int_t minimum, size_t maximum, mp_rom_error_text_t name) {
    mp_int_t value = mp_obj_get_int(obj);
    if (value < minimum || (size_t)value > maximum) {
        mp_raise_ValueError(name);
    }
    return value;
}

static mp_obj_t run(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    mp_buffer_info_t arena, model;
    mp_get_buffer_raise(args[0], &arena, MP_BUFFER_WRITE);
    mp_get_buffer_raise(args[1], &model, MP_BUFFER_READ);
    if ((uintptr_t)arena.buf % sizeof(int32_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("arena is not aligned"));
    }
    mp_int_t table = get_index(args[2], 0, arena.len, MP_ERROR_TEXT("table"));
    if (table % (mp_int_t)sizeof(int32_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("table"));
    }
    size_t nodes = (arena.len - (size_t)table) / sizeof(tflm_node_t);
    mp_int_t last = get_index(args[4], 0, nodes, MP_ERROR_TEXT("last"));
    mp_int_t node = get_index(args[3], 0, (size_t)last, MP_ERROR_TEXT("first"));
    const tflm_spaces_t spaces = {{arena.buf, model.buf}};
    const tflm_sizes_t sizes = {{arena.len, model.len}};
    // Node by node, so that Ctrl-C and scheduled callbacks need not wait for the whole model.
    // The arguments keep both buffers alive; whoever resizes an arena meanwhile breaks them.
    for (mp_int_t next; node < last; node = next) {
        mp_handle_pending(true);
        next = TFLM_RUN(&spaces, &sizes, (int32_t)table, (int32_t)node, (int32_t)node + 1);
        if (next == node) {
            break;
        }
    }
    return MP_OBJ_NEW_SMALL_INT(node);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(run_obj, 5, 5, run);

static mp_obj_t has(mp_obj_t kernel) {
    mp_int_t index = mp_obj_get_int(kernel);
    return mp_obj_new_bool(index >= 0 && index < TFLM_KERNEL_COUNT && tflm_has((int32_t)index));
}
static MP_DEFINE_CONST_FUN_OBJ_1(has_obj, has);

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR__tflm) },
    { MP_ROM_QSTR(MP_QSTR_run), MP_ROM_PTR(&run_obj) },
    { MP_ROM_QSTR(MP_QSTR_has), MP_ROM_PTR(&has_obj) },
    { MP_ROM_QSTR(MP_QSTR_isa), MP_ROM_QSTR(ISA_QSTR(TFLM_ISA)) },
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t tflm_user_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};

MP_REGISTER_MODULE(MP_QSTR__tflm, tflm_user_module);
