#include "conv_depthwise_taps.h"

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_taps_t, input_row) == 28, "read by assembly");
_Static_assert(offsetof(tflm_m0_taps_t, maximum) == 44, "read by assembly");
_Static_assert(offsetof(tflm_m0_taps_t, input_offset) == 56, "read by assembly");
_Static_assert(offsetof(tflm_m0_channel_t, bias) == 4, "read by assembly");

// The stack while channels run: the job's first seven words, `channels` (8) at the channel that is
// on, then its index (28), rounding (32), offset of the start in tflm_m0_channel_t (36), rows (40),
// code of the columns (44).
// r12 minimum, lr maximum; r0 input, r1 filter, r4 0, r5 depth, r6 2 * depth, r8 sum.

__asm__(
    "    .syntax unified\n"
    TFLM_M0_FINISH_MACROS

    // r7 rows left, r9 input_row, r10 filter_row, r11 input_offset.
    "    .macro TAP at\n"
    "    ldrsb r2, [r0, \\at]\n"
    "    ldrsb r3, [r1, \\at]\n"
    "    muls r2, r3\n"
    "    add  r8, r2\n"
    "    .endm\n"
    "    .macro OFFSET_TAP at\n"
    "    ldrsb r2, [r0, \\at]\n"
    "    ldrsb r3, [r1, \\at]\n"
    "    add  r2, r11\n"
    "    muls r2, r3\n"
    "    add  r8, r2\n"
    "    .endm\n"
    "    .macro NEXT_ROW back\n"
    "    add  r0, r9\n"
    "    add  r1, r10\n"
    "    subs r7, #1\n"
    "    bne  \\back\n"
    "    .endm\n"

    "    .macro TAPS_SINGLE form, FORM, channel_bytes\n"
    M0_FUNCTION("tflm_m0_taps_clipped_\\form", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    ldr  r1, [r0, #52]\n"
    "    adr  r7, 31f\n"
    "    cmp  r1, #2\n"
    "    blo  1f\n"
    "    adr  r7, 32f\n"
    "    beq  1f\n"
    "    adr  r7, 33f\n"
    "1:  movs r5, #4\n"
    "    b    2f\n"
    M0_ENTRY("tflm_m0_taps_inside_\\form")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r7, 34f\n"
    "    movs r5, #0\n"
    "2:  ldr  r6, [r0, #48]\n"
    "    push {r5-r7}\n"           // start, rows, code
    "    ldr  r1, [r0, #56]\n"
    "    mov  r11, r1\n"
    "    movs r1, r0\n"
    "    adds r1, #28\n"
    "    ldmia r1!, {r2-r6}\n"
    "    mov  r9, r2\n"
    "    mov  r10, r3\n"
    "    mov  r12, r5\n"
    "    mov  lr, r6\n"
    "    movs r3, #0\n"
    "    push {r3, r4}\n"
    "    ldmia r0!, {r1-r7}\n"
    "    push {r1-r7}\n"
    "10:\n"
    "    ldr  r5, [sp, #28]\n"
    "    ldr  r2, [sp, #8]\n"
    "    ldr  r0, [sp]\n"
    "    adds r0, r0, r5\n"
    "    ldr  r1, [sp, #4]\n"
    "    adds r1, r1, r5\n"
    "    movs r4, #0\n"
    "    ldr  r5, [sp, #24]\n"
    "    lsls r6, r5, #1\n"
    "    ldr  r3, [sp, #36]\n"
    "    ldr  r2, [r2, r3]\n"
    "    mov  r8, r2\n"
    "    ldr  r7, [sp, #40]\n"
    "    ldr  r3, [sp, #44]\n"
    "    mov  pc, r3\n"
    "    .balign 4\n"
    "31: OFFSET_TAP r4\n"
    "    NEXT_ROW 31b\n"
    "    b    40f\n"
    "    .balign 4\n"
    "32: OFFSET_TAP r4\n"
    "    OFFSET_TAP r5\n"
    "    NEXT_ROW 32b\n"
    "    b    40f\n"
    "    .balign 4\n"
    "33: OFFSET_TAP r4\n"
    "    OFFSET_TAP r5\n"
    "    OFFSET_TAP r6\n"
    "    NEXT_ROW 33b\n"
    "    b    40f\n"
    "    .balign 4\n"
    "34: TAP  r4\n"
    "    TAP  r5\n"
    "    TAP  r6\n"
    "    NEXT_ROW 34b\n"
    "40:\n"
    "    ldr  r1, [sp, #8]\n"
    "    \\FORM\\()_LOAD 32\n"
    "    mov  r0, r8\n"
    "    \\FORM\\()_SCALE 1\n"
    "    ldr  r0, [sp, #12]\n"
    "    ldr  r1, [sp, #28]\n"
    "    strb r4, [r0, r1]\n"
    "    adds r1, #1\n"
    "    str  r1, [sp, #28]\n"
    "    ldr  r2, [sp, #8]\n"
    "    adds r2, #\\channel_bytes\n"
    "    str  r2, [sp, #8]\n"
    "    ldr  r0, [sp, #20]\n"
    "    cmp  r0, r1\n"
    "    beq  50f\n"
    "    b    10b\n"
    "50: add  sp, #48\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    \\FORM\\()_CLAMP 1\n"
    "    .size tflm_m0_taps_clipped_\\form, . - tflm_m0_taps_clipped_\\form\n"
    "    .endm\n"
    "    TAPS_SINGLE exact, EXACT, 16\n"
    "    TAPS_SINGLE linear, LINEAR, 24\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

// The sum of a channel's taps, with what is added to each input.
static uint32_t sum_of(const tflm_m0_taps_t *job, int32_t channel, int32_t rows, int32_t columns,
    int32_t offset) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < rows; i++) {
        const int8_t *input = job->input + i * job->input_row + channel;
        const int8_t *filter = job->filter + i * job->filter_row + channel;
        for (int32_t j = 0; j < columns; j++, input += job->depth, filter += job->depth) {
            sum += (uint32_t)*filter * ((uint32_t)*input + (uint32_t)offset);
        }
    }
    return sum;
}

static int8_t finish(tflm_m0_form_t form, const tflm_m0_taps_t *job,
    const tflm_m0_channel_t *channel, uint32_t sum) {
    const tflm_range_t range = {job->rounding >> 1, job->minimum, job->maximum};
    return tflm_m0_output(form, sum, channel, &range);
}

static void pair(tflm_m0_form_t form, const tflm_m0_taps_t *job) {
    tflm_m0_taps_t right = *job;
    right.input += job->depth;
    const tflm_m0_channel_t *channel = job->channels;
    for (int32_t c = 0; c < job->count; c++, channel = tflm_m0_channel_at(form, channel, 1)) {
        const uint32_t start = (uint32_t)channel->start;
        int8_t *output = job->output + c;
        output[0] = finish(form, job, channel, start + sum_of(job, c, 3, 3, 0));
        output[job->second] = finish(form, job, channel, start + sum_of(&right, c, 3, 3, 0));
    }
}

static void inside(tflm_m0_form_t form, const tflm_m0_taps_t *job) {
    const tflm_m0_channel_t *channel = job->channels;
    for (int32_t c = 0; c < job->count; c++, channel = tflm_m0_channel_at(form, channel, 1)) {
        const uint32_t sum = sum_of(job, c, job->rows, 3, 0);
        job->output[c] = finish(form, job, channel, (uint32_t)channel->start + sum);
    }
}

static void clipped(tflm_m0_form_t form, const tflm_m0_taps_t *job) {
    const tflm_m0_channel_t *channel = job->channels;
    for (int32_t c = 0; c < job->count; c++, channel = tflm_m0_channel_at(form, channel, 1)) {
        const uint32_t sum = sum_of(job, c, job->rows, job->columns, job->input_offset);
        job->output[c] = finish(form, job, channel, (uint32_t)channel->bias + sum);
    }
}

void tflm_m0_taps_pair_exact(const tflm_m0_taps_t *job) {
    pair(TFLM_M0_EXACT, job);
}

void tflm_m0_taps_pair_linear(const tflm_m0_taps_t *job) {
    pair(TFLM_M0_LINEAR, job);
}

void tflm_m0_taps_inside_exact(const tflm_m0_taps_t *job) {
    inside(TFLM_M0_EXACT, job);
}

void tflm_m0_taps_inside_linear(const tflm_m0_taps_t *job) {
    inside(TFLM_M0_LINEAR, job);
}

void tflm_m0_taps_clipped_exact(const tflm_m0_taps_t *job) {
    clipped(TFLM_M0_EXACT, job);
}

void tflm_m0_taps_clipped_linear(const tflm_m0_taps_t *job) {
    clipped(TFLM_M0_LINEAR, job);
}

#endif
