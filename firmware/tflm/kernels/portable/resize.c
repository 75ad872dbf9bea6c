// RESIZE_NEAREST_NEIGHBOR.
// Source: tensorflow/lite/kernels/internal/reference/resize_nearest_neighbor.h.
#include "../common/bytes.h"
#include "generated/layout.h"

static inline void put(uint8_t *to, const uint8_t *from, int32_t pixel) {
    if (pixel >= 8) {
        tflm_move(to, from, (size_t)pixel);
    } else {
        for (int32_t k = 0; k < pixel; k++) {
            to[k] = from[k];
        }
    }
}

// Writes `count` pixels; steps say how many pixels each lies behind the one before.
static inline uint8_t *stretch(
    uint8_t *to, const uint8_t *from, const uint8_t *steps, int32_t count, int32_t pixel) {
    for (int32_t i = 0; i < count; i++) {
        from += steps[i] * pixel;
        put(to, from, pixel);
        to += pixel;
    }
    return to;
}

// input   [batches, input_height, input_width] pixels
// output  [batches, output_height, output_width]
void tflm_resize_nearest(
    const tflm_resize_nearest_t *params, const uint8_t *input, uint8_t *output) {
    const uint8_t *const rows = (const void *)params->steps;
    const uint8_t *const columns = rows + params->output_height;
    const int32_t pixel = params->pixel;
    const int32_t width = params->output_width;
    for (int32_t b = 0; b < params->batches; b++) {
        const uint8_t *from = input;
        for (int32_t y = 0; y < params->output_height; y++) {
            if (y > 0 && rows[y] == 0) {
                tflm_move(output, output - width * pixel, (size_t)(width * pixel));
                output += width * pixel;
            } else {
                from += rows[y] * params->input_width * pixel;
                output = pixel == 1 ? stretch(output, from, columns, width, 1)
                                    : stretch(output, from, columns, width, pixel);
            }
        }
        input += params->input_height * params->input_width * pixel;
    }
}

// input   rows of [input_row] bytes, from that on which the first row of the output is
// output  [rows, width] pixels
void tflm_rows_nearest(
    const tflm_rows_nearest_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t pixel = params->pixel, row = params->width * pixel;
    int32_t place = params->first * params->row_step - params->row_start;
    int32_t before = place >> params->row_shift;
    for (int32_t i = 0; i < params->rows; i++, output += row, place += params->row_step) {
        const int32_t y = place >> params->row_shift;
        if (i > 0 && y == before) {
            tflm_move(output, output - row, (size_t)row);
            continue;
        }
        input += (y - before) * params->input_row;
        before = y;
        int32_t x = -params->column_start;
        for (uint8_t *to = output; to < output + row; to += pixel, x += params->column_step) {
            put(to, input + (x >> params->column_shift) * pixel, pixel);
        }
    }
}
