#include "conv_winograd_terms.h"

enum { ROWS = 3, COLUMNS = 6, CHANNELS = 16 };  // of a window; channels that are copied at once

// A row of a window: columns 1 and 2 lie `step` bytes from each other, and so do columns 3 and 4.
typedef struct {
    const int8_t *column0;
    int32_t step;
    uint32_t offsets;
    const int8_t *column5, *column1, *column3;
    int32_t fours;  // of input channels
} row_t;

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

// Stores the terms of two input channels of a pair of outputs, of columns a to d.
#define PAIR(a, b, c, d, place) \
    "sadd16 lr, " b ", " c "\n" \
    "str    lr, [r0, #" place "]\n" \
    "ssub16 lr, " c ", " b "\n" \
    "str    lr, [r0, #16 + " place "]\n" \
    "ssub16 lr, " d ", " b "\n" \
    "str    lr, [r0, #32 + " place "]\n" \
    "ssub16 lr, " a ", " c "\n" \
    "str    lr, [r0, #48 + " place "]\n"

// The same of both pairs of a row, whose columns r7..r12 hold.
#define PAIRS(first, second) \
    PAIR("r7", "r8", "r9", "r10", first) \
    PAIR("r9", "r10", "r11", "r12", second)

#define WIDEN(rotated) \
    "sxtab16 r7, r3, r7" rotated "\n" \
    "sxtab16 r8, r3, r8" rotated "\n" \
    "sxtab16 r9, r3, r9" rotated "\n" \
    "sxtab16 r10, r3, r10" rotated "\n" \
    "sxtab16 r11, r3, r11" rotated "\n" \
    "sxtab16 r12, r3, r12" rotated "\n"

// Terms of one row, which has as many columns as registers are left. r1, r5, r6, r4: columns 0, 1, 3
// and 5; r7..r12: inputs of all columns; the stack: fours that are left.
TFLM_ASSEMBLY static void put_row(uint32_t *to, const row_t *row) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldm   r1, {r1, r2, r3, r4, r5, r6, r7}\n"
        "push  {r7}\n"
        "1:\n"
        "ldr   r7, [r1]\n"
        "ldr   r8, [r5]\n"
        "ldr   r9, [r5, r2]\n"
        "ldr   r10, [r6]\n"
        "ldr   r11, [r6, r2]\n"
        "ldr   r12, [r4]\n"
        WIDEN("")
        PAIRS("0", "4")
        "ldr   r9, [r5, r2]\n"
        "ldr   r11, [r6, r2]\n"
        "ldr   r7, [r1], #4\n"
        "ldr   r8, [r5], #4\n"
        "ldr   r10, [r6], #4\n"
        "ldr   r12, [r4], #4\n"
        WIDEN(", ror #8")
        PAIRS("8", "12")
        "ldr   lr, [sp]\n"
        "adds  r0, r0, #64\n"
        "subs  lr, lr, #1\n"
        "str   lr, [sp]\n"
        "bne.w 1b\n"
        "add   sp, sp, #4\n"
        "pop   {r4-r11, pc}\n");
}

#else

static void put_pair(uint32_t *to, const uint32_t d[4]) {
    to[0] = tflm_add16(d[1], d[2]);
    to[TFLM_KIND_WORDS] = tflm_sub16(d[2], d[1]);
    to[2 * TFLM_KIND_WORDS] = tflm_sub16(d[3], d[1]);
    to[3 * TFLM_KIND_WORDS] = tflm_sub16(d[0], d[2]);
}

static void put_row(uint32_t *to, const row_t *row) {
    const int8_t *const columns[COLUMNS] = {row->column0, row->column1, row->column1 + row->step,
        row->column3, row->column3 + row->step, row->column5};
    for (int32_t c = 0; c < 4 * row->fours; c += 4, to += TFLM_FOUR_WORDS) {
        uint32_t even[COLUMNS], odd[COLUMNS];
        for (int32_t i = 0; i < COLUMNS; i++) {
            const uint32_t word = tflm_load4(columns[i] + c);
            even[i] = tflm_add_even(row->offsets, word);
            odd[i] = tflm_add_odd(row->offsets, word);
        }
        for (int32_t pair = 0; pair < TFLM_TILES; pair++) {
            put_pair(to + pair, even + 2 * pair);
            put_pair(to + TFLM_TILES + pair, odd + 2 * pair);
        }
    }
}

#endif

// A row whose columns lie `step` bytes from each other.
static inline row_t row_of(const int8_t *x, int32_t step, uint32_t offsets, int32_t depth) {
    return (row_t) {x, step, offsets, x + 5 * step, x + step, x + 3 * step, depth / 4};
}

// The same of a row of which some columns lie outside the image, where the input's zero point
// stands in. Some channels at a time are copied, so that all columns lie alike.
static void put_edge(
    uint32_t *to, const tflm_conv_2d_t *params, const int8_t *x, int32_t left, uint32_t offsets) {
    const int32_t depth = params->input_depth;
    int8_t copies[COLUMNS * CHANNELS];
    for (int32_t c = 0; c < depth; c += CHANNELS) {
        const int32_t count = depth - c < CHANNELS ? depth - c : CHANNELS;
        int8_t *copy = copies;
        for (int32_t i = 0; i < COLUMNS; i++, copy += count) {
            if ((uint32_t)(left + i) < (uint32_t)params->input_width) {
                memcpy(copy, x + i * depth + c, (uint32_t)count);
            } else {
                memset(copy, -params->input_offset, (uint32_t)count);
            }
        }
        const row_t row = row_of(copies, count, offsets, count);
        put_row(to, &row);
        to += count / 4 * TFLM_FOUR_WORDS;
    }
}

void tflm_dsp_terms(uint32_t *to, const tflm_conv_2d_t *params, const tflm_window_t *window,
    const int8_t *zeros) {
    const int32_t depth = params->input_depth, width = params->input_width, left = window->left;
    const int32_t has_middle = left >= -1 && left + COLUMNS - 1 <= width;
    const uint32_t offsets = tflm_both(params->input_offset);
    for (int32_t i = 0; i < ROWS; i++, to += depth / 4 * TFLM_FOUR_WORDS) {
        const int32_t y = window->top + i;
        const int32_t is_inside = (uint32_t)y < (uint32_t)params->input_height;
        const int8_t *x = is_inside ? window->image + (y * width + left) * depth : zeros;
        if (is_inside && !has_middle) {
            put_edge(to, params, x, left, offsets);
            continue;
        }
        row_t row = row_of(x, is_inside ? depth : 0, offsets, depth);
        if (left < 0) {
            row.column0 = zeros;
        }
        if (left + COLUMNS > width) {
            row.column5 = zeros;
        }
        put_row(to, &row);
    }
}
