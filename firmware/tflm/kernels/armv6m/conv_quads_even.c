#include "conv_pairs.h"

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_pairs_t, end) == 28, "read by assembly");
_Static_assert(offsetof(tflm_m0_pairs_t, more) == 48, "read by assembly");

// Pair `i` of taps in a turn: one halfword of weights, then the words of both window pairs.
// Nineteen instructions, 38 bytes, 24 cycles. A carry needs its sum in a low register, and there is
// one left: the second pair's sum of h takes 2^15 instead, as in conv_quads.c.
#define TWO_TAPS(i) \
    "    ldrh r3, [r4, #2 * " #i "]\n" \
    "    sxtb r2, r3\n" \
    "    sxth r3, r3\n" \
    "    asrs r3, r3, #8\n" \
    "    ldmia r5!, {r0, r1}\n" \
    "    muls r0, r2\n" \
    "    muls r1, r3\n" \
    "    adds r0, r0, r1\n" \
    "    add  r8, r0\n" \
    "    asrs r0, r0, #16\n" \
    "    adcs r7, r0\n" \
    "    ldmia r6!, {r0, r1}\n" \
    "    muls r0, r2\n" \
    "    muls r1, r3\n" \
    "    adds r0, r0, r1\n" \
    "    add  r10, r0\n" \
    "    add  r0, r12\n" \
    "    asrs r0, r0, #16\n" \
    "    add  r11, r0\n"

// r4 filter; r5, r6 windows; r7, r8 sums of h and t of the first pair, r11, r10 of the second;
// r12 2^15; lr end of the first window. Stack: where a channel's taps begin in the turn (0),
// channel_step (4), filter, less what the first turn leaves out (8), window (12), more (16), channels
// (20), output (24), second (28), rounding (32), minimum (36), maximum (40), end of the channels
// (44), end of the first window (48), how sums become outputs (52).
__asm__(
    "    .syntax unified\n"
    TFLM_M0_FINISH_MACROS

    // r9: ml, or the least output.
    "    .macro EXACT_READY\n"
    "    ldr  r0, [sp, #36]\n"
    "    mov  r12, r0\n"
    "    ldr  r0, [sp, #40]\n"
    "    mov  lr, r0\n"
    "    EXACT_LOAD 32\n"
    "    mov  r9, r2\n"
    "    adds r1, #16\n"
    "    .endm\n"
    "    .macro LINEAR_READY\n"
    "    LINEAR_LOAD 32\n"
    "    LINEAR_LEAST r9\n"
    "    .endm\n"
    "    .macro EXACT_ONE id\n"
    "    .if \\id > 1\n"
    "    mov  r2, r9\n"
    "    .endif\n"
    "    EXACT_SCALE \\id\n"
    "    .endm\n"
    "    .macro LINEAR_ONE id\n"
    "    LINEAR_WITHIN \\id\n"
    "    .endm\n"

    // Sums to outputs.
    "    .macro FINISH form\n"
    "    ldr  r1, [sp, #20]\n"
    "    \\form\\()_READY\n"
    "    str  r1, [sp, #20]\n"
    "    lsls r0, r7, #16\n"
    "    mov  r1, r8\n"
    "    subs r0, r1, r0\n"
    "    \\form\\()_ONE 1\n"
    "    ldr  r1, [sp, #24]\n"
    "    strb r4, [r1]\n"
    "    movs r0, r7\n"
    "    movs r7, r1\n"
    "    adds r1, #1\n"
    "    str  r1, [sp, #24]\n"
    "    \\form\\()_ONE 2\n"
    "    ldr  r1, [sp, #28]\n"
    "    strb r4, [r7, r1]\n"
    "    adds r7, r7, r1\n"
    "    adds r7, r7, r1\n"
    "    mov  r0, r11\n"
    "    lsls r0, r0, #16\n"
    "    mov  r4, r10\n"
    "    subs r0, r4, r0\n"
    "    \\form\\()_ONE 3\n"
    "    strb r4, [r7]\n"
    "    mov  r0, r11\n"
    "    \\form\\()_ONE 4\n"
    "    ldr  r1, [sp, #28]\n"
    "    strb r4, [r7, r1]\n"
    "    .endm\n"

    M0_FUNCTION_IN(TFLM_HOT_SECTION("tflm_m0_even"), "tflm_m0_even_linear", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r7, 50f\n"
    "    b    1f\n"
    "    .balign 4\n"
    M0_ENTRY("tflm_m0_even_exact")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r7, 40f\n"
    "1:  sub  sp, #56\n"
    "    str  r7, [sp, #52]\n"
    "    ldmia r0!, {r1-r6}\n"     // filter, channels, output, second, window, channel_step
    "    str  r6, [sp, #4]\n"
    "    str  r5, [sp, #12]\n"
    "    ldr  r6, [r0, #24]\n"
    "    str  r6, [sp, #16]\n"
    "    add  r7, sp, #20\n"
    "    stmia r7!, {r2-r4}\n"
    "    ldr  r2, [r0, #8]\n"
    "    ldr  r3, [r0, #16]\n"
    "    ldr  r4, [r0, #20]\n"
    "    ldr  r6, [r0, #4]\n"
    "    stmia r7!, {r2-r4, r6}\n" // rounding, minimum, maximum, end
    "    ldr  r3, [r0, #12]\n"     // taps
    "    lsls r2, r3, #2\n"
    "    adds r2, r2, r5\n"
    "    str  r2, [sp, #48]\n"
    "    mov  lr, r2\n"
    "    movs r2, #1\n"
    "    lsls r2, r2, #15\n"
    "    mov  r12, r2\n"
    "    rsbs r3, r3, #0\n"
    "2:  adds r3, #12\n"           // taps that the first turn leaves out
    "    bmi  2b\n"
    "    subs r1, r1, r3\n"
    "    str  r1, [sp, #8]\n"
    "    movs r2, #19\n"
    "    muls r3, r2\n"
    "    adr  r2, 20f\n"
    "    adds r3, r3, r2\n"
    "    str  r3, [sp]\n"
    "    ldr  r1, [sp, #20]\n"

    "10: ldr  r7, [r1]\n"          // the next channel
    "    mov  r11, r7\n"
    "    lsls r0, r7, #16\n"
    "    adds r0, r0, r7\n"
    "    mov  r8, r0\n"
    "    mov  r10, r0\n"
    "    mov  r0, sp\n"
    "    ldmia r0!, {r2-r6}\n"
    "    adds r3, r3, r4\n"
    "    str  r3, [sp, #8]\n"
    "    mov  pc, r2\n"

    "    .balign 4\n"
    "20:\n"
    TWO_TAPS(0) TWO_TAPS(1) TWO_TAPS(2) TWO_TAPS(3) TWO_TAPS(4) TWO_TAPS(5)
    "    adds r4, #12\n"
    "    cmp  r5, lr\n"
    "    bne  20b\n"
    "    ldr  r0, [sp, #52]\n"
    "    mov  pc, r0\n"

    "    .balign 4\n"
    "40:\n"
    "    FINISH EXACT\n"
    "    movs r0, #1\n"
    "    lsls r0, r0, #15\n"
    "    mov  r12, r0\n"
    "    ldr  r0, [sp, #48]\n"
    "    mov  lr, r0\n"
    "    b    60f\n"
    "    EXACT_CLAMPS\n"
    "    .balign 4\n"
    "50:\n"
    "    FINISH LINEAR\n"
    "60: ldr  r1, [sp, #20]\n"
    "    ldr  r0, [sp, #44]\n"
    "    cmp  r0, r1\n"
    "    beq  70f\n"
    "    b    10b\n"
    "    LINEAR_BEYOND 1, r9\n"
    "    LINEAR_BEYOND 2, r9\n"
    "    LINEAR_BEYOND 3, r9\n"
    "    LINEAR_BEYOND 4, r9\n"
    "70: add  sp, #56\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .size tflm_m0_even_linear, . - tflm_m0_even_linear\n"
    "    .text\n");

#endif
