// The part of `_tflm` that mp_modules/tflm/audio.py calls. Included once, after binding_samples.h, by
// modtflm.c and ../natmod/natmod.c, where the firmware or the native module has the front ends. Before,
// they define FEED_ARGUMENTS of audio_feed(): 4, or 5 where it takes a function that claims.
#include "audio/front.h"

static tflm_audio_front_t *get_front(mp_obj_t state_in) {
    return get_words(state_in, sizeof(tflm_audio_front_t), MP_BUFFER_WRITE,
        MP_ERROR_TEXT("state")).buf;
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
    tflm_audio_front_t *front = get_front(args[0]);
    const samples_t samples = get_samples(args[1]);
    const int32_t start =
        (int32_t)get_index(args[2], 0, (size_t)samples.count, MP_ERROR_TEXT("start"));
    mp_buffer_info_t line;
    mp_get_buffer_raise(args[3], &line, MP_BUFFER_WRITE);
    if (!tflm_audio_is_sound(front) || line.len < tflm_audio_line_size(front)) {
        mp_raise_ValueError(MP_ERROR_TEXT("line"));
    }
    const bool is_ours = FEED_ARGUMENTS > 4 && n_args > 4
        ? mp_call_function_n_kw(args[4], 1, 0, args) == mp_const_true
        : claim(&front->is_busy);
    if (!is_ours) {
        return MP_OBJ_NEW_SMALL_INT(-1);
    }
    const int32_t done =
        feed_claimed(front, samples.bytes + 2 * start, samples.count - start, line.buf);
    return MP_OBJ_NEW_SMALL_INT(2 * start + done);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(audio_feed_obj, 4, FEED_ARGUMENTS, audio_feed);
