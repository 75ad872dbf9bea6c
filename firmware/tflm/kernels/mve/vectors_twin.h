// vectors.h in plain C, for machines without the vector extension: its tests, not its speed.
// Names that begin with v are those of arm_mve.h and do what it says; all sums wrap.
#ifndef TFLM_VECTORS_TWIN_H
#define TFLM_VECTORS_TWIN_H

#include <string.h>

#include "../common/requantize.h"

typedef struct {
    int8_t of[16];
} int8x16_t;

typedef struct {
    int16_t of[8];
} int16x8_t;

typedef struct {
    int32_t of[4];
} int32x4_t;

typedef struct {
    int32x4_t val[4];
} int32x4x4_t;

// One bit for each lane.
typedef uint32_t mve_pred16_t;

#define TFLM_LANE_BY_LANE(type, expression) \
    type y; \
    for (int i = 0; i < (int)(sizeof(y.of) / sizeof(y.of[0])); i++) { \
        y.of[i] = (expression); \
    } \
    return y

static inline mve_pred16_t vctp8q(uint32_t count) {
    return count < 16 ? (1u << count) - 1 : 0xFFFF;
}

static inline mve_pred16_t vctp32q(uint32_t count) {
    return count < 4 ? (1u << count) - 1 : 0xF;
}

static inline int8x16_t vdupq_n_s8(int8_t x) {
    TFLM_LANE_BY_LANE(int8x16_t, x);
}

static inline int16x8_t vdupq_n_s16(int16_t x) {
    TFLM_LANE_BY_LANE(int16x8_t, x);
}

static inline int32x4_t vdupq_n_s32(int32_t x) {
    TFLM_LANE_BY_LANE(int32x4_t, x);
}

static inline int8x16_t vldrbq_s8(const int8_t *from) {
    TFLM_LANE_BY_LANE(int8x16_t, from[i]);
}

static inline int8x16_t vldrbq_z_s8(const int8_t *from, mve_pred16_t used) {
    TFLM_LANE_BY_LANE(int8x16_t, (int8_t)(used >> i & 1 ? from[i] : 0));
}

static inline int32x4_t vldrbq_s32(const int8_t *from) {
    TFLM_LANE_BY_LANE(int32x4_t, from[i]);
}

static inline int32x4_t vldrhq_s32(const int16_t *from) {
    TFLM_LANE_BY_LANE(int32x4_t, from[i]);
}

static inline int32x4_t vldrbq_z_s32(const int8_t *from, mve_pred16_t used) {
    TFLM_LANE_BY_LANE(int32x4_t, used >> i & 1 ? from[i] : 0);
}

static inline int32x4_t vldrwq_s32(const int32_t *from) {
    TFLM_LANE_BY_LANE(int32x4_t, from[i]);
}

static inline int32x4x4_t vld4q_s32(const int32_t *from) {
    int32x4x4_t four;
    for (int i = 0; i < 16; i++) {
        four.val[i % 4].of[i / 4] = from[i];
    }
    return four;
}

static inline void vstrbq_s8(int8_t *to, int8x16_t x) {
    memcpy(to, x.of, sizeof(x.of));
}

static inline void vstrbq_p_s8(int8_t *to, int8x16_t x, mve_pred16_t used) {
    for (int i = 0; i < 16; i++) {
        to[i] = (int8_t)(used >> i & 1 ? x.of[i] : to[i]);
    }
}

static inline void vstrbq_s32(int8_t *to, int32x4_t x) {
    for (int i = 0; i < 4; i++) {
        to[i] = (int8_t)x.of[i];
    }
}

static inline void vstrhq_s32(int16_t *to, int32x4_t x) {
    for (int i = 0; i < 4; i++) {
        to[i] = (int16_t)x.of[i];
    }
}

static inline void vstrwq_s32(int32_t *to, int32x4_t x) {
    memcpy(to, x.of, sizeof(x.of));
}

static inline void vstrwq_p_s32(int32_t *to, int32x4_t x, mve_pred16_t used) {
    for (int i = 0; i < 4; i++) {
        to[i] = used >> i & 1 ? x.of[i] : to[i];
    }
}

static inline int16x8_t vaddq_s16(int16x8_t a, int16x8_t b) {
    TFLM_LANE_BY_LANE(int16x8_t, (int16_t)(a.of[i] + b.of[i]));
}

static inline int32x4_t vaddq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, tflm_wrapping_add(a.of[i], b.of[i]));
}

static inline int32x4_t vsubq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, tflm_wrapping_sub(a.of[i], b.of[i]));
}

static inline int32x4_t vaddq_n_s32(int32x4_t a, int32_t b) {
    return vaddq_s32(a, vdupq_n_s32(b));
}

static inline int32x4_t vqaddq_s32(int32x4_t a, int32x4_t b) {
    int32x4_t y;
    for (int i = 0; i < 4; i++) {
        const int64_t sum = (int64_t)a.of[i] + b.of[i];
        y.of[i] = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    }
    return y;
}

static inline int32x4_t vmulq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, (int32_t)((uint32_t)a.of[i] * (uint32_t)b.of[i]));
}

static inline int32x4_t vmulq_n_s32(int32x4_t a, int32_t b) {
    return vmulq_s32(a, vdupq_n_s32(b));
}

static inline int32x4_t vmlaq_n_s32(int32x4_t sum, int32x4_t a, int32_t b) {
    return vaddq_s32(sum, vmulq_n_s32(a, b));
}

static inline int16x8_t vmullbq_int_s8(int8x16_t a, int8x16_t b) {
    TFLM_LANE_BY_LANE(int16x8_t, (int16_t)(a.of[2 * i] * b.of[2 * i]));
}

static inline int16x8_t vmulltq_int_s8(int8x16_t a, int8x16_t b) {
    TFLM_LANE_BY_LANE(int16x8_t, (int16_t)(a.of[2 * i + 1] * b.of[2 * i + 1]));
}

static inline int32x4_t vmovlbq_s16(int16x8_t a) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[2 * i]);
}

static inline int32x4_t vmovltq_s16(int16x8_t a) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[2 * i + 1]);
}

static inline int8x16_t vmaxq_s8(int8x16_t a, int8x16_t b) {
    TFLM_LANE_BY_LANE(int8x16_t, a.of[i] > b.of[i] ? a.of[i] : b.of[i]);
}

static inline int32x4_t vmaxq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[i] > b.of[i] ? a.of[i] : b.of[i]);
}

static inline int32x4_t vminq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[i] < b.of[i] ? a.of[i] : b.of[i]);
}

static inline int32x4_t vandq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[i] & b.of[i]);
}

static inline int32x4_t vshrq_n_s32(int32x4_t a, int shift) {
    TFLM_LANE_BY_LANE(int32x4_t, a.of[i] >> shift);
}

static inline int32x4_t vqrdmulhq_s32(int32x4_t a, int32x4_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, tflm_high_mul(a.of[i], b.of[i]));
}

static inline int32x4_t vqrdmulhq_n_s32(int32x4_t a, int32_t b) {
    TFLM_LANE_BY_LANE(int32x4_t, tflm_high_mul(a.of[i], b));
}

// Shifts by less than 32, to the right where negative.
static inline int32x4_t vshlq_s32(int32x4_t a, int32x4_t shift) {
    TFLM_LANE_BY_LANE(int32x4_t, shift.of[i] < 0 ? a.of[i] >> -shift.of[i]
                                                 : (int32_t)((uint32_t)a.of[i] << shift.of[i]));
}

static inline int tflm_all_below(int32x4_t x, uint32_t limit) {
    return (uint32_t)x.of[0] < limit && (uint32_t)x.of[1] < limit && (uint32_t)x.of[2] < limit
        && (uint32_t)x.of[3] < limit;
}

// Shifts by less than 32 to the right (negative) only, ties up.
static inline int32x4_t vrshlq_s32(int32x4_t a, int32x4_t shift) {
    TFLM_LANE_BY_LANE(
        int32x4_t, (int32_t)((a.of[i] + (((int64_t)1 << -shift.of[i]) >> 1)) >> -shift.of[i]));
}

static inline int32x4_t vrshlq_n_s32(int32x4_t a, int32_t shift) {
    return vrshlq_s32(a, vdupq_n_s32(shift));
}

static inline int32_t vmladavq_s8(int8x16_t a, int8x16_t b) {
    int32_t sum = 0;
    for (int i = 0; i < 16; i++) {
        sum += a.of[i] * b.of[i];
    }
    return sum;
}

static inline int32_t vaddvq_s8(int8x16_t a) {
    int32_t sum = 0;
    for (int i = 0; i < 16; i++) {
        sum += a.of[i];
    }
    return sum;
}

static inline void tflm_put_four(int8_t *to, int32x4_t x) {
    for (int i = 0; i < 4; i++) {
        to[i] = (int8_t)tflm_clamp(x.of[i], INT8_MIN, INT8_MAX);
    }
}

static inline int32x4_t tflm_vector_of(int32_t x0, int32_t x1, int32_t x2, int32_t x3) {
    return (int32x4_t) {{x0, x1, x2, x3}};
}

static inline int32x4_t vreinterpretq_s32_s8(int8x16_t x) {
    int32x4_t y;
    memcpy(&y, &x, sizeof(y));
    return y;
}

static inline uint32_t tflm_dot_one(const int8_t *x, const int8_t *w, int32_t count) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += (uint32_t)(x[i] * w[i]);
    }
    return sum;
}

static inline void tflm_add_square(const int8_t *x, const int8_t *y, const int8_t *w0,
    const int8_t *w1, int32_t count, tflm_square_t *square) {
    const int8_t *rows[] = {w0, w1};
    for (int32_t i = 0; i < 2; i++) {
        square->first[i] += (int32_t)tflm_dot_one(x, rows[i], count);
        square->second[i] += (int32_t)tflm_dot_one(y, rows[i], count);
        for (int32_t k = 0; k < count; k++) {
            square->weights[i] += rows[i][k];
        }
    }
}

static inline uint32_t tflm_sum(const int8_t *values, int32_t count) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += (uint32_t)values[i];
    }
    return sum;
}

static inline int32x4_t tflm_dot_four(
    const int8_t *x, const int8_t *w, int32_t step, int32_t count, int32x4_t start) {
    TFLM_LANE_BY_LANE(int32x4_t,
        (int32_t)((uint32_t)start.of[i] + tflm_dot_one(x, w + i * step, count)));
}

static inline void tflm_dot_four_s16(
    const int16_t *x, const int8_t *w, int32_t step, int32_t count, int32_t dots[4]) {
    for (int32_t k = 0; k < 4; k++, w += step) {
        dots[k] = 0;
        for (int32_t i = 0; i < count; i++) {
            dots[k] += x[i] * w[i];
        }
    }
}

static inline void tflm_dot_square_s16(const int16_t *x, const int16_t *y, const int8_t *w0,
    int32_t step, int32_t count, int32_t dots[4]) {
    for (int32_t k = 0; k < 4; k++) {
        const int16_t *values = k < 2 ? x : y;
        dots[k] = 0;
        for (int32_t i = 0; i < count; i++) {
            dots[k] += values[i] * w0[k % 2 * step + i];
        }
    }
}

static inline void tflm_dot_fours(const int8_t *x, const int8_t *w, int32_t taps,
    const int32_t *words, int32_t fours, int8_t *output, tflm_range_t range) {
    for (int32_t c = 0; c < 4 * fours; c++, w += taps) {
        const int32_t *of = words + 12 * (c / 4) + c % 4;
        output[c] = tflm_requantize(
            (uint32_t)of[0] + tflm_dot_one(x, w, taps), (tflm_factor_t) {of[4], of[8]}, range);
    }
}

// With a simple range negative numbers all become the minimum: ties as in vectors, up.
static inline int8_t tflm_requantize_simply(uint32_t sum, tflm_factor_t factor) {
    const int32_t high = tflm_high_mul((int32_t)sum, factor.multiplier);
    const int32x4_t y = vrshlq_s32(vdupq_n_s32(high), vdupq_n_s32(factor.shift));
    return (int8_t)tflm_clamp(tflm_wrapping_add(y.of[0], INT8_MIN), INT8_MIN, INT8_MAX);
}

static inline void tflm_dot_fours_simply(const int8_t *x, const int8_t *w, int32_t taps,
    const int32_t *words, int32_t fours, int8_t *output) {
    for (int32_t c = 0; c < 4 * fours; c++, w += taps) {
        const int32_t *of = words + 12 * (c / 4) + c % 4;
        output[c] = tflm_requantize_simply(
            (uint32_t)of[0] + tflm_dot_one(x, w, taps), (tflm_factor_t) {of[4], of[8]});
    }
}

static inline tflm_two_t tflm_dot_two(
    const int8_t *x, const int8_t *w, int32_t step, int32_t count) {
    return (tflm_two_t) {
        .dot0 = (int32_t)tflm_dot_one(x, w, count),
        .dot1 = (int32_t)tflm_dot_one(x, w + step, count),
        .sum0 = (int32_t)tflm_sum(w, count),
        .sum1 = (int32_t)tflm_sum(w + step, count),
    };
}

typedef struct {
    int32x4_t of[4];
} tflm_sixteen_t;

static inline int8x16_t tflm_finish_sixteen(
    tflm_sixteen_t sums, const tflm_sixteen_constants_t *constants, tflm_range_t range) {
    int8x16_t y;
    for (int32_t c = 0; c < 16; c++) {
        const int32_t at = 4 * (c % 4) + c / 4;
        const tflm_factor_t factor = {constants->multiplier[at], constants->shift[at]};
        y.of[c] = tflm_requantize((uint32_t)sums.of[c % 4].of[c / 4], factor, range);
    }
    return y;
}

static inline int32_t tflm_largest(const int32_t *words, int32_t count) {
    int32_t largest = 0;
    for (int32_t i = 0; i < count; i++) {
        largest = words[i] > largest ? words[i] : largest;
    }
    return largest;
}

static inline int32x4_t tflm_gather_words(
    const void *first, int32x4_t places, mve_pred16_t used) {
    int32x4_t words = vdupq_n_s32(0);
    for (int i = 0; i < 4; i++) {
        if (used >> i & 1) {
            memcpy(&words.of[i], (const int8_t *)first + places.of[i], sizeof(words.of[i]));
        }
    }
    return words;
}

static inline int8_t *tflm_copy_bytes(int8_t *to, const int8_t *from, int32_t count) {
    memmove(to, from, (size_t)count);
    return to + count;
}

static inline int8_t *tflm_fill_bytes(int8_t *to, int8_t value, int32_t count) {
    memset(to, value, (size_t)count);
    return to + count;
}

#endif
