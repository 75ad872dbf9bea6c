// What fit.c, pixels.c and loops.c know of a picture and of the input that is made of it.
#ifndef TFLM_IMAGE_PICTURE_H
#define TFLM_IMAGE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TFLM_IMAGE_MOST = 4095,  // pixels of a side: 256 times a product of two fits a word
    TFLM_IMAGE_CODES = 256,
};

// Formats and ways of resizing: the numbers that mp_modules/tflm/image.py has.
enum {
    TFLM_RGB565,  // order: 1 where the low byte comes first
    TFLM_RGB888,
    TFLM_GREY,
    TFLM_YUV422,  // order: 1 where u comes first
    TFLM_BAYER,  // order: 2 * row + column of red in each square of four
    TFLM_FORMATS
};
enum { TFLM_NEAREST, TFLM_BILINEAR, TFLM_EDGE, TFLM_AREA, TFLM_ANTIALIAS, TFLM_RESIZES };

// What mp_modules/tflm/image.py says, word for word. The picture is as the camera sees it; so are
// the sides of the input before it is turned.
typedef struct {
    int32_t format, order, resize, turns;  // quarters, clockwise
    int32_t width, height;  // of the frame, in its own pixels
    int32_t left, top, columns, rows;  // of the part that is taken; in squares of four, of Bayer
    int32_t in_width, in_height;  // the input
    int32_t in_left, in_top, in_columns, in_rows;  // its part that the picture fills
    int32_t channels, size;  // 1 or 3, and bytes of a value, 1 or 4
    int32_t flip;  // 128: values are pixels less 128
    int32_t tables;  // of 256 values each: 0, 1 or one for each channel
    int32_t fill[3];  // bytes of the rest of the input
} tflm_picture_t;

// The start of a state; the tables and rows that it has places for follow.
typedef struct {
    uint32_t is_busy;  // set and tested in one step by who calls these functions
    tflm_picture_t of;
    int32_t row_bytes;  // of the frame
    int32_t most;  // taps of a pixel
    int32_t stride;  // bytes of a row of `mixed`
    int32_t step_x, step_y, origin;  // of values in the input, in values
    // Places, in bytes from the start; 0: none.
    int32_t table, sums, columns, weights, slots, line, mixed, kept, row, nbytes;
    // Where the frame is.
    int32_t next_in, next_out;
    int32_t have;  // the latest row of the part that is taken, or -1
    int32_t is_open;  // the row next_in was taken, and may complete more rows of the input
    int32_t first, count;  // taps of the row next_out
} tflm_fit_t;

static inline void *tflm_image_at(tflm_fit_t *fit, int32_t place) {
    return (uint8_t *)fit + place;
}

#endif
