// The part of `_tflm` that mp_modules/tflm/image.py calls. Included once, after binding_samples.h, by
// modtflm.c, where the firmware has it.
#include "image/fit.h"

// image_fit(words, table): a state, as a bytearray. Raises ValueError where words say what cannot be.
static mp_obj_t image_fit(mp_obj_t words_in, mp_obj_t table_in) {
    const tflm_picture_t *of = get_words(
        words_in, sizeof(tflm_picture_t), MP_BUFFER_READ, MP_ERROR_TEXT("words")).buf;
    mp_buffer_info_t table;
    mp_get_buffer_raise(table_in, &table, MP_BUFFER_READ);
    const size_t nbytes = tflm_fit_size(of);
    if (nbytes == 0 || table.len < (size_t)(of->tables * of->size * TFLM_IMAGE_CODES)) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    tflm_fit_t *fit = m_malloc0(nbytes);
    tflm_fit_make(fit, of, table.buf);
    return mp_obj_new_bytearray_by_ref(nbytes, fit);
}
static MP_DEFINE_CONST_FUN_OBJ_2(image_fit_obj, image_fit);

enum { IS_FRAME = 1, IS_ROW = 2, BEGINS = 4 };

static int32_t feed_claimed_fit(tflm_fit_t *fit, const uint8_t *rows, int32_t start, mp_int_t mode,
    uint8_t *out) {
    #if TFLM_GUARDED
    guard_t guard;
    if (guard_push(&guard) != 0) {
        fit->is_busy = 0;
        guard_raise(&guard);
    }
    #endif
    if ((mode & BEGINS) != 0) {
        tflm_fit_begin(fit);
    }
    const int32_t count = (mode & IS_FRAME) != 0 ? fit->of.height : 1;
    const int32_t done = tflm_fit_feed(fit, rows, count, start, (mode & IS_ROW) != 0, out);
    #if TFLM_GUARDED
    guard_pop();
    #endif
    fit->is_busy = 0;
    return done;
}

// image_feed(state, rows, start, out, mode): 2 * number of the first row that is left, + 1 where a
// row of the input was written; -1: another size; -2: a call is under way. mode: `rows` is a frame
// and not a row, `out` is a row of the input and not all of it, a frame begins.
static mp_obj_t image_feed(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    tflm_fit_t *fit =
        get_words(args[0], sizeof(tflm_fit_t), MP_BUFFER_WRITE, MP_ERROR_TEXT("state")).buf;
    mp_buffer_info_t rows, out;
    mp_get_buffer_raise(args[1], &rows, MP_BUFFER_READ);
    mp_get_buffer_raise(args[3], &out, MP_BUFFER_WRITE);
    const mp_int_t mode = get_int(args[4]);
    const size_t count = (mode & IS_FRAME) != 0 ? (size_t)fit->of.height : 1;
    const int32_t start = (int32_t)get_index(args[2], 0, count, MP_ERROR_TEXT("start"));
    if (out.len < tflm_fit_bytes(fit, (mode & IS_ROW) != 0)) {
        mp_raise_ValueError(MP_ERROR_TEXT("out"));
    }
    if (rows.len != count * (size_t)fit->row_bytes) {
        return MP_OBJ_NEW_SMALL_INT(-1);
    }
    const bool is_mine = claim(&fit->is_busy);
    return MP_OBJ_NEW_SMALL_INT(
        is_mine ? feed_claimed_fit(fit, rows.buf, start, mode, out.buf) : -2);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(image_feed_obj, 5, 5, image_feed);
