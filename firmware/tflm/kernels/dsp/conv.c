// CONV_2D for cores with the DSP extension: conv_pairs.h with two products an instruction.
#include "../conv_pairs.h"
#include "simd.h"

static sums_t two_by_two(const pair_t *pair, const int8_t *x0, const int8_t *x1) {
    const int8_t *w0 = pair->channel[0].filter, *w1 = pair->channel[1].filter;
    uint32_t s00 = pair->channel[0].start, s01 = s00, s10 = pair->channel[1].start, s11 = s10;
    const int32_t skip = pair->row - pair->run;
    for (int32_t i = pair->params->filter_height; i > 0; i--, x0 += skip, x1 += skip) {
        const int8_t *end = w0 + (pair->run & ~3);
        while (w0 != end) {
            uint32_t x = tflm_load4(x0);
            const uint32_t x0_even = tflm_even(x), x0_odd = tflm_odd(x);
            x = tflm_load4(x1);
            const uint32_t x1_even = tflm_even(x), x1_odd = tflm_odd(x);
            uint32_t w = tflm_load4(w0);
            uint32_t taps = tflm_even(w);
            s00 = tflm_smlad(taps, x0_even, s00);
            s01 = tflm_smlad(taps, x1_even, s01);
            taps = tflm_odd(w);
            s00 = tflm_smlad(taps, x0_odd, s00);
            s01 = tflm_smlad(taps, x1_odd, s01);
            w = tflm_load4(w1);
            taps = tflm_even(w);
            s10 = tflm_smlad(taps, x0_even, s10);
            s11 = tflm_smlad(taps, x1_even, s11);
            taps = tflm_odd(w);
            s10 = tflm_smlad(taps, x0_odd, s10);
            s11 = tflm_smlad(taps, x1_odd, s11);
            x0 += 4, x1 += 4, w0 += 4, w1 += 4;
        }
        for (int32_t rest = pair->run & 3; rest > 0; rest--, x0++, x1++, w0++, w1++) {
            s00 += (uint32_t)(*w0 * *x0);
            s01 += (uint32_t)(*w0 * *x1);
            s10 += (uint32_t)(*w1 * *x0);
            s11 += (uint32_t)(*w1 * *x1);
        }
    }
    return (sums_t) {s00, s01, s10, s11};
}

static inline void add_run(
    sums_t *sums, const pair_t *pair, const int8_t *x, int32_t skip, int32_t count) {
    const int8_t *w0 = pair->channel[0].filter + skip, *w1 = pair->channel[1].filter + skip;
    const int32_t offset = pair->params->input_offset;
    const uint32_t offsets = tflm_both(offset);
    for (; count >= 4; count -= 4, x += 4, w0 += 4, w1 += 4) {
        const uint32_t word = tflm_load4(x);
        const uint32_t even = tflm_add16(tflm_even(word), offsets);
        const uint32_t odd = tflm_add16(tflm_odd(word), offsets);
        const uint32_t v0 = tflm_load4(w0), v1 = tflm_load4(w1);
        sums->s00 = tflm_smlad(tflm_odd(v0), odd, tflm_smlad(tflm_even(v0), even, sums->s00));
        sums->s10 = tflm_smlad(tflm_odd(v1), odd, tflm_smlad(tflm_even(v1), even, sums->s10));
    }
    for (; count > 0; count--, x++) {
        sums->s00 += (uint32_t)(*w0++ * (*x + offset));
        sums->s10 += (uint32_t)(*w1++ * (*x + offset));
    }
}

static inline uint32_t sum_of(const int8_t *values, int32_t count) {
    return tflm_sum(values, count);
}
