// The part of `_tflm` that mp_modules/tflm/audio.py calls. Included once, after binding.h, by
// modtflm.c, where the firmware has the audio front ends.
#include "py/mphal.h"

#include "audio/front.h"

static tflm_audio_front_t *get_front(mp_obj_t state_in) {
    mp_buffer_info_t state;
    mp_get_buffer_raise(state_in, &state, MP_BUFFER_WRITE);
    tflm_audio_front_t *front = state.buf;
    if (state.len < sizeof(*front) || (uintptr_t)front % sizeof(uint32_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("state"));
    }
    return front;
}

// Tests and sets in one step: an interrupt or another core may be about to do the same.
static bool claim(tflm_audio_front_t *front) {
    const mp_uint_t atomic_state = MICROPY_BEGIN_ATOMIC_SECTION();
    const bool was_busy = front->is_busy != 0;
    front->is_busy = 1;
    MICROPY_END_ATOMIC_SECTION(atomic_state);
    return !was_busy;
}

// audio_claim(state): false where somebody has it; else the first byte gives it back, set to 0.
static mp_obj_t audio_claim(mp_obj_t state) {
    return mp_obj_new_bool(claim(get_front(state)));
}
static MP_DEFINE_CONST_FUN_OBJ_1(audio_claim_obj, audio_claim);

typedef struct {
    const uint8_t *bytes;
    int32_t count;
} samples_t;

static samples_t get_samples(mp_obj_t samples_in) {
    mp_buffer_info_t info;
    mp_get_buffer_raise(samples_in, &info, MP_BUFFER_READ);
    const char code = (char)info.typecode;
    if (code != 'h' && code != 'B' && code != 'b' && code != BYTEARRAY_TYPECODE) {
        mp_raise_TypeError(MP_ERROR_TEXT("samples: int16 expected"));
    }
    if (info.len % sizeof(int16_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("samples: an odd number of bytes"));
    }
    if (info.len / sizeof(int16_t) > MP_SMALL_INT_MAX / 2) {
        mp_raise_ValueError(MP_ERROR_TEXT("samples: too many"));
    }
    return (samples_t) {info.buf, (int32_t)(info.len / sizeof(int16_t))};
}

static int32_t feed_claimed(
    tflm_audio_front_t *front, const uint8_t *samples, int32_t count, uint8_t *line) {
    #if TFLM_GUARDED
    guard_t guard;
    if (guard_push(&guard) != 0) {
        front->is_busy = 0;
        guard_raise(&guard);
    }
    #endif
    const int32_t done = tflm_audio_feed(front, samples, count, line);
    #if TFLM_GUARDED
    guard_pop();
    #endif
    front->is_busy = 0;
    return done;
}

// audio_feed(state, samples, start, line): 2 * number of the first sample that is left, + 1 where
// the line was written; -1 where a call is under way.
static mp_obj_t audio_feed(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    tflm_audio_front_t *front = get_front(args[0]);
    const samples_t samples = get_samples(args[1]);
    const int32_t start =
        (int32_t)get_index(args[2], 0, (size_t)samples.count, MP_ERROR_TEXT("start"));
    mp_buffer_info_t line;
    mp_get_buffer_raise(args[3], &line, MP_BUFFER_WRITE);
    if (!tflm_audio_is_sound(front) || line.len < tflm_audio_line_size(front)) {
        mp_raise_ValueError(MP_ERROR_TEXT("line"));
    }
    if (!claim(front)) {
        return MP_OBJ_NEW_SMALL_INT(-1);
    }
    const int32_t done =
        feed_claimed(front, samples.bytes + 2 * start, samples.count - start, line.buf);
    return MP_OBJ_NEW_SMALL_INT(2 * start + done);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(audio_feed_obj, 4, 4, audio_feed);
