// RESIZE_BILINEAR. Source: tensorflow/lite/kernels/internal/reference/resize_bilinear.h:
// ResizeBilinearInteger.
#include "../common/load.h"
#include "generated/layout.h"

#include <string.h>

enum { BITS = 10, ONE = 1 << BITS };  // of a place between two pixels

// Between which two rows or columns a place lies: (ONE - fraction) parts of `low`, `fraction` of
// `high`.
typedef struct {
    int32_t low, high, fraction;
} between_t;

// Before the first and behind the last pixel of `size`, both are that pixel.
static between_t between(int32_t place, int32_t size) {
    const int32_t low = place < 0 ? 0 : place >> BITS;
    if (place < 0 || low >= size - 1) {
        const int32_t end = place < 0 ? 0 : size - 1;
        return (between_t){end, end, 0};
    }
    return (between_t){low, low + 1, place & (ONE - 1)};
}

// Writes `depth` means of four pixels; what each weighs adds up to 2^20. To nearest, ties away from
// zero.
typedef void (*mix_t)(
    const uint8_t *const pixels[4], const int32_t weights[4], int32_t depth, uint8_t *output);

static void mix_s8(
    const uint8_t *const pixels[4], const int32_t weights[4], int32_t depth, uint8_t *output) {
    const int8_t *a = (const void *)pixels[0], *b = (const void *)pixels[1];
    const int8_t *c = (const void *)pixels[2], *d = (const void *)pixels[3];
    const int32_t wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];
    for (int32_t i = 0; i < depth; i++) {
        const int32_t sum = a[i] * wa + b[i] * wb + c[i] * wc + d[i] * wd;
        output[i] = (uint8_t)((sum + (sum >> 31) + (1 << (2 * BITS - 1))) >> (2 * BITS));
    }
}

static void mix_s16(
    const uint8_t *const pixels[4], const int32_t weights[4], int32_t depth, uint8_t *output) {
    int16_t *const to = (void *)output;
    for (int32_t i = 0; i < depth; i++) {
        int64_t sum = 1 << (2 * BITS - 1);
        for (int32_t k = 0; k < 4; k++) {
            sum += (int64_t)tflm_load16(pixels[k] + 2 * i) * weights[k];
        }
        to[i] = (int16_t)((sum - (sum < 1 << (2 * BITS - 1))) >> (2 * BITS));
    }
}

// Elements have `size` bytes.
static inline void resize(const tflm_bilinear_t *params, const uint8_t *input, uint8_t *output,
    int32_t size, mix_t mix) {
    const int32_t depth = params->depth, pixel = depth * size;
    const int32_t row = params->input_width * pixel;
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * row) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const between_t rows = between(
                params->start_height + y * params->step_height, params->input_height);
            const uint8_t *above = input + rows.low * row, *below = input + rows.high * row;
            const int32_t down = rows.fraction, up = ONE - down;
            for (int32_t x = 0; x < params->output_width; x++, output += pixel) {
                const between_t columns = between(
                    params->start_width + x * params->step_width, params->input_width);
                const int32_t left = columns.low * pixel, right = columns.high * pixel;
                const int32_t east = columns.fraction, west = ONE - east;
                if ((down | east) == 0) {
                    memcpy(output, above + left, (size_t)pixel);
                    continue;
                }
                const uint8_t *const pixels[] = {
                    above + left, above + right, below + left, below + right};
                const int32_t weights[] = {up * west, up * east, down * west, down * east};
                mix(pixels, weights, depth, output);
            }
        }
    }
}

// input   int8 [batches, input_height, input_width, depth]
// output  int8 [batches, output_height, output_width, depth]
// What prepare sees to: heights and widths are below 2^20, and a place below 2^31.
void tflm_resize_bilinear_s8(
    const tflm_bilinear_t *params, const int8_t *input, int8_t *output) {
    resize(params, (const void *)input, (void *)output, 1, mix_s8);
}

// The same of int16.
void tflm_resize_bilinear_s16(
    const tflm_bilinear_t *params, const uint8_t *input, int16_t *output) {
    resize(params, input, (void *)output, 2, mix_s16);
}
