#include "conv_depthwise_edges.h"

#include "core.h"
#include "finish_m3.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 7

_Static_assert(offsetof(tflm_m0_taps_t, maximum) == 44, "read by assembly");
_Static_assert(offsetof(tflm_m0_taps_t, input_offset) == 56, "read by assembly");

// The stack while channels run: input (0) and filter (4) of the channel that is on, zero point (8),
// depth (12), 3 * depth (16), rows (20), rounding (24), 0 where outputs have all of int8 (28),
// second (32), end of the output (36), minimum (40), maximum (44), where a channel begins (48),
// code of its rows (52), `outside` (56), code of the form (60).
// r0 input, r1 filter, r2 weight, r3 input value, r4-r6 the words at 8 to 16, r7 rows left,
// r8 channel, r9 input_row, r10 and r11 sums, r12 filter_row, lr output.
__asm__(
    "    .syntax unified\n"
    TFLM_M3_FINISH_MACROS

    // Loads the input of a column, `at` of them behind r0.
    "    .macro INPUT at\n"
    "    .if \\at == 0\n"
    "    ldrsb r3, [r0]\n"
    "    .elseif \\at == 1\n"
    "    ldrsb r3, [r0, r5]\n"
    "    .elseif \\at == 2\n"
    "    ldrsb r3, [r0, r5, lsl #1]\n"
    "    .elseif \\at == 3\n"
    "    ldrsb r3, [r0, r6]\n"
    "    .else\n"
    "    ldrsb r3, [r0, r5, lsl #2]\n"
    "    .endif\n"
    "    .endm\n"

    // Rows of both windows. left, right: 1 where that column is outside.
    "    .macro ROWS stride, left, right\n"
    "1:  ldrsb r2, [r1]\n"
    "    .if \\left\n"
    "    mla  r10, r4, r2, r10\n"
    "    .else\n"
    "    INPUT 0\n"
    "    mla  r10, r3, r2, r10\n"
    "    .endif\n"
    "    INPUT (\\stride - \\left)\n"
    "    mla  r11, r3, r2, r11\n"
    "    ldrsb r2, [r1, r5]\n"
    "    .if \\stride == 2\n"
    "    INPUT (1 - \\left)\n"
    "    .endif\n"
    "    mla  r10, r3, r2, r10\n"
    "    INPUT (\\stride + 1 - \\left)\n"
    "    mla  r11, r3, r2, r11\n"
    "    ldrsb r2, [r1, r5, lsl #1]\n"
    "    .if \\stride == 2\n"
    "    INPUT (2 - \\left)\n"
    "    .endif\n"
    "    mla  r10, r3, r2, r10\n"
    "    .if \\right\n"
    "    mla  r11, r4, r2, r11\n"
    "    .else\n"
    "    INPUT (\\stride + 2 - \\left)\n"
    "    mla  r11, r3, r2, r11\n"
    "    .endif\n"
    "    add  r0, r9\n"
    "    add  r1, r12\n"
    "    subs r7, #1\n"
    "    bne  1b\n"
    "    ldr  pc, [sp, #60]\n"
    "    .endm\n"

    "    .macro EDGES form, bytes, is_exact\n"
    "    .if \\is_exact\n"
    "    ldrd r1, r0, [sp, #24]\n"
    "    .endif\n"
    "    \\form\\()_LOAD r8, 0, r1\n"
    "    \\form\\()_SCALE r10\n"
    "    \\form\\()_SCALE r11\n"
    "    .if \\is_exact\n"
    "    cbz  r0, 1f\n"
    "    ldrd r2, r3, [sp, #40]\n"
    "    CLAMP r10\n"
    "    CLAMP r11\n"
    "    .endif\n"
    "1:  ldrd r0, r1, [sp, #32]\n"
    "    strb r11, [lr, r0]\n"
    "    strb r10, [lr], #1\n"
    "    add  r8, #\\bytes\n"
    "    cmp  lr, r1\n"
    "    bne  10b\n"
    "    add  sp, #64\n"
    "    pop  {r4-r11, pc}\n"
    "    .endm\n"

    M0_FUNCTION("tflm_m3_edges_linear", "4")
    "    adr  r2, 60f\n"
    "    b    1f\n"
    M0_ENTRY("tflm_m3_edges_exact")
    "    adr  r2, 50f\n"
    "1:  push {r4-r11, lr}\n"
    "    sub  sp, #64\n"
    "    adds r2, #1\n"
    "    strd r1, r2, [sp, #56]\n"
    "    ldrd r2, r3, [r0, #48]\n"  // rows, columns
    "    str  r2, [sp, #20]\n"
    "    adr  r2, 20f\n"
    "    ldrb r3, [r2, r3]\n"
    "    add  r3, r2, r3, lsl #1\n"
    "    adds r3, #1\n"
    "    cmp  r1, #0\n"
    "    ite  eq\n"
    "    addeq r2, r2, #12f - 20f + 1\n"
    "    addne r2, r2, #11f - 20f + 1\n"
    "    strd r2, r3, [sp, #48]\n"
    "    ldr  r1, [r0, #56]\n"
    "    rsbs r1, r1, #0\n"
    "    str  r1, [sp, #8]\n"
    "    ldmia r0, {r1-r12}\n"
    "    strd r1, r2, [sp]\n"
    "    add  r1, r7, r7, lsl #1\n"
    "    strd r7, r1, [sp, #12]\n"
    "    sub  r0, r12, r11\n"
    "    subs r0, #255\n"
    "    strd r10, r0, [sp, #24]\n"
    "    add  r6, r4\n"
    "    strd r5, r6, [sp, #32]\n"
    "    strd r11, r12, [sp, #40]\n"
    "    mov  r12, r9\n"
    "    mov  r9, r8\n"
    "    mov  r8, r3\n"
    "    mov  lr, r4\n"

    "10: ldmia sp, {r0, r1, r4-r7}\n"
    "    adds r2, r0, #1\n"
    "    adds r3, r1, #1\n"
    "    strd r2, r3, [sp]\n"
    "    ldr  r10, [r8]\n"
    "    ldr  pc, [sp, #48]\n"
    "    .balign 4\n"
    "20: .byte (30f - 20b) / 2, (31f - 20b) / 2, (32f - 20b) / 2\n"
    "    .byte (33f - 20b) / 2, (34f - 20b) / 2, (35f - 20b) / 2\n"
    "    .balign 2\n"
    "11: ldr  r2, [sp, #56]\n"      // the row outside
    "    add  r2, r1\n"
    "    ldrsb r3, [r2]\n"
    "    mla  r10, r3, r4, r10\n"
    "    ldrsb r3, [r2, r5]\n"
    "    mla  r10, r3, r4, r10\n"
    "    ldrsb r3, [r2, r5, lsl #1]\n"
    "    mla  r10, r3, r4, r10\n"
    "12: mov  r11, r10\n"
    "    ldr  pc, [sp, #52]\n"
    "30: ROWS 1, 0, 0\n"
    "31: ROWS 1, 1, 0\n"
    "32: ROWS 1, 0, 1\n"
    "33: ROWS 2, 0, 0\n"
    "34: ROWS 2, 1, 0\n"
    "35: ROWS 2, 0, 1\n"
    "    .balign 4\n"
    "50:\n"
    "    EDGES EXACT, 16, 1\n"
    "    .balign 4\n"
    "60:\n"
    "    EDGES LINEAR, 24, 0\n"
    "    .size tflm_m3_edges_linear, . - tflm_m3_edges_linear\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

// The sum of one window, whose first column is `at` of the two windows' columns.
static uint32_t sum_of(const tflm_m0_taps_t *job, int32_t at, int32_t outside, int32_t channel) {
    const int32_t is_left = job->columns % TFLM_M3_EDGES == TFLM_M3_LEFT_EDGE;
    const int32_t is_right = job->columns % TFLM_M3_EDGES == TFLM_M3_RIGHT_EDGE;
    const int32_t last = 2 + (job->columns < TFLM_M3_EDGES ? 1 : 2) - is_right;
    const uint32_t zero_point = 0u - (uint32_t)job->input_offset;
    const int8_t *filter = job->filter + channel;
    uint32_t sum = 0;
    for (int32_t j = 0; j < 3; j++) {
        const int32_t x = at + j - is_left;
        for (int32_t i = 0; i < job->rows; i++) {
            const uint32_t value = x < 0 || at + j > last
                ? zero_point
                : (uint32_t)job->input[i * job->input_row + x * job->depth + channel];
            sum += (uint32_t)filter[i * job->filter_row + j * job->depth] * value;
        }
        sum += outside == 0 ? 0 : (uint32_t)filter[outside + j * job->depth] * zero_point;
    }
    return sum;
}

static void edges(tflm_m0_form_t form, const tflm_m0_taps_t *job, int32_t outside) {
    const tflm_range_t range = {job->rounding >> 1, job->minimum, job->maximum};
    const tflm_m0_channel_t *channel = job->channels;
    const int32_t stride = job->columns < TFLM_M3_EDGES ? 1 : 2;
    for (int32_t c = 0; c < job->count; c++, channel = tflm_m0_channel_at(form, channel, 1)) {
        const uint32_t start = (uint32_t)channel->start;
        const uint32_t first = start + sum_of(job, 0, outside, c);
        const uint32_t second = start + sum_of(job, stride, outside, c);
        job->output[c] = tflm_m0_output(form, first, channel, &range);
        job->output[c + job->second] = tflm_m0_output(form, second, channel, &range);
    }
}

void tflm_m3_edges_exact(const tflm_m0_taps_t *job, int32_t outside) {
    edges(TFLM_M0_EXACT, job, outside);
}

void tflm_m3_edges_linear(const tflm_m0_taps_t *job, int32_t outside) {
    edges(TFLM_M0_LINEAR, job, outside);
}

#endif
