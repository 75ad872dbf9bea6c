// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.
// Source: tensorflow/lite/kernels/internal/reference/space_to_batch_nd.h, batch_to_space_nd.h.
#include <stdbool.h>

#include "../common/bytes.h"
#include "generated/layout.h"

// Pixels first..end-1 of a line of `width`, `block` apart in an image's line, lie inside of it.
typedef struct {
    int32_t first, end;
} span_t;

// shift: of the line's first pixel in the image's line of so many pixels
static span_t inside(int32_t width, int32_t block, int32_t shift, int32_t pixels) {
    span_t span = {0, 0};
    while (span.first < width && span.first * block + shift < 0) {
        span.first++;
    }
    span.end = span.first;
    while (span.end < width && span.end * block + shift < pixels) {
        span.end++;
    }
    return span;
}

// Moves between `image` and `blocks`; to_blocks says which way, and that pad_value fills the margins.
static __attribute__((noinline)) void move(
    const tflm_blocks_t *p, uint8_t *to, const uint8_t *from, bool to_blocks) {
    const int32_t pixel = p->pixel;
    const int32_t image = p->image_height * p->image_width * pixel;
    const int32_t shifts = p->block_height * p->block_width;
    for (int32_t s = 0; s < shifts; s++) {
        const int32_t shift = s % p->block_width - p->left;
        const span_t span = inside(p->width, p->block_width, shift, p->image_width);
        const size_t before = (size_t)(span.first * pixel);
        const size_t after = (size_t)((p->width - span.end) * pixel);
        const int32_t count = span.end - span.first;
        const int32_t step = p->block_width * pixel;
        for (int32_t b = 0; b < p->batches; b++) {
            int32_t row = s / p->block_width - p->top;
            for (int32_t y = 0; y < p->height; y++, row += p->block_height) {
                const bool is_inside = row >= 0 && row < p->image_height;
                const int32_t column = span.first * p->block_width + shift;
                const int32_t place = b * image + (row * p->image_width + column) * pixel;
                if (to_blocks && is_inside) {
                    tflm_fill(to, p->pad_value, before);
                    tflm_move_rows(to + before, pixel, from + place, step, (size_t)pixel, count);
                    tflm_fill(to + p->width * pixel - after, p->pad_value, after);
                } else if (to_blocks) {
                    tflm_fill(to, p->pad_value, (size_t)(p->width * pixel));
                } else if (is_inside) {
                    tflm_move_rows(to + place, step, from + before, pixel, (size_t)pixel, count);
                }
                to += to_blocks ? p->width * pixel : 0;
                from += to_blocks ? 0 : p->width * pixel;
            }
        }
    }
}

// input   [batches, image_height, image_width] pixels
// output  [block_height, block_width, batches, height, width]
void tflm_space_to_batch(const tflm_blocks_t *params, const uint8_t *input, uint8_t *output) {
    move(params, output, input, true);
}

// The same, the other way.
void tflm_batch_to_space(const tflm_blocks_t *params, const uint8_t *input, uint8_t *output) {
    move(params, output, input, false);
}
