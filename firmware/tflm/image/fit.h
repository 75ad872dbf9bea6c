// A camera's picture as a model's input: rows come in, values go out. No second picture is made.
// Nothing here knows MicroPython.
//
//   row --pixels.h--> line of grey or RGB --columns--> row of the input's width --two or more-->
//       row of the input --table--> values, turned
#ifndef TFLM_IMAGE_FIT_H
#define TFLM_IMAGE_FIT_H

#include "image/picture.h"

// Returns the bytes of a state for this picture, and 0 where what it says cannot be.
size_t tflm_fit_size(const tflm_picture_t *of);

// Fills a state of so many bytes, at a multiple of 4. `table` has of->tables tables.
void tflm_fit_make(tflm_fit_t *fit, const tflm_picture_t *of, const void *table);

// Expects the first row of a frame next.
void tflm_fit_begin(tflm_fit_t *fit);

// Returns the bytes of the input, or of one of its rows.
static inline size_t tflm_fit_bytes(const tflm_fit_t *fit, bool is_row) {
    const tflm_picture_t *of = &fit->of;
    return (size_t)(of->in_width * (is_row ? 1 : of->in_height) * of->channels * of->size);
}

// Takes `count` rows of the frame from number `start` of them on, and writes what they complete of
// the input. With is_row it stops behind each row of the input, which it writes to `out`; the next
// call goes on with the `start` that it returned. Returns 2 * rows taken, + 1 where it stopped so.
int32_t tflm_fit_feed(tflm_fit_t *fit, const uint8_t *rows, int32_t count, int32_t start,
    bool is_row, uint8_t *out);

#endif
