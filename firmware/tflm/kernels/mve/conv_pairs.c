#include "conv_pairs.h"

#if defined(__ARM_FEATURE_MVE)

_Static_assert(offsetof(tflm_mve_pairs_t, taps) == 4 && offsetof(tflm_mve_pairs_t, output) == 8
    && offsetof(tflm_mve_pairs_t, output_end) == 16 && offsetof(tflm_mve_pairs_t, enter) == 20
    && offsetof(tflm_mve_pairs_t, finish) == 28 && offsetof(tflm_mve_pairs_t, window) == 32
    && offsetof(tflm_mve_pairs_t, filter) == 40 && offsetof(tflm_mve_pairs_t, range) == 44
    && offsetof(tflm_range_t, offset) == 0 && offsetof(tflm_range_t, minimum) == 4
    && offsetof(tflm_range_t, maximum) == 8 && offsetof(tflm_mve_pairs_t, is_simple) == 56,
    "the offsets in the code below");

#define CHANNEL(filter, first, second) \
    "vldrb.8 q2, [" filter "], #16\n" \
    "vmladava.s8 " first ", q0, q2\n" \
    "vmladava.s8 " second ", q1, q2\n"

// Sixteen taps of four channels in both windows: 56 bytes, of 14 instructions.
#define TURN \
    "vldrb.8 q0, [r1], #16\n" \
    "vldrb.8 q1, [r3], #16\n" \
    CHANNEL("r5", "r0", "r8") CHANNEL("r7", "r2", "r10") \
    CHANNEL("r9", "r4", "r12") CHANNEL("r11", "r6", "lr")

// Sums as vectors, and their doubling high products; q2: the shifts.
#define SCALE \
    "vmov  d0, r0, r2\n" \
    "vmov  d1, r4, r6\n" \
    "vmov  d2, r8, r10\n" \
    "vmov  d3, r12, lr\n" \
    "ldr   r0, [sp]\n" \
    "vldrw.32 q2, [r0, #16]\n" \
    "vqrdmulh.s32 q0, q0, q2\n" \
    "vqrdmulh.s32 q1, q1, q2\n" \
    "vldrw.32 q2, [r0, #32]\n"

#define SHIFT \
    "vrshl.s32 q0, q0, q2\n" \
    "vrshl.s32 q1, q1, q2\n" \
    "vadd.i32 q0, q0, q3\n" \
    "vadd.i32 q1, q1, q3\n"

// Ties of negative numbers go away from zero: see requantize_lanes.h.
#define LOWER(sums) \
    "vand  q6, " sums ", q2\n" \
    "vshr.s32 q6, q6, #31\n" \
    "vqadd.s32 " sums ", " sums ", q6\n"

#define CLAMP(values) \
    "vmax.s32 " values ", " values ", q4\n" \
    "vmin.s32 " values ", " values ", q5\n"

#define NARROW(values) \
    "vqmovnb.s32 " values ", " values "\n" \
    "vqmovnb.s16 " values ", " values "\n"

// r1, r3: windows; r5, r7, r9, r11: filters of four channels; r0, r2, r4, r6: their sums in the
// first window, r8, r10, r12, lr: in the second; q3..q5: offset, minimum, maximum. [sp]: words,
// taps, both outputs, the first one's end, enter, leave, finish, the first window's end, room.
//
// Turns modulo sixteen decide where the loop is entered: some of its turns are left out, none where
// they are a multiple of sixteen. Up to sixteen need no look at the window's end.
__attribute__((naked, aligned(4))) void tflm_mve_pairs(tflm_mve_pairs_t *pairs) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "vpush {d8-d13}\n"
        "mov   r12, r0\n"
        "ldr   r3, [r12, #20]\n"
        "cmp   r3, #0\n"
        "bne   9f\n"                  // a later call
        "ldr   r3, [r12, #4]\n"
        "lsrs  r3, r3, #4\n"          // turns
        "rsb   r4, r3, #0\n"
        "and   r4, r4, #15\n"         // those that are left out
        "movs  r5, #56\n"
        "adr.w r6, 3f\n"
        "mla   r6, r4, r5, r6\n"
        "orr   r6, r6, #1\n"          // enter
        "ldr   r4, [r12, #56]\n"
        "adr.w r8, 6f\n"
        "cmp   r4, #0\n"
        "it    ne\n"
        "adrne.w r8, 5f\n"
        "orr   r8, r8, #1\n"          // finish
        "mov   r7, r8\n"              // leave
        "cmp   r3, #16\n"
        "it    gt\n"
        "adrgt.w r7, 2f\n"
        "orr   r7, r7, #1\n"
        "add   r0, r12, #20\n"
        "stm   r0, {r6, r7, r8}\n"
        "9:\n"
        "ldmia r12!, {r0-r7}\n"
        "sub   sp, sp, #40\n"
        "stm   sp, {r0-r7}\n"
        "mov   r2, r1\n"              // taps
        "ldm   r12, {r1, r3, r5, r6, r7, r8}\n"
        "vdup.32 q3, r6\n"
        "vdup.32 q4, r7\n"
        "vdup.32 q5, r8\n"
        "add   r4, r1, r2\n"
        "str   r4, [sp, #32]\n"
        "add   r7, r5, r2\n"
        "add   r9, r7, r2\n"
        "add   r11, r9, r2\n"
        // Four channels.
        "0:\n"
        "ldr   r12, [sp]\n"
        "ldrd  r0, r2, [r12]\n"
        "ldrd  r4, r6, [r12, #8]\n"
        "mov   r8, r0\n"
        "mov   r10, r2\n"
        "mov   r12, r4\n"
        "mov   lr, r6\n"
        "ldr.w pc, [sp, #20]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        TURN TURN TURN TURN TURN TURN TURN TURN
        TURN TURN TURN TURN TURN TURN TURN TURN
        "ldr.w pc, [sp, #24]\n"       // to 2, 5 or 6
        ".balign 4\n"
        "2:\n"
        "str   lr, [sp, #36]\n"
        "ldr   lr, [sp, #32]\n"
        "cmp   r1, lr\n"
        "ldr   lr, [sp, #36]\n"
        "bne.w 3b\n"
        "ldr.w pc, [sp, #28]\n"       // to 5 or 6
        ".balign 4\n"
        "6:\n"
        SCALE LOWER("q0") LOWER("q1") SHIFT CLAMP("q0") CLAMP("q1")
        "b     7f\n"
        ".balign 4\n"
        "5:\n"
        SCALE SHIFT NARROW("q0") NARROW("q1")
        "7:\n"
        "ldrd  r2, r4, [sp, #8]\n"
        "vstrb.32 q0, [r2], #4\n"
        "vstrb.32 q1, [r4], #4\n"
        "strd  r2, r4, [sp, #8]\n"
        "adds  r0, r0, #48\n"
        "str   r0, [sp]\n"
        "ldr   r6, [sp, #4]\n"
        "subs  r1, r1, r6\n"
        "subs  r3, r3, r6\n"
        "mov   r5, r11\n"             // behind the last channel's filter
        "add   r7, r5, r6\n"
        "add   r9, r7, r6\n"
        "add   r11, r9, r6\n"
        "ldr   r6, [sp, #16]\n"
        "cmp   r2, r6\n"
        "bne.w 0b\n"
        "add   sp, sp, #40\n"
        "vpop  {d8-d13}\n"
        "pop   {r4-r11, pc}\n");
}

#else

// Four channels of both windows, whose outputs are written after both were read.
static void run_four(const tflm_mve_pairs_t *pairs, int32_t c) {
    const int8_t *filter = pairs->filter + c * pairs->taps;
    const int32_t *words = pairs->words + 3 * c;
    int8_t outputs[2][4];
    for (int32_t i = 0; i < 2; i++) {
        if (pairs->is_simple) {
            tflm_dot_fours_simply(pairs->window[i], filter, pairs->taps, words, 1, outputs[i]);
        } else {
            tflm_dot_fours(
                pairs->window[i], filter, pairs->taps, words, 1, outputs[i], pairs->range);
        }
    }
    for (int32_t i = 0; i < 2; i++) {
        tflm_copy_bytes(pairs->output[i] + c, outputs[i], 4);
    }
}

void tflm_mve_pairs(tflm_mve_pairs_t *pairs) {
    const int32_t channels = (int32_t)(pairs->output_end - pairs->output[0]);
    for (int32_t c = 0; c < channels; c += 4) {
        run_four(pairs, c);
    }
}

#endif
