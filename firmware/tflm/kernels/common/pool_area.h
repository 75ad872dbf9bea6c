// What a pooling window takes of an image.
#ifndef TFLM_POOL_AREA_H
#define TFLM_POOL_AREA_H

#include <stdint.h>

// The part of a window that lies in the image.
typedef struct {
    const int8_t *first;  // channel 0 of its first pixel
    int32_t rows, columns;
    int32_t pixel, row;  // from a pixel to the next, from a row's first to the next row's
} tflm_pool_area_t;

// Writes the largest value of each of `depth` channels.
void tflm_pool_maximum(const tflm_pool_area_t *area, int32_t depth, int8_t *output);

enum { TFLM_POOL_SUMS = 16 };

// Writes the sums of TFLM_POOL_SUMS channels from `first` on, or of as many as there are, and
// returns their number; other words of `sums` may change. Sums fit 32 bits.
int32_t tflm_pool_sums(
    const tflm_pool_area_t *area, int32_t first, int32_t depth, int32_t sums[TFLM_POOL_SUMS]);

#endif
