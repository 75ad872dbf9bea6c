// Sixteen channels at a time, or four.
#include "../common/pool_area.h"
#include "vectors.h"

enum { FOUR = 4 };

static void sum_sixteen(const tflm_pool_area_t *area, const int8_t *channels, int32_t *sums) {
    int32x4_t a = vdupq_n_s32(0), b = a, c = a, d = a;
    for (int32_t y = area->rows; y > 0; y--, channels += area->row) {
        const int8_t *at = channels;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            a = vaddq_s32(a, vldrbq_s32(at));
            b = vaddq_s32(b, vldrbq_s32(at + FOUR));
            c = vaddq_s32(c, vldrbq_s32(at + 2 * FOUR));
            d = vaddq_s32(d, vldrbq_s32(at + 3 * FOUR));
        }
    }
    vstrwq_s32(sums, a);
    vstrwq_s32(sums + FOUR, b);
    vstrwq_s32(sums + 2 * FOUR, c);
    vstrwq_s32(sums + 3 * FOUR, d);
}

static void sum_four(
    const tflm_pool_area_t *area, const int8_t *channels, int32_t count, int32_t *sums) {
    const mve_pred16_t used = vctp32q((uint32_t)count);
    int32x4_t sum = vdupq_n_s32(0);
    for (int32_t y = area->rows; y > 0; y--, channels += area->row) {
        const int8_t *at = channels;
        for (int32_t x = area->columns; x > 0; x--, at += area->pixel) {
            sum = vaddq_s32(sum, vldrbq_z_s32(at, used));
        }
    }
    vstrwq_s32(sums, sum);
}

int32_t tflm_pool_sums(
    const tflm_pool_area_t *area, int32_t first, int32_t depth, int32_t sums[TFLM_POOL_SUMS]) {
    const int32_t left = depth - first;
    if (left >= TFLM_POOL_SUMS) {
        sum_sixteen(area, area->first + first, sums);
        return TFLM_POOL_SUMS;
    }
    for (int32_t c = 0; c < left; c += FOUR) {
        sum_four(area, area->first + first + c, left - c, sums + c);
    }
    return left;
}
