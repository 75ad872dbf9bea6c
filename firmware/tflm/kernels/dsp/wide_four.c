#include "wide_four.h"

#include "conv_widen.h"

#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP

#include <stddef.h>

#define OFFSET(field, bytes) (offsetof(tflm_dsp_wide_four_t, field) == (bytes))

_Static_assert(OFFSET(begin, 0) && OFFSET(left, 4) && OFFSET(stream, 8) && OFFSET(output, 12)
    && OFFSET(depth, 16) && OFFSET(skip, 20) && OFFSET(enter, 24) && OFFSET(finish, 28)
    && OFFSET(fours, 32) && OFFSET(form, 36) && TFLM_WIDE_APART * sizeof(int16_t) == 256,
    "the numbers in the code below");

// Two taps of two channels at four positions: 48 bytes. Loads after each other share a cycle.
#define TWO(window, taps) \
    "ldr.n r2, [r0, #" window "]\n" \
    "ldr.n r3, [r0, #4 + " window "]\n" \
    "ldr.n r4, [r1, #" taps "]\n" \
    "ldr.n r5, [r1, #4 + " taps "]\n" \
    "smlad r6, r4, r2, r6\n" \
    "smlad r7, r4, r3, r7\n" \
    "smlad r10, r5, r2, r10\n" \
    "smlad r11, r5, r3, r11\n" \
    "ldr.w r2, [r0, #256 + " window "]\n" \
    "ldr.w r3, [r0, #260 + " window "]\n" \
    "smlad r8, r4, r2, r8\n" \
    "smlad r9, r4, r3, r9\n" \
    "smlad r12, r5, r2, r12\n" \
    "smlad lr, r5, r3, lr\n"

// Four taps, the turn-th of eight, of which r1 is moved on behind the first four.
#define FOUR(turn, at) TWO("16 * " #turn, "32 * " #at) TWO("8 + 16 * " #turn, "8 + 32 * " #at)

#define LINEAR(shift) \
    TFLM_DSP_LINEAR_CHANNELS("r6", "r7", "r10", "r11", shift) \
    TFLM_DSP_LINEAR("r8", "r2", "r3", shift) \
    TFLM_DSP_LINEAR("r9", "r2", "r3", shift) \
    TFLM_DSP_LINEAR("r12", "r4", "r5", shift) \
    TFLM_DSP_LINEAR("lr", "r4", "r5", shift)

#define EXACT(a, b, c, d) \
    TFLM_DSP_EXACT_CHANNEL(a, b) \
    TFLM_DSP_OUTPUT(c, "r5", "r2", "r3", "r4") \
    TFLM_DSP_OUTPUT(d, "r5", "r2", "r3", "r4")

// Two outputs at r4 of each position; r0, r2, r3: begin, left, stream. Behind the second pair of a
// four, r1 is the next four's stream.
#define STORE \
    "ldm   sp, {r0, r2, r3, r4, r5}\n" \
    "strb  r6, [r4]\n" \
    "strb  r10, [r4, #1]\n" \
    "adds  r6, r4, #2\n" \
    "add   r4, r4, r5\n" \
    "strb  r7, [r4]\n" \
    "strb  r11, [r4, #1]\n" \
    "add   r4, r4, r5\n" \
    "strb  r8, [r4]\n" \
    "strb  r12, [r4, #1]\n" \
    "add   r4, r4, r5\n" \
    "strb  r9, [r4]\n" \
    "strb  lr, [r4, #1]\n" \
    "tst   r2, #8\n" \
    "it    ne\n" \
    "movne r3, r1\n" \
    "subs  r2, r2, #8\n" \
    "str   r2, [sp, #4]\n" \
    "str   r3, [sp, #8]\n" \
    "str   r6, [sp, #12]\n" \
    "bne.w 0b\n"

// r0: window; r1: stream; r6, r7, r8, r9: sums of a channel at the four positions; r10, r11, r12,
// lr: of the next; r2, r3: pairs of the window; r4, r5: of the filters. [sp]: begin, left, stream,
// output, depth, skip, enter, finish. The bit of 8 in `left` tells the second pair of a four. The
// others are as in conv_wide.c. With its outputs the loop fits into the 1 KB of code that an
// STM32F4 caches, except in the exact form.
TFLM_ASSEMBLY void tflm_dsp_wide_four(tflm_dsp_wide_four_t *wide) {
    __asm__ volatile(
        "push  {r4-r11, lr}\n"
        "ldr   r1, [r0, #28]\n"
        "cbnz  r1, 9f\n"              // a later call
        "ldr   r4, [r0]\n"
        "ldrd  r5, r7, [r0, #32]\n"   // fours, form
        "rsb   r1, r5, #0\n"
        "and   r1, r1, #7\n"          // turns that are left out
        "sub   r4, r4, r1, lsl #4\n"
        "str   r4, [r0]\n"
        "movs  r6, #16\n"
        "sub   r6, r6, r1, lsl #5\n"
        "movs  r4, #96\n"
        "adr.w r2, 3f\n"
        "mla   r2, r1, r4, r2\n"
        "cmp   r1, #4\n"             // enters behind the instruction that moves r1 on
        "itt   gt\n"
        "addgt r2, r2, #4\n"
        "addgt r6, r6, #128\n"
        "orr   r2, r2, #1\n"
        "strd  r6, r2, [r0, #20]\n"
        "adr.w r3, 4f\n"
        "cmp   r7, #4\n"
        "it    eq\n"
        "adreq.w r3, 5f\n"
        "it    gt\n"
        "adrgt.w r3, 6f\n"
        "orr   r3, r3, #1\n"
        "str   r3, [r0, #28]\n"
        "9:\n"
        "ldm   r0, {r1, r2, r3, r4, r5, r6, r7, r8}\n"
        "push  {r1, r2, r3, r4, r5, r6, r7, r8}\n"
        "mov   r0, r1\n"
        // Two channels; r0, r2, r3: begin, left, stream.
        "0:\n"
        "and   r2, r2, #8\n"
        "add   r5, r3, r2\n"
        "ldr   r6, [r5]\n"
        "ldr   r10, [r5, #4]\n"
        "ldr   r4, [sp, #20]\n"
        "add   r1, r3, r2, lsl #1\n"
        "add   r1, r1, r4\n"
        "mov   r7, r6\n"
        "mov   r8, r6\n"
        "mov   r9, r6\n"
        "mov   r11, r10\n"
        "mov   r12, r10\n"
        "mov   lr, r10\n"
        "ldr.w pc, [sp, #24]\n"       // into 3
        ".balign 4\n"
        "3:\n"
        FOUR(0, 0) FOUR(1, 1) FOUR(2, 2) FOUR(3, 3)
        "adds.w r1, r1, #128\n"
        FOUR(4, 0) FOUR(5, 1) FOUR(6, 2) FOUR(7, 3)
        "adds  r0, r0, #128\n"
        "adds  r1, r1, #128\n"
        "lsls  r2, r0, #24\n"         // 0 at the window's end
        "bne.w 3b\n"
        "ldr.w pc, [sp, #28]\n"       // to 4, 5 or 6
        ".balign 4\n"
        "4:\n"
        "ldr   r2, [sp, #4]\n"
        "and   r2, r2, #8\n"
        "add   r1, r1, r2\n"          // three words a channel
        EXACT("r6", "r7", "r8", "r9") EXACT("r10", "r11", "r12", "lr")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "5:\n"
        LINEAR("4")
        STORE
        "b.w   7f\n"
        ".balign 4\n"
        "6:\n"
        LINEAR("8")
        STORE
        "7:\n"
        "add   sp, sp, #32\n"
        "pop   {r4-r11, pc}\n");
}

#else

void tflm_dsp_wide_four(tflm_dsp_wide_four_t *wide) {
    const int16_t *window = wide->begin;
    int8_t *output = wide->output;
    for (int32_t half = 0; half < 2; half++) {
        tflm_dsp_wide_t two = {
            .window = window,
            .channels = wide->left / TFLM_WIDE_LEFT,
            .window_end = window + wide->fours * TFLM_FOUR,
            .stream = wide->stream,
            .form = wide->form,
        };
        tflm_dsp_wide(&two, output, output + wide->depth);
        window += TFLM_WIDE_APART;
        output += 2 * wide->depth;
    }
}

#endif
