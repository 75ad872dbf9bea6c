// The part of `_tflm` that mp_modules/tflm/mel.py calls. Included once, after binding_samples.h, by
// modtflm.c, where the firmware has it.
#include "audio/mel.h"

typedef struct {
    const tflm_mel_t *mel;
    size_t state_size;
} tables_t;

static tables_t get_tables(mp_obj_t tables_in) {
    const mp_buffer_info_t info =
        get_words(tables_in, sizeof(tflm_mel_t), MP_BUFFER_READ, MP_ERROR_TEXT("tables"));
    const size_t state_size = tflm_mel_state_size(info.buf, info.len);
    if (state_size == 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("tables"));
    }
    return (tables_t) {info.buf, state_size};
}

// audio_mel(tables): the bytes of a state; raises ValueError where the tables are none.
static mp_obj_t audio_mel(mp_obj_t tables) {
    return mp_obj_new_int_from_uint(get_tables(tables).state_size);
}
static MP_DEFINE_CONST_FUN_OBJ_1(audio_mel_obj, audio_mel);

static int32_t feed_claimed_mel(const tflm_mel_t *mel, tflm_mel_state_t *state,
    const uint8_t *samples, int32_t count, uint8_t *line) {
    #if TFLM_GUARDED
    guard_t guard;
    if (guard_push(&guard) != 0) {
        state->is_busy = 0;
        guard_raise(&guard);
    }
    #endif
    const int32_t done = tflm_mel_feed(mel, state, samples, count, line);
    #if TFLM_GUARDED
    guard_pop();
    #endif
    state->is_busy = 0;
    return done;
}

// audio_mel_feed(tables, state, samples, start, line): 2 * number of the first sample that is left,
// + 1 where the line was written; -1 where a call is under way.
static mp_obj_t audio_mel_feed(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    const tables_t tables = get_tables(args[0]);
    const tflm_mel_t *mel = tables.mel;
    tflm_mel_state_t *state =
        get_words(args[1], tables.state_size, MP_BUFFER_WRITE, MP_ERROR_TEXT("state")).buf;
    const samples_t samples = get_samples(args[2]);
    const int32_t start =
        (int32_t)get_index(args[3], 0, (size_t)samples.count, MP_ERROR_TEXT("start"));
    mp_buffer_info_t line;
    mp_get_buffer_raise(args[4], &line, MP_BUFFER_WRITE);
    if (!tflm_mel_is_sound(mel, state) || line.len < (size_t)(mel->values * mel->value_size)) {
        mp_raise_ValueError(MP_ERROR_TEXT("line"));
    }
    if (!claim(&state->is_busy)) {
        return MP_OBJ_NEW_SMALL_INT(-1);
    }
    const int32_t done = feed_claimed_mel(
        mel, state, samples.bytes + 2 * start, samples.count - start, line.buf);
    return MP_OBJ_NEW_SMALL_INT(2 * start + done);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(audio_mel_feed_obj, 5, 5, audio_mel_feed);

// audio_normalize(tables, lines, work, output): lines are int16, work has two words for each.
static mp_obj_t audio_normalize(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    const tflm_mel_t *mel = get_tables(args[0]).mel;
    mp_buffer_info_t lines, output;
    mp_get_buffer_raise(args[1], &lines, MP_BUFFER_READ);
    const size_t count = lines.len / (2 * (size_t)mel->values);
    const mp_buffer_info_t work =
        get_words(args[2], 2 * sizeof(int32_t) * count, MP_BUFFER_WRITE, MP_ERROR_TEXT("work"));
    mp_get_buffer_raise(args[3], &output, MP_BUFFER_WRITE);
    if (mel->normal_window == 0 || mel->value_size != 2 || count == 0 || count > INT16_MAX
        || output.len < count * (size_t)mel->values) {
        mp_raise_ValueError(MP_ERROR_TEXT("lines"));
    }
    tflm_mel_normalize(mel, lines.buf, (int32_t)count, work.buf, output.buf);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(audio_normalize_obj, 4, 4, audio_normalize);
