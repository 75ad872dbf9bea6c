// Two vectors and two rows at a time: each word of a row is widened once for both vectors.
#include "../common/dense_sums.h"

#include <stdbool.h>
#include <stddef.h>

#include "../common/simd.h"

enum {
    TURNS = 40,  // fours of two vectors, widened; as many products of int16 fit 32 bits
    GROUP = 32,  // rows at a time
};

// Two vectors and two rows at a time. Words; the code below knows their order.
typedef struct {
    const uint32_t *window, *end;  // of each four: values 0 and 2 of both vectors, then 1 and 3
    const int8_t *rows;
    int32_t step;
    uint32_t *sums[2], *last;      // of the rows, an even number, not 0; last: of sums[0]
    int32_t back;                  // bytes from the last value of a row to the next
} twos_t;

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

_Static_assert(offsetof(twos_t, rows) == 8 && offsetof(twos_t, sums) == 16
    && offsetof(twos_t, back) == 28, "the offsets in the code below");

#define TAPS(row, first, second) \
    "ldr   r11, [" row "], #4\n" \
    "sxtb16 r12, r11\n" \
    "sxtb16 r11, r11, ror #8\n" \
    "smlad " first ", r12, r7, " first "\n" \
    "smlad " second ", r12, r8, " second "\n" \
    "smlad " first ", r11, r9, " first "\n" \
    "smlad " second ", r11, r10, " second "\n"

#define TURN \
    "ldmia r0!, {r7-r10}\n" \
    TAPS("r1", "r3", "r4") TAPS("r2", "r5", "r6")

// r0: window, to its end in lr; r1, r2: rows; r3, r5: their sums with the first vector, r4, r6:
// with the second; r7..r10: four pairs of the window; r11, r12: taps.
static TFLM_ASSEMBLY void add_twos(twos_t *twos) {
    __asm__ volatile(
        "push  {r0, r4-r11, lr}\n"
        "mov   r12, r0\n"
        "ldrd  lr, r1, [r12, #4]\n"
        "0:\n"
        "ldrd  r7, r8, [r12, #16]\n"
        "ldrd  r3, r5, [r7]\n"
        "ldrd  r4, r6, [r8]\n"
        "ldr   r2, [r12, #12]\n"
        "ldr   r0, [r12]\n"
        "add   r2, r2, r1\n"
        "sub   r7, lr, r0\n"
        "tst   r7, #16\n"
        "bne   2f\n"
        "1:\n"
        TURN
        "2:\n"
        TURN
        "cmp   r0, lr\n"
        "bne   1b\n"
        "ldr   r12, [sp]\n"
        "ldrd  r7, r8, [r12, #16]\n"
        "ldrd  r9, r10, [r12, #24]\n"  // last, back
        "strd  r3, r5, [r7], #8\n"
        "strd  r4, r6, [r8], #8\n"
        "strd  r7, r8, [r12, #16]\n"
        "add   r1, r2, r10\n"
        "cmp   r7, r9\n"
        "bne   0b\n"
        "pop   {r0, r4-r11, pc}\n");
}

#else

static void add_twos(twos_t *twos) {
    for (; twos->sums[0] != twos->last; twos->sums[0]++, twos->sums[1]++) {
        const int8_t *row = twos->rows;
        for (const uint32_t *pair = twos->window; pair != twos->end; pair += 4, row += 4) {
            const uint32_t taps = tflm_load4(row);
            for (int32_t k = 0; k < 2; k++) {
                *twos->sums[k] = tflm_smlad(tflm_odd(taps), pair[2 + k],
                    tflm_smlad(tflm_even(taps), pair[k], *twos->sums[k]));
            }
        }
        twos->rows += twos->step;
    }
}

#endif

// Two widened vectors, `count` values of each.
typedef struct {
    uint32_t window[4 * TURNS];
    const int8_t *rows;
    int32_t step, count;
} two_t;

static void add_two(const two_t *two, uint32_t *first, uint32_t *second, int32_t rows) {
    twos_t twos = {two->window, two->window + two->count, two->rows, two->step, {first, second},
        first + rows, two->step - two->count};
    add_twos(&twos);
}

static int32_t turns_of(int32_t count) {
    return count < 4 * TURNS ? count : 4 * TURNS;
}

void tflm_dense_sums_two(const tflm_dense_t *dense, const int8_t *second, uint32_t *const sums[2],
    int32_t count) {
    const int32_t whole = dense->depth & -4, rows = whole > 0 ? count & -2 : 0;
    const uint32_t offsets = tflm_both(dense->offset);
    two_t two;
    two.step = dense->step;
    for (int32_t i = 0; i < whole && rows > 0; i += two.count) {
        const int8_t *a = dense->values + i, *b = second + i;
        two.count = turns_of(whole - i);
        two.rows = dense->rows + i;
        for (uint32_t *to = two.window; to != two.window + two.count; to += 4, a += 4, b += 4) {
            const uint32_t x = tflm_load4(a), y = tflm_load4(b);
            to[0] = tflm_add_even(offsets, x);
            to[1] = tflm_add_even(offsets, y);
            to[2] = tflm_add_odd(offsets, x);
            to[3] = tflm_add_odd(offsets, y);
        }
        add_two(&two, sums[0], sums[1], rows);
    }
    for (int32_t k = 0; k < 2; k++) {
        tflm_dense_t left = *dense;
        left.values = k == 0 ? dense->values : second;
        if (rows < count) {
            left.rows += rows * left.step;
            tflm_dense_sums(&left, sums[k] + rows, count - rows);
            left.rows = dense->rows;
        }
        if (whole < left.depth && rows > 0) {
            left.values += whole;
            left.rows += whole;
            left.depth -= whole;
            tflm_dense_sums(&left, sums[k], rows);
        }
    }
}

// Adds to sums, or writes them.
static void add_parts(const uint32_t *parts, uint64_t *sums, int32_t count, bool adds) {
    for (int32_t k = 0; k < count; k++) {
        sums[k] = (uint64_t)(int64_t)(int32_t)parts[k] + (adds ? sums[k] : 0);
    }
}

void tflm_dense_sums_two_s16(const tflm_dense_s16_t *dense, const int16_t *second,
    uint64_t *const sums[2], int32_t count) {
    const int32_t whole = dense->depth & -4, rows = whole > 0 ? count & -2 : 0;
    two_t two;
    two.step = dense->step;
    for (int32_t i = rows; i < count; i++) {
        sums[0][i] = sums[1][i] = 0;
    }
    for (int32_t i = 0; i < whole && rows > 0; i += two.count) {
        const int8_t *a = (const void *)(dense->values + i), *b = (const void *)(second + i);
        two.count = turns_of(whole - i);
        two.rows = dense->rows + i;
        for (uint32_t *to = two.window; to != two.window + two.count; to += 4, a += 8, b += 8) {
            const uint32_t x = tflm_load4(a), u = tflm_load4(a + 4);
            const uint32_t y = tflm_load4(b), v = tflm_load4(b + 4);
            to[0] = tflm_low_halves(x, u);
            to[1] = tflm_low_halves(y, v);
            to[2] = tflm_high_halves(x, u);
            to[3] = tflm_high_halves(y, v);
        }
        for (int32_t c = 0; c < rows; c += GROUP) {
            const int32_t some = rows - c < GROUP ? rows - c : GROUP;
            uint32_t parts[2][GROUP] = {{0}, {0}};
            add_two(&two, parts[0], parts[1], some);
            for (int32_t k = 0; k < 2; k++) {
                add_parts(parts[k], sums[k] + c, some, i > 0);
            }
            two.rows += some * two.step;
        }
    }
    for (int32_t k = 0; k < 2; k++) {
        tflm_dense_s16_t left = *dense;
        left.values = k == 0 ? dense->values : second;
        if (rows < count) {
            left.rows += rows * left.step;
            tflm_dense_sums_s16(&left, sums[k] + rows, count - rows);
            left.rows = dense->rows;
        }
        if (whole < left.depth && rows > 0) {
            left.values += whole;
            left.rows += whole;
            left.depth -= whole;
            tflm_dense_sums_s16(&left, sums[k], rows);
        }
    }
}
