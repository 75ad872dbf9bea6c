// Four rows at a time, two products an instruction; the portable kernels take the rows that are left.
#include "../common/dense_sums.h"

#define tflm_dense_sums tflm_dense_sums_plain
#define tflm_dense_sums_s16 tflm_dense_sums_s16_plain
static void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count);
static void tflm_dense_sums_s16(const tflm_dense_s16_t *dense, uint64_t *sums, int32_t count);
#include "../common/plain_dense_sums.h"
#undef tflm_dense_sums
#undef tflm_dense_sums_s16

#include <stddef.h>

#include "../common/simd.h"

enum { ROWS = 4 };

#include "../common/dense_sums_groups.h"

// Words; the code below knows their order.
typedef struct {
    const void *values;
    const int8_t *rows;
    int32_t step, count;    // count of values: a multiple of four, not 0
    uint32_t offsets;       // added to int8 values, in both halves
    uint32_t *sums, *last;  // of the rows, a multiple of four, not 0
} fours_t;

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

_Static_assert(offsetof(fours_t, rows) == 4 && offsetof(fours_t, count) == 12
    && offsetof(fours_t, sums) == 20, "the offsets in the code below");

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

// Two turns of four values a loop, the first of which begins in the middle where turns are odd.
// r0: values, 2^`size` bytes each, to their end in lr; r1: rows; r2: step; r3: 3 * step; r4..r7:
// sums; r12: offsets.
#define SUMS(size, odd, four) \
    "push  {r0, r4-r11, lr}\n" \
    "mov   r12, r0\n" \
    "ldrd  r1, r2, [r12, #4]\n" \
    "ldr   r3, [r12, #12]\n" \
    "ldr   r0, [r12]\n" \
    "add   lr, r0, r3, lsl #" size "\n" \
    "add   r3, r2, r2, lsl #1\n" \
    "0:\n" \
    "ldr   r8, [r12, #20]\n" \
    "ldmia r8, {r4-r7}\n" \
    "ldr   r0, [r12]\n" \
    "ldr   r12, [r12, #16]\n" \
    "sub   r8, lr, r0\n" \
    "tst   r8, #" odd "\n" \
    "bne   2f\n" \
    "1:\n" \
    four \
    "2:\n" \
    four \
    "cmp   r0, lr\n" \
    "bne   1b\n" \
    "ldr   r12, [sp]\n" \
    "ldrd  r8, r9, [r12, #20]\n" \
    "ldr   r10, [r12, #12]\n" \
    "stmia r8!, {r4-r7}\n" \
    "str   r8, [r12, #20]\n" \
    "add   r1, r1, r2, lsl #2\n" \
    "sub   r1, r1, r10\n" \
    "cmp   r8, r9\n" \
    "bne   0b\n" \
    "pop   {r0, r4-r11, pc}\n"

#define FOUR \
    "ldr   r8, [r0], #4\n" \
    "sxtab16 r9, r12, r8, ror #8\n" \
    "sxtab16 r8, r12, r8\n" \
    FOUR_ROWS("r8", "r9")

#define FOUR_S16 \
    "ldr   r8, [r0], #4\n" \
    "ldr   r9, [r0], #4\n" \
    "pkhbt r12, r8, r9, lsl #16\n" \
    "pkhtb r9, r9, r8, asr #16\n" \
    FOUR_ROWS("r12", "r9")

static TFLM_ASSEMBLY void add_fours(fours_t *fours) {
    __asm__ volatile(SUMS("0", "4", FOUR));
}

static TFLM_ASSEMBLY void add_fours_s16(fours_t *fours) {
    __asm__ volatile(SUMS("1", "8", FOUR_S16));
}

#else

static void add_taps(fours_t *fours, int32_t i, uint32_t even, uint32_t odd) {
    const int8_t *row = fours->rows + i;
    for (uint32_t *sum = fours->sums; sum != fours->last; sum++, row += fours->step) {
        const uint32_t taps = tflm_load4(row);
        *sum = tflm_smlad(tflm_odd(taps), odd, tflm_smlad(tflm_even(taps), even, *sum));
    }
}

static void add_fours(fours_t *fours) {
    for (int32_t i = 0; i < fours->count; i += 4) {
        const uint32_t word = tflm_load4((const int8_t *)fours->values + i);
        add_taps(fours, i, tflm_add_even(fours->offsets, word),
            tflm_add_odd(fours->offsets, word));
    }
}

static void add_fours_s16(fours_t *fours) {
    for (int32_t i = 0; i < fours->count; i += 4) {
        const int8_t *values = (const int8_t *)fours->values + 2 * i;
        const uint32_t low = tflm_load4(values), high = tflm_load4(values + 4);
        add_taps(fours, i, tflm_low_halves(low, high), tflm_high_halves(low, high));
    }
}

#endif

void tflm_dense_sums(const tflm_dense_t *dense, uint32_t *sums, int32_t count) {
    const int32_t rest = dense->depth & 3, whole = dense->depth - rest, step = dense->step;
    const int32_t is_small = dense->offset >= -(1 << 14) && dense->offset < 1 << 14;
    const int32_t grouped = is_small && whole > 0 ? count & -ROWS : 0;
    tflm_dense_t left = *dense;
    if (grouped > 0) {
        fours_t fours = {dense->values, dense->rows, step, whole, tflm_both(dense->offset), sums,
            sums + grouped};
        add_fours(&fours);
        if (rest > 0) {
            left.values += whole;
            left.rows += whole;
            left.depth = rest;
            tflm_dense_sums_plain(&left, sums, grouped);
            left = *dense;
        }
        left.rows += grouped * step;
    }
    if (grouped < count) {
        tflm_dense_sums_plain(&left, sums + grouped, count - grouped);
    }
}

static void sum_rows_s16(
    const tflm_dense_s16_t *dense, int32_t count, int32_t *sums, int32_t rows) {
    memset(sums, 0, (size_t)rows * sizeof(*sums));
    fours_t fours = {dense->values, dense->rows, dense->step, count, 0, (uint32_t *)sums,
        (uint32_t *)(sums + rows)};
    add_fours_s16(&fours);
}
