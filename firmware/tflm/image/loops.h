// The loops over the pixels of a row, in which resizing spends its time. `flip` is 0, or 128 to
// write each value less 128.
#ifndef TFLM_IMAGE_LOOPS_H
#define TFLM_IMAGE_LOOPS_H

#include <stdint.h>

// Grey of `count` pixels of RGB565, by the sums of pixels.h: those of the first byte, of the second.
void tflm_image_greys(const uint32_t *sums, const uint32_t *second, const uint8_t *row,
    int32_t count, uint8_t *to);

// Grey of the pixels of RGB565 at so many bytes each: the sums have the flip.
void tflm_image_pick(const uint32_t *sums, const uint32_t *second, const uint8_t *row,
    const uint16_t *at, int32_t count, uint8_t *to);

// Two neighbours of each pixel of a row: pairs (byte, weight of the second one in 256ths).
void tflm_image_mix(const uint8_t *line, const uint16_t *columns, int32_t count, uint8_t *to);

// The same with three bytes a pixel.
void tflm_image_mix_colours(
    const uint8_t *line, const uint16_t *columns, int32_t count, uint8_t *to);

// Two rows, at multiples of 4: `weight` 256ths of the second one.
void tflm_image_blend(const uint8_t *a, const uint8_t *b, uint32_t weight, int32_t count,
    uint32_t flip, uint8_t *to);

// Weighted sums of the neighbours of each pixel: a column is (byte, count, weights...), of
// 2 + `most` numbers. Weights add up to 16384.
void tflm_image_sum_columns(const uint8_t *line, const uint16_t *columns, int32_t most,
    int32_t count, uint8_t *to);

// The same with three bytes a pixel.
void tflm_image_sum_colours(const uint8_t *line, const uint16_t *columns, int32_t most,
    int32_t count, uint8_t *to);

// Weighted sums of `taps` rows, at these bytes. Two bytes behind each row can be read.
void tflm_image_sum_rows(const uint8_t *rows, const int32_t *slots, const uint16_t *weights,
    int32_t taps, int32_t count, uint32_t flip, uint8_t *to);

#endif
