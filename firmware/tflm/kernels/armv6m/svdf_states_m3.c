// svdf_states.h for Cortex-M3.
#include "core.h"

#if TFLM_ASSEMBLY == 7

#include "frame.h"
#include "svdf_states.h"

// r0 state, r1 weights, r2 last element of the state, r3 sum, r4 element, r5 weight, r6 memory,
// r7 -zero_point, r8 newest, r9 dots, r10 filter, r11 where the loop is entered. Enters a turn of
// four where the last turns come out whole; an element is 18 bytes of code.
__asm__(
    "    .syntax unified\n"
    "    .macro ELEMENT\n"
    "    ldrsb.w r4, [r0, #1]\n"
    "    ldrsb r5, [r1], #1\n"
    "    strb r4, [r0], #1\n"
    "    adds r4, r4, r7\n"
    "    mla  r3, r4, r5, r3\n"
    "    .endm\n"
    M0_FUNCTION("tflm_m0_age", "4")
    "    push {r4-r11, lr}\n"
    "    ldmia r0, {r0, r1, r6-r10}\n"
    "    rsbs r7, r7, #0\n"
    "    subs r10, #1\n"
    "    movs r4, #18\n"
    "    rsbs r2, r6, #1\n"
    "    and  r2, #3\n"
    "    ite  ne\n"
    "    adrne r3, 1f\n"
    "    adreq r3, 2f\n"
    "    mla  r11, r2, r4, r3\n"
    "0:  add  r2, r0, r6\n"
    "    subs r2, #1\n"
    "    movs r3, #0\n"
    "    mov  pc, r11\n"
    "    .balign 4\n"
    "1:  ELEMENT\n"
    "    ELEMENT\n"
    "    ELEMENT\n"
    "    ELEMENT\n"
    "    cmp  r0, r2\n"
    "    bne  1b\n"
    "    .balign 4\n"
    "2:  ldrsb r4, [r8, r10]\n"
    "    subs r4, r4, r7\n"
    "    strb r4, [r0], #1\n"
    "    sxtb r4, r4\n"
    "    adds r4, r4, r7\n"
    "    ldrsb r5, [r1], #1\n"
    "    mla  r3, r4, r5, r3\n"
    "    str  r3, [r9, r10, lsl #2]\n"
    "    sub  r0, r0, r6, lsl #1\n"
    "    sub  r1, r1, r6, lsl #1\n"
    "    subs r10, #1\n"
    "    bpl  0b\n"
    "    pop  {r4-r11, pc}\n"
    "    .size tflm_m0_age, . - tflm_m0_age\n"
    "    .text\n");

#endif
