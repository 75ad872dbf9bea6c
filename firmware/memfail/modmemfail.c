// Python module `memfail`: lets allocations of the heap fail, to see what becomes of them.
//
//   after(n, all=False)   the allocation after the next n fails; with `all`, every later one, too
//   off()                 none fails any more; returns how many there were since after()
//
// Linked with --wrap, so that what the rest calls gc_alloc is __wrap_gc_alloc here.
#include "py/gc.h"
#include "py/runtime.h"

static struct {
    bool is_on;
    bool all;
    mp_int_t left;  // allocations before the one that fails
    mp_int_t made;
} state;

static bool fails(void) {
    if (!state.is_on) {
        return false;
    }
    state.made++;
    state.left--;
    return state.left == -1 || (state.all && state.left < 0);
}

void *__real_gc_alloc(size_t n_bytes, unsigned int flags);
void *__real_gc_realloc(void *ptr, size_t n_bytes, bool allow_move);
void *__wrap_gc_alloc(size_t n_bytes, unsigned int flags);
void *__wrap_gc_realloc(void *ptr, size_t n_bytes, bool allow_move);

void *__wrap_gc_alloc(size_t n_bytes, unsigned int flags) {
    return fails() ? NULL : __real_gc_alloc(n_bytes, flags);
}

// A block that shrinks, or is freed, needs no memory.
void *__wrap_gc_realloc(void *ptr, size_t n_bytes, bool allow_move) {
    const bool grows = n_bytes > (ptr == NULL ? 0 : gc_nbytes(ptr));
    return grows && fails() ? NULL : __real_gc_realloc(ptr, n_bytes, allow_move);
}

static mp_obj_t after(size_t n_args, const mp_obj_t *args) {
    state.left = mp_obj_get_int(args[0]);
    state.all = n_args > 1 && mp_obj_is_true(args[1]);
    state.made = 0;
    state.is_on = true;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(after_obj, 1, 2, after);

static mp_obj_t off(void) {
    state.is_on = false;
    return MP_OBJ_NEW_SMALL_INT(state.made);
}
static MP_DEFINE_CONST_FUN_OBJ_0(off_obj, off);

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_memfail) },
    { MP_ROM_QSTR(MP_QSTR_after), MP_ROM_PTR(&after_obj) },
    { MP_ROM_QSTR(MP_QSTR_off), MP_ROM_PTR(&off_obj) },
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t memfail_user_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};
MP_REGISTER_MODULE(MP_QSTR_memfail, memfail_user_module);
