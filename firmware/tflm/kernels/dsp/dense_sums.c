// Four rows at a time, two products an instruction; the plain twins take the rows that are left.
#include "../dense_sums.h"

#define tflm_dense_sums tflm_dense_sums_plain
#define tflm_dense_sums_s16 tflm_dense_sums_s16_plain
void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count);
void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count);
#include "../portable/dense_sums.c"
#undef tflm_dense_sums
#undef tflm_dense_sums_s16

#include <stddef.h>

#include "simd.h"

enum { ROWS = 4 };

// The sums of four rows, of a multiple of four values, not 0.
typedef struct {
    const void *values;
    const int8_t *rows;
    int32_t step, count;
    uint32_t offsets;  // added to int8 values, in both halves
    uint32_t sums[ROWS];
} four_t;

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

_Static_assert(offsetof(four_t, rows) == 4 && offsetof(four_t, count) == 12
    && offsetof(four_t, sums) == 20, "the offsets in the code below");

// Adds the products of four taps; even and odd: the values, widened.
#define ROW(word, sum, even, odd) \
    "ldr   r10, " word "\n" \
    "sxtb16 r11, r10\n" \
    "sxtb16 r10, r10, ror #8\n" \
    "smlad " sum ", r11, " even ", " sum "\n" \
    "smlad " sum ", r10, " odd ", " sum "\n"

#define FOUR_ROWS(even, odd) \
    ROW("[r1, r2]", "r5", even, odd) ROW("[r1, r2, lsl #1]", "r6", even, odd) \
    ROW("[r1, r3]", "r7", even, odd) ROW("[r1], #4", "r4", even, odd)

// r0: values, from `size` times count on to their end in lr; r1: rows; r2: step; r3: 3 * step;
// r4..r7: sums; r12: offsets.
#define ENTER(size) \
    "push  {r0, r4-r11, lr}\n" \
    "add   r3, r0, #20\n" \
    "ldmia r3, {r4-r7}\n" \
    "ldrd  r1, r2, [r0, #4]\n" \
    "ldrd  r3, r12, [r0, #12]\n" \
    "ldr   r0, [r0]\n" \
    "add   lr, r0, r3, lsl #" size "\n" \
    "add   r3, r2, r2, lsl #1\n"

#define LEAVE \
    "cmp   r0, lr\n" \
    "bne   1b\n" \
    "pop   {r0}\n" \
    "add   r0, r0, #20\n" \
    "stmia r0, {r4-r7}\n" \
    "pop   {r4-r11, pc}\n"

static TFLM_ASSEMBLY void add_four(four_t *four) {
    __asm__ volatile(
        ENTER("0")
        "1:\n"
        "ldr   r8, [r0], #4\n"
        "sxtab16 r9, r12, r8, ror #8\n"
        "sxtab16 r8, r12, r8\n"
        FOUR_ROWS("r8", "r9")
        LEAVE);
}

static TFLM_ASSEMBLY void add_four_s16(four_t *four) {
    __asm__ volatile(
        ENTER("1")
        "1:\n"
        "ldr   r8, [r0], #4\n"
        "ldr   r9, [r0], #4\n"
        "pkhbt r12, r8, r9, lsl #16\n"
        "pkhtb r9, r9, r8, asr #16\n"
        FOUR_ROWS("r12", "r9")
        LEAVE);
}

#else

static void add_taps(four_t *four, int32_t i, uint32_t even, uint32_t odd) {
    for (int32_t k = 0; k < ROWS; k++) {
        const uint32_t taps = tflm_load4(four->rows + k * four->step + i);
        four->sums[k] = tflm_smlad(
            tflm_odd(taps), odd, tflm_smlad(tflm_even(taps), even, four->sums[k]));
    }
}

static void add_four(four_t *four) {
    for (int32_t i = 0; i < four->count; i += 4) {
        const uint32_t word = tflm_load4((const int8_t *)four->values + i);
        add_taps(four, i, tflm_add_even(four->offsets, word), tflm_add_odd(four->offsets, word));
    }
}

static void add_four_s16(four_t *four) {
    for (int32_t i = 0; i < four->count; i += 4) {
        const int8_t *values = (const int8_t *)four->values + 2 * i;
        const uint32_t low = tflm_load4(values), high = tflm_load4(values + 4);
        add_taps(four, i, tflm_low_halves(low, high), tflm_high_halves(low, high));
    }
}

#endif

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const int32_t rest = dense->depth & 3, whole = dense->depth - rest;
    const int32_t is_small = dense->offset >= -(1 << 14) && dense->offset < 1 << 14;
    tflm_dense_t left = *dense;
    four_t four = {dense->values, dense->rows, dense->step, whole, tflm_both(dense->offset), {0}};
    for (; is_small && whole > 0 && count >= ROWS; count -= ROWS, sums += ROWS) {
        memcpy(four.sums, sums, sizeof(four.sums));
        add_four(&four);
        memcpy(sums, four.sums, sizeof(four.sums));
        if (rest > 0) {
            const tflm_dense_t tail = {
                dense->values + whole, four.rows + whole, dense->step, rest, dense->offset};
            tflm_dense_sums_plain(&tail, sums, ROWS);
        }
        four.rows += ROWS * dense->step;
    }
    if (count > 0) {
        left.rows = four.rows;
        tflm_dense_sums_plain(&left, sums, count);
    }
}

void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count) {
    const int32_t rest = dense->depth & 3, whole = dense->depth - rest, step = dense->step;
    const int8_t *rows = dense->rows;
    for (; whole > 0 && count >= ROWS; count -= ROWS, sums += ROWS, rows += ROWS * step) {
        for (int32_t i = 0; i < whole; i += BLOCK) {
            const int32_t part = whole - i < BLOCK ? whole - i : BLOCK;
            four_t four = {dense->values + i, rows + i, step, part, 0, {0}};
            add_four_s16(&four);
            for (int32_t k = 0; k < ROWS; k++) {
                sums[k] += (uint64_t)(int64_t)(int32_t)four.sums[k];
            }
        }
        if (rest > 0) {
            const tflm_dense_s16_t tail = {dense->values + whole, rows + whole, step, rest};
            tflm_dense_sums_s16_plain(&tail, sums, ROWS);
        }
    }
    if (count > 0) {
        const tflm_dense_s16_t left = {dense->values, rows, step, dense->depth};
        tflm_dense_sums_s16_plain(&left, sums, count);
    }
}
