#include "conv_depthwise_rows.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

_Static_assert(offsetof(tflm_dsp_row3_t, lanes) == 4 && offsetof(tflm_dsp_row3_t, advance) == 8
    && offsetof(tflm_dsp_row3_t, output) == 12 && offsetof(tflm_dsp_row3_t, end) == 16
    && offsetof(tflm_dsp_row3_t, depth) == 20 && offsetof(tflm_dsp_row3_t, form) == 24
    && offsetof(tflm_dsp_row3_t, finish) == 28,
    "the offsets in the code below");

// A value of four channels at [row + lr]: channels 0 and 2 to `even`, 1 and 3 to `odd`.
#define VALUE(row, even, odd) \
    "ldr   " odd ", [" row ", lr]\n" \
    "sxtab16 " even ", r6, " odd "\n" \
    "sxtab16 " odd ", r6, " odd ", ror #8\n"

#define TWICE(even, odd) \
    "sadd16 " even ", " even ", " even "\n" \
    "sadd16 " odd ", " odd ", " odd "\n"

#define PAIRS \
    "pkhbt r11, r7, r9, lsl #16\n" \
    "pkhtb r9, r9, r7, asr #16\n" \
    "pkhbt r12, r8, r10, lsl #16\n" \
    "pkhtb r10, r10, r8, asr #16\n"

// r0: to; r1, r2, r3: rows; r4: step; r5: end of to; r6: offsets; lr: bytes into the rows.
TFLM_ASSEMBLY void tflm_dsp_widen3(tflm_column_t *to, const int8_t *const rows[3],
    int32_t count, int32_t step, uint32_t offsets, int32_t skip) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "mov   r4, r3\n"
        "movs  r5, #24\n"
        "mla   r5, r2, r5, r0\n"
        "ldr   r6, [sp, #36]\n"
        "ldr   lr, [sp, #40]\n"
        "ldm   r1, {r1, r2, r3}\n"
        "1:\n"
        VALUE("r1", "r7", "r8")
        VALUE("r2", "r9", "r10")
        PAIRS
        VALUE("r3", "r7", "r8")
        "stmia r0!, {r7, r8, r9, r10, r11, r12}\n"
        "add   lr, lr, r4\n"
        "cmp   r0, r5\n"
        "bne   1b\n"
        "pop   {r4-r11, pc}\n");
}

// Registers as above; the constants lie at [sp].
TFLM_ASSEMBLY void tflm_dsp_lanes3(tflm_lanes_t *lanes, const int8_t *const rows[3],
    const tflm_lane_constants_t *constants, int32_t step, int32_t skip) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldmia r2!, {r7, r8, r9, r10}\n"
        "stmia r0!, {r7, r8, r9, r10}\n"
        "push  {r2}\n"
        "mov   r4, r3\n"
        "add   r5, r0, #72\n"
        "movs  r6, #0\n"
        "ldr   lr, [sp, #40]\n"
        "ldm   r1, {r1, r2, r3}\n"
        "1:\n"
        VALUE("r1", "r7", "r8")
        TWICE("r7", "r8")
        VALUE("r2", "r9", "r10")
        TWICE("r9", "r10")
        PAIRS
        VALUE("r3", "r7", "r8")
        TWICE("r7", "r8")
        "stmia r0!, {r7, r8, r9, r10, r11, r12}\n"
        "add   lr, lr, r4\n"
        "cmp   r0, r5\n"
        "bne   1b\n"
        "pop   {r2}\n"
        "ldmia r2!, {r1, r3, r4, r5, r6, r7}\n"
        "stmia r0!, {r1, r3, r4, r5, r6, r7}\n"
        "ldmia r2!, {r1, r3, r4, r5, r6, r7}\n"
        "stmia r0!, {r1, r3, r4, r5, r6, r7}\n"
        "pop   {r4-r11, pc}\n");
}

// One column of inputs times one of taps.
#define COLUMN \
    "ldmia r0!, {r6, r7}\n" \
    "ldmia r1!, {r10, r11}\n" \
    "smlabb r2, r6, r10, r2\n" \
    "smlatt r4, r6, r10, r4\n" \
    "smlabb r3, r7, r11, r3\n" \
    "smlatt r5, r7, r11, r5\n" \
    "ldmia r0!, {r6, r7, r8, r9}\n" \
    "ldmia r1!, {r10, r11, r12, lr}\n" \
    "smlad r4, r6, r10, r4\n" \
    "smlad r5, r7, r11, r5\n" \
    "smlad r2, r8, r12, r2\n" \
    "smlad r3, r9, lr, r3\n"

#define SHIFTED(sum, t, right) \
    "add   " sum ", " t ", " sum ", asr #31\n" \
    "asr   " sum ", " sum ", " right "\n" \
    "ssat  " sum ", #8, " sum "\n"

// Two channels whose sums become outputs.
#define LINEAR(first, second, shift) \
    "ldmia r1!, {r6, r7, r8, r9, r10, r11}\n" \
    "smlal r8, r10, " first ", r6\n" \
    "smlal r9, r11, " second ", r7\n" \
    "ssat  " first ", #8, r10, asr #" shift "\n" \
    "ssat  " second ", #8, r11, asr #" shift "\n"

// r1, r6, r7, r8, r9: lanes, advance, output, end, depth.
#define STORE \
    "ldm   sp, {r1, r6, r7, r8, r9}\n" \
    "strb  r2, [r7]\n" \
    "strb  r3, [r7, #1]\n" \
    "strb  r4, [r7, #2]\n" \
    "strb  r5, [r7, #3]\n" \
    "add   r7, r7, r9\n" \
    "add   r0, r0, r6\n" \
    "str   r7, [sp, #8]\n" \
    "cmp   r7, r8\n" \
    "bne.w 1b\n"

// r0: columns; r1: lanes; r2..r5: sums of channels 0..3; r6..r12, lr: what was loaded. [sp]: five
// words of `row`, from lanes on, then the address of 2, 3 or 4.
TFLM_ASSEMBLY void tflm_dsp_row3(tflm_dsp_row3_t *row) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldr   r7, [r0, #28]\n"
        "cbnz  r7, 6f\n"              // a later call
        "ldr   r6, [r0, #24]\n"       // form
        "adr.w r7, 2f\n"
        "cmp   r6, #4\n"
        "it    eq\n"
        "adreq.w r7, 3f\n"
        "it    gt\n"
        "adrgt.w r7, 4f\n"
        "orr   r7, r7, #1\n"
        "str   r7, [r0, #28]\n"
        "6:\n"
        "ldm   r0, {r0, r1, r2, r3, r4, r5}\n"
        "push  {r1, r2, r3, r4, r5, r7}\n"
        "1:\n"
        "ldmia r1!, {r2, r3, r4, r5}\n"
        COLUMN COLUMN COLUMN
        "ldr.w pc, [sp, #20]\n"      // to 2, 3 or 4
        ".balign 4\n"
        "3:\n"
        LINEAR("r2", "r3", "4") LINEAR("r4", "r5", "4")
        STORE
        "b     5f\n"
        ".balign 4\n"
        "4:\n"
        LINEAR("r2", "r3", "8") LINEAR("r4", "r5", "8")
        STORE
        "b     5f\n"
        ".balign 4\n"
        "2:\n"
        "ldmia r1!, {r6, r7, r8, r9}\n"
        "ldmia r1!, {r10, r11, r12, lr}\n"
        "smmlar r6, r2, r6, r10\n"
        "smmlar r7, r3, r7, r11\n"
        "smmlar r8, r4, r8, r12\n"
        "smmlar r9, r5, r9, lr\n"
        "ldm   r1, {r10, r11, r12, lr}\n"
        SHIFTED("r2", "r6", "r10")
        SHIFTED("r3", "r7", "r11")
        SHIFTED("r4", "r8", "r12")
        SHIFTED("r5", "r9", "lr")
        STORE
        "5:\n"
        "add   sp, sp, #24\n"
        "pop   {r4-r11, pc}\n");
}

#else

typedef struct {
    uint32_t even, odd;
} value_t;

static value_t value_at(const int8_t *row, uint32_t offsets) {
    const uint32_t word = tflm_load4(row);
    return (value_t) {tflm_add_even(offsets, word), tflm_add_odd(offsets, word)};
}

static tflm_column_t column_of(value_t first, value_t second, value_t last) {
    return (tflm_column_t) {{
        last.even, last.odd,
        tflm_high_halves(first.even, second.even), tflm_high_halves(first.odd, second.odd),
        tflm_low_halves(first.even, second.even), tflm_low_halves(first.odd, second.odd),
    }};
}

void tflm_dsp_widen3(tflm_column_t *to, const int8_t *const rows[3], int32_t count, int32_t step,
    uint32_t offsets, int32_t skip) {
    for (int32_t i = 0; i < count; i++, skip += step) {
        to[i] = column_of(value_at(rows[0] + skip, offsets), value_at(rows[1] + skip, offsets),
            value_at(rows[2] + skip, offsets));
    }
}

void tflm_dsp_lanes3(tflm_lanes_t *lanes, const int8_t *const rows[3],
    const tflm_lane_constants_t *constants, int32_t step, int32_t skip) {
    tflm_dsp_widen3(lanes->taps, rows, 3, step, 0, skip);
    for (int32_t i = 0; i < 3 * TFLM_COLUMN; i++) {
        uint32_t *word = &lanes->taps[i / TFLM_COLUMN].words[i % TFLM_COLUMN];
        *word = tflm_add16(*word, *word);
    }
    memcpy(lanes->start, constants->start, sizeof(lanes->start));
    memcpy(lanes->factors, constants->factors, sizeof(lanes->factors));
}

void tflm_dsp_row3(tflm_dsp_row3_t *row) {
    const tflm_lanes_t *lanes = row->lanes;
    const tflm_column_t *columns = row->columns;
    for (int8_t *output = row->output; output != row->end; output += row->depth) {
        uint32_t sums[TFLM_LANES];
        memcpy(sums, lanes->start, sizeof(sums));
        for (int32_t i = 0; i < 3; i++, columns++) {
            const uint32_t *x = columns->words, *w = lanes->taps[i].words;
            for (int32_t lane = 0; lane < TFLM_LANES; lane++) {
                const int32_t last = lane % 2, pair = 2 + (lane + 2) % 4;
                sums[lane] = lane < 2 ? tflm_smlabb(x[last], w[last], sums[lane])
                                      : tflm_smlatt(x[last], w[last], sums[lane]);
                sums[lane] = tflm_smlad(x[pair], w[pair], sums[lane]);
            }
        }
        for (int32_t i = 0; i < TFLM_LANES; i++) {
            const int32_t is_linear = row->form != TFLM_EXACT;
            const int32_t *factors = lanes->factors + (is_linear ? i / 2 * 6 + i % 2 : i);
            const int32_t step = is_linear ? 2 : TFLM_LANES;
            const tflm_dsp_channel_t channel = {0, factors[0], factors[step], factors[2 * step]};
            output[i] = tflm_dsp_finish(sums[i], &channel, row->form);
        }
        columns = (const void *)((const char *)columns + row->advance);
    }
}

#endif
