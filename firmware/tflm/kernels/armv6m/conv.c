// CONV_2D for Cortex-M0 and M0+: conv_pairs.h with eight low registers in mind. The four pointers
// share one index, since only a load with a register offset extends the sign.
#include "../conv_pairs.h"

static sums_t two_by_two(const pair_t *pair, const int8_t *x0, const int8_t *x1) {
    const int8_t *w0 = pair->channel[0].filter, *w1 = pair->channel[1].filter;
    uint32_t s00 = pair->channel[0].start, s01 = s00, s10 = pair->channel[1].start, s11 = s10;
    const int32_t run = pair->run, row = pair->row;
    for (int32_t i = pair->params->filter_height; i > 0; i--) {
        for (int32_t k = run - 1; k >= 0; k--) {
            const uint32_t a = (uint32_t)x0[k], b = (uint32_t)x1[k];
            const uint32_t w = (uint32_t)w0[k], v = (uint32_t)w1[k];
            s00 += w * a;
            s01 += w * b;
            s10 += v * a;
            s11 += v * b;
        }
        x0 += row, x1 += row, w0 += run, w1 += run;
    }
    return (sums_t) {s00, s01, s10, s11};
}

static inline void add_run(
    sums_t *sums, const pair_t *pair, const int8_t *x, int32_t skip, int32_t count) {
    const int8_t *w0 = pair->channel[0].filter + skip, *w1 = pair->channel[1].filter + skip;
    const uint32_t offset = (uint32_t)pair->params->input_offset;
    for (int32_t k = count - 1; k >= 0; k--) {
        const uint32_t a = (uint32_t)x[k] + offset;
        sums->s00 += (uint32_t)w0[k] * a;
        sums->s10 += (uint32_t)w1[k] * a;
    }
}

static inline uint32_t sum_of(const int8_t *values, int32_t count) {
    uint32_t sum = 0;
    for (; count > 0; count--) {
        sum += (uint32_t)*values++;
    }
    return sum;
}
