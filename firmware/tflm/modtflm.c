// The module `_tflm`: the C runner and kernels, as MicroPython sees them.
//
//   Graph(arena, model, table, count, ...)  a node table; graph() runs it and returns how many nodes
//                                           are left, graph(first, last) runs some; graph.node is
//                                           the one that runs or was interrupted; see binding.h.
//                                           graph.feed(row, words): see binding_feed.h
//   form(kernel)                            of a kernel's parameters; 0: this build has none of the number
//   isa                                     which folder of kernels/ was compiled
//   layout                                  of nodes and snapshots that this build reads
//   checksum(buf, start, end)               of a prepared model's snapshot
//   text(number)                            a message of the frozen package: see texts.h
//   heap_size()                             bytes that the garbage collector manages
//   room(count)                             makes room for names: see squeeze/rooms.py
//   enter(gate)                             lets a run of viper kernels begin: see gate.h
//   cores(count)                            in builds with a second core: how many graphs use
//   table, follow, vector, ints, i32, u8    as in mp_modules/tflm/file/flatbuffer.py
//   largest                                 the same
//   describe, survey                        as in mp_modules/tflm/file/views.py
//   survey_operators                        what mp_modules/tflm/model.py verifies
//   convolution                             what mp_modules/tflm/ops/conv.py prepares
//   plan, commit                            what mp_modules/tflm/memory/allocator.py does
//   Elements, put, quantize, equal,         as in mp_modules/tflm/run/elements.py
//   dequantize, items, argmax
//   audio_claim, audio_feed                 what mp_modules/tflm/audio.py calls
//   audio_mel, audio_mel_feed,              and mp_modules/tflm/mel.py
//   audio_normalize
//   image_fit, image_feed                   and mp_modules/tflm/image.py
//   Adc(pin, ms), Pdm(data, clk, rate, gain, ms)  on a Pico: of microphone_rp2.c, for tflm/sources.py
//
// For CPython there is host_tools/_tflm.py: same names, arguments and errors. It leaves out
// text, heap_size, room, enter and the last rows: CPython has no viper kernels, and needs no help to read
// a model or its tensors.
#include "py/mphal.h"
#include "py/runtime.h"

#ifndef NORETURN
#define NORETURN MP_NORETURN  // MicroPython 1.26 and later
#endif

#define ISA_QSTR_(isa) MP_QSTR_##isa
#define ISA_QSTR(isa) ISA_QSTR_(isa)

#define get_int(obj) mp_obj_get_int(obj)

// Where Ctrl-C raises at any time, on a PC, it would leave a section open. Elsewhere the heap may
// lie in memory that has no compare and swap, as PSRAM.
#define TFLM_SWAPS MICROPY_ASYNC_KBD_INTR
#define section_t mp_uint_t
#define section_begin(graph_type, section) \
    ((void)(graph_type), *(section) = MICROPY_BEGIN_ATOMIC_SECTION(), true)
#define section_end(graph_type, section) MICROPY_END_ATOMIC_SECTION(section)

#include "gate.h"

#if MICROPY_ASYNC_KBD_INTR
#define TFLM_GUARDED 1
#define guard_t nlr_buf_t
#define guard_push(guard) nlr_push(guard)
#define guard_pop() nlr_pop()
#define guard_raise(guard) nlr_jump((guard)->ret_val)
#define poll_events(graph_type, gate) ((void)(gate), mp_handle_pending(true))
#else
#define TFLM_GUARDED 0

static MP_NOINLINE void handle_events(gate_t *gate) {
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) {
        if (gate != NULL) {
            gate_leave(gate);
        }
        nlr_jump(nlr.ret_val);
    }
    mp_handle_pending(true);
    nlr_pop();
}

// Looks first: a small model's nodes cannot afford more.
static inline void poll_events(const mp_obj_type_t *graph_type, gate_t *gate) {
    (void)graph_type;
    bool pending = MP_STATE_THREAD(mp_pending_exception) != MP_OBJ_NULL;
    #if MICROPY_ENABLE_SCHEDULER
    pending |= MP_STATE_VM(sched_state) == MP_SCHED_PENDING;
    #endif
    #if MICROPY_ENABLE_VM_ABORT
    pending |= MP_STATE_VM(vm_abort);
    #endif
    if (pending) {
        handle_events(gate);
    }
}
#endif

static NORETURN void raise_outside(mp_obj_t pos, size_t size) {
    mp_raise_msg_varg(&mp_type_ValueError,
        MP_ERROR_TEXT("the offset or length at byte %ld points outside the file (%ld bytes)"),
        (long)get_int(pos), (long)size);
}

#ifdef TFLM_CORES
#include "cores.h"
#endif

// Firmware for prepared models alone has nothing of what loads others.
#ifndef TFLM_HAS_LOADING
#define TFLM_HAS_LOADING 1
#endif

#include "binding.h"
#include "binding_flatbuffer.h"
#if TFLM_HAS_LOADING
#include "binding_planning.h"
#endif
#include "binding_tensor.h"
#include "texts.h"

// Firmware of TFLM_OPS has the front ends that it names.
#ifndef TFLM_HAS_SERVICES
#define TFLM_HAS_SERVICES 1
#endif
#ifndef TFLM_HAS_AUDIO
#ifdef TFLM_HAS_LISTEN
#define TFLM_HAS_AUDIO TFLM_HAS_LISTEN
#else
#define TFLM_HAS_AUDIO TFLM_HAS_SERVICES
#endif
#endif
#ifndef TFLM_HAS_MEL
#define TFLM_HAS_MEL TFLM_HAS_SERVICES
#endif
#ifndef TFLM_HAS_IMAGE
#define TFLM_HAS_IMAGE TFLM_HAS_SERVICES
#endif
#if TFLM_HAS_AUDIO || TFLM_HAS_MEL || TFLM_HAS_IMAGE
#define claims_begin() MICROPY_BEGIN_ATOMIC_SECTION()
#define claims_end(state) MICROPY_END_ATOMIC_SECTION(state)
#if !TFLM_HAS_AUDIO && !TFLM_HAS_MEL
#define TFLM_NO_SOUND
#endif
#include "binding_samples.h"
#endif
#if TFLM_HAS_AUDIO
#define FEED_ARGUMENTS 4
#include "binding_audio.h"
#ifdef TFLM_ADC
extern const mp_obj_type_t tflm_adc_type, tflm_pdm_type;
#endif
#endif
#if TFLM_HAS_MEL
#include "binding_mel.h"
#endif
#if TFLM_HAS_IMAGE
#include "binding_image.h"
#endif

// A code from 128 on, or below 32, stands for two others.
static void add_code(vstr_t *text, uint8_t code) {
    if (code >= 32 && code < 128) {
        vstr_add_byte(text, code);
        return;
    }
    const uint8_t *pair = &tflm_text_pairs[2 * (uint8_t)(code - 128)];
    add_code(text, pair[0]);
    add_code(text, pair[1]);
}

static mp_obj_t text(mp_obj_t number) {
    vstr_t text;
    vstr_init(&text, 64);
    mp_int_t left = get_int(number) - TFLM_FIRST_TEXT;  // texts before this one
    for (size_t i = 0; i < sizeof(tflm_texts) && left >= 0; i++) {
        if (tflm_texts[i] == '|') {
            left--;
        } else if (left == 0) {
            add_code(&text, tflm_texts[i]);
        }
    }
    return mp_obj_new_str_from_vstr(&text);
}
static MP_DEFINE_CONST_FUN_OBJ_1(text_obj, text);

// heap_size() of all areas; gc.mem_free() walks them, this does not.
static mp_obj_t heap_size(void) {
    const mp_state_mem_area_t *area = &MP_STATE_MEM(area);
    size_t nbytes = (size_t)(area->gc_pool_end - area->gc_pool_start);
    #if MICROPY_GC_SPLIT_HEAP
    while ((area = area->next) != NULL) {
        nbytes += (size_t)(area->gc_pool_end - area->gc_pool_start);
    }
    #endif
    return mp_obj_new_int_from_uint(nbytes);
}
static MP_DEFINE_CONST_FUN_OBJ_0(heap_size_obj, heap_size);

enum { MOST_NAMES = 1024 };  // of room(): the bytes of a larger table may overflow

// room(count): the module or class whose body is running gets a table of *count* names at once.
// MicroPython makes a larger one for every few names, and enters all names again.
static mp_obj_t room(mp_obj_t count) {
    mp_map_t *names = &mp_locals_get()->map;
    const mp_map_t before = *names;
    mp_map_t after;
    const mp_int_t most = get_int(count);
    if (before.is_fixed || most <= (mp_int_t)before.alloc || most > MOST_NAMES) {
        return mp_const_none;
    }
    mp_map_init(&after, (size_t)most);
    for (size_t i = 0; i < before.alloc; i++) {
        if (mp_map_slot_is_filled(&before, i)) {
            mp_map_lookup(&after, before.table[i].key, MP_MAP_LOOKUP_ADD_IF_NOT_FOUND)->value =
                before.table[i].value;
        }
    }
    *names = after;
    m_del(mp_map_elem_t, before.table, before.alloc);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(room_obj, room);

// enter(Arena._gate): the word to set to 0 at the end of the run, which is a spare one where it
// does not begin. A native module has this in bytecode: see mp_modules/tflm/kernels/calls.py.
static mp_obj_t enter(mp_obj_t gate_in) {
    mp_buffer_info_t gate;
    mp_get_buffer_raise(gate_in, &gate, MP_BUFFER_WRITE);
    if (gate.len < GATE_WORDS * sizeof(int32_t)) {
        mp_raise_ValueError(MP_ERROR_TEXT("gate"));
    }
    const bool begins = gate_enter(NULL, gate.buf) == GATE_IDLE;
    return MP_OBJ_NEW_SMALL_INT(begins ? GATE_STATE : GATE_SPARE);
}
static MP_DEFINE_CONST_FUN_OBJ_1(enter_obj, enter);

#ifdef TFLM_CORES
// cores(count) that graphs use from now on; returns how many before.
static mp_obj_t cores(mp_obj_t count) {
    return MP_OBJ_NEW_SMALL_INT(tflm_set_cores(
        (int)get_index(count, 1, TFLM_CORES, MP_ERROR_TEXT("cores: 1 or 2"))));
}
static MP_DEFINE_CONST_FUN_OBJ_1(cores_obj, cores);
#endif

static MP_DEFINE_CONST_OBJ_TYPE(
    graph_type,
    MP_QSTR_Graph,
    MP_TYPE_FLAG_NONE,
    make_new, graph_make_new,
    attr, graph_attr,  // node, first, turn, keeps; begin, end
    call, graph_call
    );

static MP_DEFINE_CONST_OBJ_TYPE(
    elements_type,
    MP_QSTR_Elements,
    MP_TYPE_FLAG_NONE,
    make_new, elements_make_new,
    attr, elements_attr,  // is_open
    buffer, elements_get_buffer  // calls Tensor._check_buffer
    );

static const mp_rom_map_elem_t globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR__tflm) },
    { MP_ROM_QSTR(MP_QSTR_Graph), MP_ROM_PTR(&graph_type) },
    { MP_ROM_QSTR(MP_QSTR_form), MP_ROM_PTR(&form_obj) },
    { MP_ROM_QSTR(MP_QSTR_isa), MP_ROM_QSTR(ISA_QSTR(TFLM_ISA)) },
    { MP_ROM_QSTR(MP_QSTR_layout), MP_ROM_INT(TFLM_LAYOUT) },
    { MP_ROM_QSTR(MP_QSTR_checksum), MP_ROM_PTR(&checksum_obj) },
    { MP_ROM_QSTR(MP_QSTR_fence), MP_ROM_PTR(&fence_obj) },
    { MP_ROM_QSTR(MP_QSTR_text), MP_ROM_PTR(&text_obj) },
    { MP_ROM_QSTR(MP_QSTR_heap_size), MP_ROM_PTR(&heap_size_obj) },
    { MP_ROM_QSTR(MP_QSTR_room), MP_ROM_PTR(&room_obj) },
    { MP_ROM_QSTR(MP_QSTR_enter), MP_ROM_PTR(&enter_obj) },
#ifdef TFLM_CORES
    { MP_ROM_QSTR(MP_QSTR_cores), MP_ROM_PTR(&cores_obj) },
#endif
    { MP_ROM_QSTR(MP_QSTR_table), MP_ROM_PTR(&fb_table_obj) },
    { MP_ROM_QSTR(MP_QSTR_follow), MP_ROM_PTR(&fb_follow_obj) },
    { MP_ROM_QSTR(MP_QSTR_vector), MP_ROM_PTR(&fb_vector_obj) },
    { MP_ROM_QSTR(MP_QSTR_ints), MP_ROM_PTR(&fb_ints_obj) },
    { MP_ROM_QSTR(MP_QSTR_i32), MP_ROM_PTR(&fb_i32_obj) },
    { MP_ROM_QSTR(MP_QSTR_u8), MP_ROM_PTR(&fb_u8_obj) },
    { MP_ROM_QSTR(MP_QSTR_largest), MP_ROM_PTR(&fb_largest_obj) },
    { MP_ROM_QSTR(MP_QSTR_describe), MP_ROM_PTR(&fb_describe_obj) },
    { MP_ROM_QSTR(MP_QSTR_survey), MP_ROM_PTR(&fb_survey_obj) },
    { MP_ROM_QSTR(MP_QSTR_survey_operators), MP_ROM_PTR(&fb_survey_operators_obj) },
#if TFLM_HAS_LOADING
    { MP_ROM_QSTR(MP_QSTR_convolution), MP_ROM_PTR(&fb_convolution_obj) },
    { MP_ROM_QSTR(MP_QSTR_plan), MP_ROM_PTR(&plan_obj) },
    { MP_ROM_QSTR(MP_QSTR_commit), MP_ROM_PTR(&commit_obj) },
#endif
    { MP_ROM_QSTR(MP_QSTR_Elements), MP_ROM_PTR(&elements_type) },
    { MP_ROM_QSTR(MP_QSTR_put), MP_ROM_PTR(&put_obj) },
    { MP_ROM_QSTR(MP_QSTR_quantize), MP_ROM_PTR(&quantize_obj) },
    { MP_ROM_QSTR(MP_QSTR_equal), MP_ROM_PTR(&equal_obj) },
    { MP_ROM_QSTR(MP_QSTR_dequantize), MP_ROM_PTR(&dequantize_obj) },
    { MP_ROM_QSTR(MP_QSTR_items), MP_ROM_PTR(&items_obj) },
    { MP_ROM_QSTR(MP_QSTR_argmax), MP_ROM_PTR(&argmax_obj) },
#if TFLM_HAS_AUDIO || TFLM_HAS_MEL
    { MP_ROM_QSTR(MP_QSTR_audio_claim), MP_ROM_PTR(&audio_claim_obj) },
#endif
#if TFLM_HAS_AUDIO
    { MP_ROM_QSTR(MP_QSTR_audio_feed), MP_ROM_PTR(&audio_feed_obj) },
#ifdef TFLM_ADC
    { MP_ROM_QSTR(MP_QSTR_Adc), MP_ROM_PTR(&tflm_adc_type) },
    { MP_ROM_QSTR(MP_QSTR_Pdm), MP_ROM_PTR(&tflm_pdm_type) },
#endif
#endif
#if TFLM_HAS_MEL
    { MP_ROM_QSTR(MP_QSTR_audio_mel), MP_ROM_PTR(&audio_mel_obj) },
    { MP_ROM_QSTR(MP_QSTR_audio_mel_feed), MP_ROM_PTR(&audio_mel_feed_obj) },
    { MP_ROM_QSTR(MP_QSTR_audio_normalize), MP_ROM_PTR(&audio_normalize_obj) },
#endif
#if TFLM_HAS_IMAGE
    { MP_ROM_QSTR(MP_QSTR_image_fit), MP_ROM_PTR(&image_fit_obj) },
    { MP_ROM_QSTR(MP_QSTR_image_feed), MP_ROM_PTR(&image_feed_obj) },
#endif
};
static MP_DEFINE_CONST_DICT(globals, globals_table);

const mp_obj_module_t tflm_user_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&globals,
};

MP_REGISTER_MODULE(MP_QSTR__tflm, tflm_user_module);
