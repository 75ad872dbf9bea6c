#include "conv_pairs.h"

#include "core.h"
#include "frame.h"

typedef struct {
    uint32_t first, second;
} sums_t;

static inline tflm_range_t range_of(const tflm_m0_pairs_t *job) {
    return (tflm_range_t) {job->rounding >> 1, job->minimum, job->maximum};
}

// The second product's low half has the first one's borrow; halves of a word add up modulo 2^32.
static sums_t sums_of(const tflm_m0_pairs_t *job, int32_t channel) {
    const int8_t *filter = job->filter + channel * job->channel_step;
    const uint32_t start = (uint32_t)job->channels[channel].start;
    sums_t sums = {start, start};
    for (int32_t k = 0; k < job->taps; k++, filter += job->tap_step) {
        const int32_t word = (int32_t)job->window[k];
        const int32_t first = (int16_t)word;
        sums.first += (uint32_t)*filter * (uint32_t)first;
        sums.second += (uint32_t)*filter * (uint32_t)((word - first) >> 16);
    }
    return sums;
}

void tflm_m0_pairs_plain(const tflm_m0_pairs_t *job) {
    const tflm_range_t range = range_of(job);
    const int32_t count = (int32_t)(job->end - job->channels);
    for (int32_t c = 0; c < count; c++) {
        const tflm_m0_channel_t *channel = job->channels + c;
        const sums_t sums = sums_of(job, c);
        job->output[c + job->second] =
            tflm_m0_output(TFLM_M0_PLAIN, sums.second, channel, &range);
        job->output[c] = tflm_m0_output(TFLM_M0_PLAIN, sums.first, channel, &range);
    }
}

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_pairs_t, tap_step) == 24, "read by assembly");
_Static_assert(offsetof(tflm_m0_pairs_t, maximum) == 44, "read by assembly");

// Two taps: the words at r3, the weights at r4 and r4 + tap_step. Ten instructions, 20 bytes.
// r5 tap_step, r6 0, r7 sum of h, r8 sum of t, r11 2 * tap_step
#define TWO_TAPS \
    "    ldmia r3!, {r0, r1}\n" \
    "    ldrsb r2, [r4, r6]\n" \
    "    muls r0, r2\n" \
    "    ldrsb r2, [r4, r5]\n" \
    "    muls r1, r2\n" \
    "    add  r4, r11\n" \
    "    adds r0, r0, r1\n" \
    "    add  r8, r0\n" \
    "    asrs r0, r0, #16\n" \
    "    adcs r7, r0\n"

// r9: end of the window. r10: where the taps of a channel begin, so that twelve pairs a turn come
// out even. Stack: the job's words in their order, except taps: where its pairs begin.
__asm__(
    "    .syntax unified\n"
    TFLM_M0_FINISH_MACROS
    "    .macro PAIRS name, form\n"
    M0_FUNCTION("\\name", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    movs r1, r0\n"
    "    adds r1, #24\n"
    "    ldmia r1!, {r2-r7}\n"
    "    push {r2-r7}\n"
    "    .ifc \\form, LINEAR\n"
    "    mov  lr, r3\n"
    "    ldr  r1, [r0, #8]\n"
    "    mov  r12, r1\n"
    "    .else\n"
    "    mov  r12, r6\n"
    "    mov  lr, r7\n"
    "    .endif\n"
    "    lsls r1, r2, #1\n"
    "    mov  r11, r1\n"
    "    movs r6, r5\n"            // taps
    "    ldmia r0, {r0-r5}\n"
    "    push {r0-r5}\n"
    "    lsls r1, r6, #2\n"
    "    adds r1, r1, r4\n"
    "    mov  r9, r1\n"
    "    lsrs r1, r6, #1\n"        // pairs of taps
    "    adr  r2, 30f\n"
    "    rsbs r3, r1, #0\n"       // none: no turn
    "    beq  2f\n"
    "    adr  r2, 20f\n"
    "1:  adds r3, #12\n"          // pairs that the first turn leaves out
    "    bmi  1b\n"
    "    movs r0, #20\n"
    "    muls r3, r0\n"
    "    adds r2, r2, r3\n"
    "2:  str  r2, [sp, #36]\n"
    "    lsrs r6, r6, #1\n"
    "    bcc  3f\n"
    "    adr  r2, 12f\n"
    "3:  mov  r10, r2\n"
    "    ldr  r1, [sp, #4]\n"
    "10: ldr  r7, [r1]\n"          // the next channel
    "    lsls r0, r7, #16\n"
    "    adds r0, r0, r7\n"
    "    mov  r8, r0\n"
    "    ldr  r3, [sp, #16]\n"
    "    ldr  r4, [sp]\n"
    "    ldr  r0, [sp, #20]\n"
    "    adds r0, r0, r4\n"
    "    str  r0, [sp]\n"
    "    ldr  r5, [sp, #24]\n"
    "    movs r6, #0\n"
    "    mov  pc, r10\n"

    "    .balign 4\n"
    "12: ldmia r3!, {r0}\n"        // an odd tap first
    "    ldrsb r2, [r4, r6]\n"
    "    adds r4, r4, r5\n"
    "    muls r0, r2\n"
    "    add  r8, r0\n"
    "    asrs r0, r0, #16\n"
    "    adcs r7, r0\n"
    "    ldr  r0, [sp, #36]\n"
    "    mov  pc, r0\n"

    "    .balign 4\n"
    "20:\n"
    TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS
    TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS
    "    cmp  r3, r9\n"
    "    bne  20b\n"
    "    .balign 4\n"
    "30: mov  r0, r8\n"
    "    lsls r1, r7, #16\n"
    "    subs r0, r0, r1\n"        // the first position's sum
    "    ldr  r1, [sp, #4]\n"
    "    \\form\\()_PAIR r7, 32, 4\n"
    "    .ifc \\form, LINEAR\n"    // no limits in r12 and lr: output and end of the channels
    "    mov  r0, r12\n"
    "    .else\n"
    "    ldr  r0, [sp, #8]\n"
    "    .endif\n"
    "    ldr  r2, [sp, #12]\n"
    "    strb r4, [r0, r2]\n"
    "    mov  r4, r8\n"
    "    strb r4, [r0]\n"
    "    adds r0, #1\n"
    "    str  r1, [sp, #4]\n"
    "    .ifc \\form, LINEAR\n"
    "    mov  r12, r0\n"
    "    cmp  r1, lr\n"
    "    .else\n"
    "    str  r0, [sp, #8]\n"
    "    ldr  r0, [sp, #28]\n"
    "    cmp  r0, r1\n"
    "    .endif\n"
    "    beq  40f\n"
    "    b    10b\n"
    "40: add  sp, #48\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    \\form\\()_CLAMP 1\n"
    "    \\form\\()_CLAMP 2\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    PAIRS tflm_m0_pairs_exact, EXACT\n"
    "    PAIRS tflm_m0_pairs_linear, LINEAR\n"

    M0_FUNCTION_IN(TFLM_HOT_SECTION("tflm_m0_pack"), "tflm_m0_pack", "2")
    // r0 window, r1 first, r2 second, r3 run
    "    push {r3-r7, lr}\n"       // stack: run, ..., rows (24), step (28)
    "    subs r2, r2, r1\n"
    "    ldr  r4, [sp, #28]\n"
    "    subs r4, r4, r3\n"
    "    mov  lr, r4\n"            // from the end of a row to the next
    "    movs r5, #1\n"
    "    lsls r7, r5, #16\n"
    "    adds r7, r7, r5\n"
    "    mov  r12, r7\n"
    "    movs r7, #0\n"
    "1:  subs r3, #2\n"
    "    blo  3f\n"
    "2:  ldrsb r4, [r1, r7]\n"
    "    ldrsb r5, [r1, r2]\n"
    "    adds r1, #1\n"
    "    lsls r5, r5, #16\n"
    "    adds r4, r4, r5\n"
    "    add  r4, r12\n"
    "    ldrsb r5, [r1, r7]\n"
    "    ldrsb r6, [r1, r2]\n"
    "    adds r1, #1\n"
    "    lsls r6, r6, #16\n"
    "    adds r5, r5, r6\n"
    "    add  r5, r12\n"
    "    stmia r0!, {r4, r5}\n"
    "    subs r3, #2\n"
    "    bhs  2b\n"
    "3:  lsrs r3, r3, #1\n"
    "    bcc  4f\n"
    "    ldrsb r4, [r1, r7]\n"
    "    ldrsb r5, [r1, r2]\n"
    "    adds r1, #1\n"
    "    lsls r5, r5, #16\n"
    "    adds r4, r4, r5\n"
    "    add  r4, r12\n"
    "    stmia r0!, {r4}\n"
    "4:  add  r1, lr\n"
    "    ldr  r3, [sp]\n"
    "    ldr  r4, [sp, #24]\n"
    "    subs r4, #1\n"
    "    str  r4, [sp, #24]\n"
    "    bne  1b\n"
    "    pop  {r3-r7, pc}\n"
    "    .size tflm_m0_pack, . - tflm_m0_pack\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

// The same steps in C.
static inline void pairs(tflm_m0_form_t form, const tflm_m0_pairs_t *job) {
    const tflm_range_t range = range_of(job);
    const tflm_m0_channel_t *channel = job->channels;
    for (int32_t c = 0; channel != job->end; c++) {
        const int8_t *filter = job->filter + c * job->channel_step;
        uint32_t high = (uint32_t)channel->start;
        uint32_t all = high + (high << 16);
        for (int32_t k = 0; k < job->taps;) {
            uint32_t sum = 0;
            for (int32_t end = k + 2 - ((job->taps - k) & 1); k < end; k++) {
                sum += (uint32_t)filter[k * job->tap_step] * job->window[k];
            }
            all += sum;
            high += (uint32_t)((int32_t)sum >> 16) + (sum >> 15 & 1);
        }
        job->output[c + job->second] = tflm_m0_output(form, high, channel, &range);
        job->output[c] = tflm_m0_output(form, all - (high << 16), channel, &range);
        channel = tflm_m0_channel_at(form, channel, 1);
    }
}

void tflm_m0_pairs_exact(const tflm_m0_pairs_t *job) {
    pairs(TFLM_M0_EXACT, job);
}

void tflm_m0_pairs_linear(const tflm_m0_pairs_t *job) {
    pairs(TFLM_M0_LINEAR, job);
}

void tflm_m0_pack(uint32_t *window, const int8_t *first, const int8_t *second, int32_t run,
    int32_t rows, int32_t step) {
    for (; rows > 0; rows--, first += step, second += step) {
        for (int32_t k = 0; k < run; k++) {
            *window++ = tflm_m0_packed((uint32_t)first[k], (uint32_t)second[k]);
        }
    }
}

#endif
