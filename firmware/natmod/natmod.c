// The module `_tflm` as a native .mpy file, for firmware that was built without it. The same
// functions as in ../tflm/modtflm.c, made into a module when the file is imported.
//
// What MicroPython's ABI for such files lacks comes from elsewhere:
//   pending events   poll() of poll.py, which poll.py hands over with set_poll()
//   atomic sections  on a PC the processor swaps; else the lock of poll.py, where there are threads
//   static data      there is none; the type Graph lives on the heap, what belongs to it after it
//   atomic claims    of a front end of sound: threads take the lock of sound.py
//   floats           no number crosses the ABI as a float: cores differ in how they pass one
#include <string.h>

#include "py/dynruntime.h"

#ifndef NORETURN
#define NORETURN MP_NORETURN  // MicroPython 1.26 and later
#endif

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

typedef struct {
    mp_obj_full_type_t type;
    mp_obj_t poll;
    mp_obj_t acquire, release;  // of a lock, for gate.h; None where there are no threads
} graph_class_t;

// The ABI's own conversion drops what a word cannot hold.
static mp_int_t get_int(mp_obj_t obj) {
    if (mp_obj_is_small_int(obj)) {
        return MP_OBJ_SMALL_INT_VALUE(obj);
    }
    const mp_int_t value = (mp_int_t)mp_obj_get_int(obj);
    if (mp_binary_op(MP_BINARY_OP_EQUAL, obj, mp_obj_new_int(value)) != mp_const_true) {
        mp_raise_msg((const mp_obj_type_t *)mp_load_global(MP_QSTR_OverflowError),
            "overflow converting long int to machine word");
    }
    return value;
}

static NORETURN void raise_outside(mp_obj_t pos, size_t size) {
    static const char format[] = "the offset or length at byte %d points outside the file (%d bytes)";
    mp_obj_t values[] = {pos, mp_obj_new_int((mp_int_t)size)};
    mp_obj_t text = mp_binary_op(MP_BINARY_OP_MODULO, mp_obj_new_str(format, sizeof(format) - 1),
        mp_obj_new_tuple(2, values));
    nlr_raise(mp_obj_new_exception_arg1(&mp_type_ValueError, text));
}

#if defined(__x86_64__)
#define TFLM_SWAPS 1
#else
#define TFLM_SWAPS 0
typedef const graph_class_t *section_t;

enum { TRIES = 1000 };  // an interrupt that comes within a section would wait for ever

static bool section_begin(const mp_obj_type_t *graph_type, section_t *section) {
    const graph_class_t *class = (const graph_class_t *)graph_type;
    *section = class;
    if (class->acquire == mp_const_none) {
        return true;
    }
    const mp_obj_t waits = mp_const_false;
    for (int i = 0; i < TRIES; i++) {
        if (mp_call_function_n_kw(class->acquire, 1, 0, &waits) == mp_const_true) {
            return true;
        }
    }
    return false;
}

static void section_end(const mp_obj_type_t *graph_type, section_t section) {
    if (section->release != mp_const_none) {
        mp_call_function_n_kw(section->release, 0, 0, NULL);
    }
}
#endif

#include "gate.h"

// Bytecode sees to pending events at each of its jumps.
static void poll_events(const mp_obj_type_t *graph_type, gate_t *gate) {
    (void)gate;
    mp_call_function_n_kw(((const graph_class_t *)graph_type)->poll, 0, 0, NULL);
}

// Some ports raise KeyboardInterrupt at any time. How much a firmware saves depends on its floats.
typedef struct {
    nlr_buf_t nlr;
    void *spare[16];
} guard_t;

#define TFLM_GUARDED 1
#if defined(__xtensa__)
// This port's buffer is one of setjmp(), to be called where it shall return to.
#define guard_push(guard) \
    (mp_fun_table.nlr_push(&(guard)->nlr), ((int (*)(void *))mp_fun_table.setjmp_)((guard)->nlr.regs))
#else
#define guard_push(guard) mp_fun_table.nlr_push(&(guard)->nlr)
#endif
#define guard_pop() mp_fun_table.nlr_pop()
#define guard_raise(guard) mp_fun_table.raise(MP_OBJ_FROM_PTR((guard)->nlr.ret_val))

#include "binding.h"
#define TFLM_HAS_LOADING 1
#include "binding_flatbuffer.h"
#include "binding_tensor.h"

// The front ends of sound take RAM, so that TFLM_OPS must name them.
#if defined(TFLM_HAS_AUDIO) || defined(TFLM_HAS_LISTEN)
#define TFLM_SOUND 1
// An interrupt that claims in between has given back before it returns.
#define claims_begin() 0
#define claims_end(state) (void)(state)
#define FEED_ARGUMENTS 5
#include "binding_samples.h"
#include "binding_audio.h"
#endif

static mp_obj_t set_poll(mp_obj_t graph_class, mp_obj_t poll) {
    ((graph_class_t *)MP_OBJ_TO_PTR(graph_class))->poll = poll;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_2(set_poll_obj, set_poll);

static mp_obj_t set_lock(mp_obj_t graph_class, mp_obj_t acquire, mp_obj_t release) {
    graph_class_t *class = MP_OBJ_TO_PTR(graph_class);
    class->acquire = acquire;
    class->release = release;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_3(set_lock_obj, set_lock);

static mp_obj_t new_graph_class(void) {
    graph_class_t *class = m_malloc(sizeof(graph_class_t));
    memset(class, 0, sizeof(graph_class_t));
    class->type.base.type = &mp_type_type;
    class->type.flags = MP_TYPE_FLAG_NONE;
    class->type.name = MP_QSTR_Graph;
    MP_OBJ_TYPE_SET_SLOT(&class->type, make_new, graph_make_new, 0);
    MP_OBJ_TYPE_SET_SLOT(&class->type, attr, graph_attr, 1);
    MP_OBJ_TYPE_SET_SLOT(&class->type, call, graph_call, 2);
    class->poll = class->acquire = class->release = mp_const_none;
    return MP_OBJ_FROM_PTR(class);
}

static mp_obj_t new_elements_class(void) {
    mp_obj_full_type_t *class = m_malloc(sizeof(mp_obj_full_type_t));
    memset(class, 0, sizeof(mp_obj_full_type_t));
    class->base.type = &mp_type_type;
    class->flags = MP_TYPE_FLAG_NONE;
    class->name = MP_QSTR_Elements;
    MP_OBJ_TYPE_SET_SLOT(class, make_new, elements_make_new, 0);
    MP_OBJ_TYPE_SET_SLOT(class, attr, elements_attr, 1);
    MP_OBJ_TYPE_SET_SLOT(class, buffer, elements_get_buffer, 2);
    return MP_OBJ_FROM_PTR(class);
}

mp_obj_t mpy_init(mp_obj_fun_bc_t *self, size_t n_args, size_t n_kw, mp_obj_t *args) {
    (void)n_args, (void)n_kw, (void)args;
    MP_DYNRUNTIME_INIT_ENTRY
    static const char isa[] = TEXT(TFLM_ISA);
    mp_store_global(MP_QSTR_Graph, new_graph_class());
    mp_store_global(MP_QSTR_isa, mp_obj_new_str(isa, sizeof(isa) - 1));
    mp_store_global(MP_QSTR_set_poll, MP_OBJ_FROM_PTR(&set_poll_obj));
    mp_store_global(MP_QSTR_set_lock, MP_OBJ_FROM_PTR(&set_lock_obj));
    mp_store_global(MP_QSTR_form, MP_OBJ_FROM_PTR(&form_obj));
    mp_store_global(MP_QSTR_layout, MP_OBJ_NEW_SMALL_INT(TFLM_LAYOUT));
    mp_store_global(MP_QSTR_checksum, MP_OBJ_FROM_PTR(&checksum_obj));
    mp_store_global(MP_QSTR_fence, MP_OBJ_FROM_PTR(&fence_obj));
    mp_store_global(MP_QSTR_table, MP_OBJ_FROM_PTR(&fb_table_obj));
    mp_store_global(MP_QSTR_follow, MP_OBJ_FROM_PTR(&fb_follow_obj));
    mp_store_global(MP_QSTR_vector, MP_OBJ_FROM_PTR(&fb_vector_obj));
    mp_store_global(MP_QSTR_ints, MP_OBJ_FROM_PTR(&fb_ints_obj));
    mp_store_global(MP_QSTR_i32, MP_OBJ_FROM_PTR(&fb_i32_obj));
    mp_store_global(MP_QSTR_u8, MP_OBJ_FROM_PTR(&fb_u8_obj));
    mp_store_global(MP_QSTR_largest, MP_OBJ_FROM_PTR(&fb_largest_obj));
    mp_store_global(MP_QSTR_describe, MP_OBJ_FROM_PTR(&fb_describe_obj));
    mp_store_global(MP_QSTR_survey, MP_OBJ_FROM_PTR(&fb_survey_obj));
    mp_store_global(MP_QSTR_survey_operators, MP_OBJ_FROM_PTR(&fb_survey_operators_obj));
    mp_store_global(MP_QSTR_convolution, MP_OBJ_FROM_PTR(&fb_convolution_obj));
    mp_store_global(MP_QSTR_Elements, new_elements_class());
    mp_store_global(MP_QSTR_put, MP_OBJ_FROM_PTR(&put_obj));
    mp_store_global(MP_QSTR_quantize, MP_OBJ_FROM_PTR(&quantize_obj));
    mp_store_global(MP_QSTR_equal, MP_OBJ_FROM_PTR(&equal_obj));
    mp_store_global(MP_QSTR_dequantize, MP_OBJ_FROM_PTR(&dequantize_obj));
    mp_store_global(MP_QSTR_items, MP_OBJ_FROM_PTR(&items_obj));
    mp_store_global(MP_QSTR_argmax, MP_OBJ_FROM_PTR(&argmax_obj));
    #ifdef TFLM_SOUND
    mp_store_global(MP_QSTR_audio_claim, MP_OBJ_FROM_PTR(&audio_claim_obj));
    mp_store_global(MP_QSTR_audio_feed, MP_OBJ_FROM_PTR(&audio_feed_obj));
    #endif
    MP_DYNRUNTIME_INIT_EXIT
}
