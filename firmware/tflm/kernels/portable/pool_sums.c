#include "../common/pool_area.h"

#include <string.h>

enum { FOUR = 4, MOST_COUNTED = 256 };  // values whose sums, each plus 128, fit 16 bits

// Writes the sums of four channels; they lie a multiple of four bytes apart, and at one.
static void sum_four(const tflm_pool_area_t *area, const int8_t *channels, int32_t *sums) {
    const uint32_t low_bytes = 0x00FF00FF, signs = 0x80808080;
    const int32_t bias = 128 * area->rows * area->columns;
    uint32_t even = 0, odd = 0;
    for (int32_t y = area->rows; y > 0; y--, channels += area->row) {
        const int8_t *at = channels;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            uint32_t word;
            memcpy(&word, __builtin_assume_aligned(at, 4), sizeof(word));
            word ^= signs;
            even += word & low_bytes;
            odd += word >> 8 & low_bytes;
        }
    }
    sums[0] = (int32_t)(even & 0xFFFF) - bias;
    sums[1] = (int32_t)(odd & 0xFFFF) - bias;
    sums[2] = (int32_t)(even >> 16) - bias;
    sums[3] = (int32_t)(odd >> 16) - bias;
}

static int32_t sum_one(const tflm_pool_area_t *area, const int8_t *channel) {
    int32_t sum = 0;
    for (int32_t y = area->rows; y > 0; y--, channel += area->row) {
        const int8_t *at = channel;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            sum += *at;
        }
    }
    return sum;
}

int32_t tflm_pool_sums(
    const tflm_pool_area_t *area, int32_t first, int32_t depth, int32_t sums[TFLM_POOL_SUMS]) {
    const int32_t count = depth - first < TFLM_POOL_SUMS ? depth - first : TFLM_POOL_SUMS;
    const int8_t *channels = area->first + first;
    const uintptr_t places = (uintptr_t)channels | (uint32_t)area->pixel | (uint32_t)area->row;
    const int32_t in_fours = places % FOUR == 0 && area->rows * area->columns <= MOST_COUNTED;
    int32_t c = 0;
    for (; in_fours && c + FOUR <= count; c += FOUR) {
        sum_four(area, channels + c, sums + c);
    }
    for (; c < count; c++) {
        sums[c] = sum_one(area, channels + c);
    }
    return count;
}
