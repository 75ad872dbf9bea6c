// Python module `guarded` of the sanitizer build: buffers that each have a block of malloc() to
// themselves. MicroPython's heap is one block to the address sanitizer, which would miss a kernel
// that runs past an arena or a model in there.
#include <stdlib.h>
#include <string.h>

#include "py/runtime.h"
#include "py/objarray.h"

// block(n): a writable memoryview of n zeroed bytes, 16-byte aligned, to be given to free().
static mp_obj_t guarded_block(mp_obj_t length_in) {
    mp_int_t length = mp_obj_get_int(length_in);
    if (length < 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("negative length"));
    }
    void *items = calloc(1, length);
    if (items == NULL) {
        mp_raise_type(&mp_type_MemoryError);
    }
    return mp_obj_new_memoryview('B' | MP_OBJ_ARRAY_TYPECODE_FLAG_RW, length, items);
}
static MP_DEFINE_CONST_FUN_OBJ_1(guarded_block_obj, guarded_block);

// free(view): gives back what block() returned; the view must not be used any more.
static mp_obj_t guarded_free(mp_obj_t view_in) {
    mp_buffer_info_t view;
    mp_get_buffer_raise(view_in, &view, MP_BUFFER_WRITE);
    free(view.buf);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(guarded_free_obj, guarded_free);

static const mp_rom_map_elem_t guarded_globals_table[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_guarded)},
    {MP_ROM_QSTR(MP_QSTR_block), MP_ROM_PTR(&guarded_block_obj)},
    {MP_ROM_QSTR(MP_QSTR_free), MP_ROM_PTR(&guarded_free_obj)},
};
static MP_DEFINE_CONST_DICT(guarded_globals, guarded_globals_table);

const mp_obj_module_t guarded_module = {
    .base = {&mp_type_module},
    .globals = (mp_obj_dict_t *)&guarded_globals,
};
MP_REGISTER_MODULE(MP_QSTR_guarded, guarded_module);
