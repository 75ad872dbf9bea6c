#include "conv_pairs.h"

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_pairs_t, tap_step) == 24, "read by assembly");
_Static_assert(offsetof(tflm_m0_pairs_t, more) == 48, "read by assembly");

// Of a pair of windows: the words at `window` times r2 and r3, to the sums of t and of h.
#define TWO_WORDS(window, t, h) \
    "    ldmia " window "!, {r0, r1}\n" \
    "    muls r0, r2\n" \
    "    muls r1, r3\n" \
    "    adds r0, r0, r1\n" \
    "    add  " t ", r0\n" \
    "    add  r0, r12\n" \
    "    asrs r0, r0, #16\n" \
    "    add  " h ", r0\n"

// Two taps: the weights behind r4. Twenty instructions, 40 bytes.
#define TWO_TAPS \
    "    ldrsb r2, [r4, r7]\n" \
    "    adds r4, r4, r7\n" \
    "    ldrsb r3, [r4, r7]\n" \
    "    adds r4, r4, r7\n" \
    TWO_WORDS("r5", "r8", "r9") \
    TWO_WORDS("r6", "r10", "r11")

#define ONE_WORD(window, t, h) \
    "    ldmia " window "!, {r0}\n" \
    "    muls r0, r2\n" \
    "    add  " t ", r0\n" \
    "    add  r0, r12\n" \
    "    asrs r0, r0, #16\n" \
    "    add  " h ", r0\n"

// Sums of t and of h become those of the first and the second position.
#define TAKE_APART(t, h) \
    "    mov  r0, " h "\n" \
    "    lsls r0, r0, #16\n" \
    "    mov  r1, " t "\n" \
    "    subs r1, r1, r0\n" \
    "    mov  " t ", r1\n"

#define SCALED(form, sum, id) \
    "    mov  r0, " sum "\n" \
    "    " form "_SCALE " id "\n" \
    "    mov  " sum ", r4\n"

// r4 filter, less tap_step; r5, r6 windows; r7 tap_step; r8, r9 sums of t and h of the first pair,
// r10, r11 of the second; r12 2^15; lr end of the first window. Stack: the job's words in their
// order, except filter: less tap_step; for taps: where its pairs begin; then the end of the first
// window (52), how sums become outputs (56), where the taps of a channel begin (60).
__asm__(
    "    .syntax unified\n"
    TFLM_M0_FINISH_MACROS
    M0_FUNCTION("tflm_m0_quads_linear", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r4, 50f\n"
    "    b    1f\n"
    "    .balign 4\n"
    M0_ENTRY("tflm_m0_quads_exact")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r4, 40f\n"
    "1:  ldr  r1, [r0, #48]\n"
    "    ldr  r3, [r0, #36]\n"
    "    lsls r3, r3, #2\n"
    "    ldr  r2, [r0, #16]\n"
    "    adds r3, r3, r2\n"
    "    push {r1, r3, r4, r5}\n"
    "    movs r1, r0\n"
    "    adds r1, #24\n"
    "    ldmia r1!, {r2-r7}\n"
    "    push {r2-r7}\n"
    "    mov  r8, r2\n"
    "    movs r6, r5\n"           // taps
    "    ldmia r0, {r0-r5}\n"
    "    mov  r7, r8\n"
    "    subs r0, r0, r7\n"
    "    push {r0-r5}\n"
    "    lsrs r1, r6, #1\n"       // pairs of taps
    "    adr  r2, 30f\n"
    "    rsbs r3, r1, #0\n"       // none: no turn
    "    beq  3f\n"
    "    adr  r2, 20f\n"
    "2:  adds r3, #6\n"           // pairs that the first turn leaves out
    "    bmi  2b\n"
    "    movs r0, #40\n"
    "    muls r3, r0\n"
    "    adds r2, r2, r3\n"
    "3:  str  r2, [sp, #36]\n"
    "    lsrs r6, r6, #1\n"
    "    bcc  4f\n"
    "    adr  r2, 12f\n"
    "4:  str  r2, [sp, #60]\n"
    "    ldr  r1, [sp, #4]\n"
    "10: ldr  r0, [r1]\n"          // the next channel
    "    mov  r9, r0\n"
    "    mov  r11, r0\n"
    "    lsls r1, r0, #16\n"
    "    adds r0, r0, r1\n"
    "    mov  r8, r0\n"
    "    mov  r10, r0\n"
    "    movs r0, #1\n"
    "    lsls r0, r0, #15\n"
    "    mov  r12, r0\n"
    "    ldr  r0, [sp, #52]\n"
    "    mov  lr, r0\n"
    "    ldr  r4, [sp]\n"
    "    ldr  r0, [sp, #20]\n"
    "    adds r0, r0, r4\n"
    "    str  r0, [sp]\n"
    "    ldr  r5, [sp, #16]\n"
    "    ldr  r6, [sp, #48]\n"
    "    ldr  r7, [sp, #24]\n"
    "    ldr  r0, [sp, #60]\n"
    "    mov  pc, r0\n"

    "    .balign 4\n"
    "12: ldrsb r2, [r4, r7]\n"    // an odd tap first
    "    adds r4, r4, r7\n"
    ONE_WORD("r5", "r8", "r9")
    ONE_WORD("r6", "r10", "r11")
    "    ldr  r0, [sp, #36]\n"
    "    mov  pc, r0\n"

    "    .balign 4\n"
    "20:\n"
    TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS TWO_TAPS
    "    cmp  r5, lr\n"
    "    bne  20b\n"
    "    .balign 4\n"
    "30:\n"
    TAKE_APART("r8", "r9")
    TAKE_APART("r10", "r11")
    "    ldr  r1, [sp, #4]\n"
    "    ldr  r0, [sp, #56]\n"
    "    mov  pc, r0\n"

    "    .balign 4\n"
    "40: ldr  r0, [sp, #40]\n"
    "    mov  r12, r0\n"
    "    ldr  r0, [sp, #44]\n"
    "    mov  lr, r0\n"
    "    EXACT_LOAD 32\n"
    "    movs r7, r2\n"
    SCALED("EXACT", "r8", "1")
    "    movs r2, r7\n"
    SCALED("EXACT", "r9", "2")
    "    movs r2, r7\n"
    SCALED("EXACT", "r10", "3")
    "    movs r2, r7\n"
    SCALED("EXACT", "r11", "4")
    "    ldr  r1, [sp, #4]\n"
    "    adds r1, #16\n"
    "    b    60f\n"
    "    EXACT_CLAMPS\n"
    "    .balign 4\n"
    "50:\n"
    "    LINEAR_LOAD 32\n"
    SCALED("LINEAR", "r8", "1")
    SCALED("LINEAR", "r9", "2")
    SCALED("LINEAR", "r10", "3")
    SCALED("LINEAR", "r11", "4")
    "60: str  r1, [sp, #4]\n"
    "    ldr  r0, [sp, #8]\n"
    "    ldr  r2, [sp, #12]\n"
    "    adds r3, r0, #1\n"
    "    str  r3, [sp, #8]\n"
    "    mov  r4, r8\n"
    "    strb r4, [r0]\n"
    "    mov  r4, r9\n"
    "    strb r4, [r0, r2]\n"
    "    adds r0, r0, r2\n"
    "    adds r0, r0, r2\n"
    "    mov  r4, r10\n"
    "    strb r4, [r0]\n"
    "    mov  r4, r11\n"
    "    strb r4, [r0, r2]\n"
    "    ldr  r0, [sp, #28]\n"
    "    cmp  r0, r1\n"
    "    beq  70f\n"
    "    b    10b\n"
    "70: add  sp, #64\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .size tflm_m0_quads_linear, . - tflm_m0_quads_linear\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

typedef struct {
    uint32_t all, high;  // sums of t, and of h
} sums_t;

// The sums of a pair of windows, with the same steps in C.
static sums_t sums_of(const tflm_m0_pairs_t *job, const uint32_t *window, const int8_t *filter,
    uint32_t start) {
    sums_t sums = {start + (start << 16), start};
    for (int32_t k = 0; k < job->taps;) {
        uint32_t t = 0;
        for (int32_t end = k + 2 - ((job->taps - k) & 1); k < end; k++) {
            t += (uint32_t)filter[k * job->tap_step] * window[k];
        }
        sums.all += t;
        sums.high += (uint32_t)((int32_t)(t + 0x8000) >> 16);
    }
    return sums;
}

static inline void quads(tflm_m0_form_t form, const tflm_m0_pairs_t *job) {
    const tflm_range_t range = {job->rounding >> 1, job->minimum, job->maximum};
    const tflm_m0_channel_t *channel = job->channels;
    for (int32_t c = 0; channel != job->end; c++) {
        for (int32_t i = 0; i < 2; i++) {
            const sums_t sums = sums_of(job, i == 0 ? job->window : job->more,
                job->filter + c * job->channel_step, (uint32_t)channel->start);
            int8_t *output = job->output + c + 2 * i * job->second;
            output[0] = tflm_m0_output(form, sums.all - (sums.high << 16), channel, &range);
            output[job->second] = tflm_m0_output(form, sums.high, channel, &range);
        }
        channel = tflm_m0_channel_at(form, channel, 1);
    }
}

void tflm_m0_quads_exact(const tflm_m0_pairs_t *job) {
    quads(TFLM_M0_EXACT, job);
}

void tflm_m0_quads_linear(const tflm_m0_pairs_t *job) {
    quads(TFLM_M0_LINEAR, job);
}

#endif
