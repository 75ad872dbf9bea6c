#include "svdf_states.h"

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

// r0 last element of the state, r1 of the weights, r2 index, from -(memory - 1) to 0, r3 sum,
// r6 -zero_point, r7 behind the state; r8 -memory, r9 newest, r10 dots, r11 filter, r12 where the
// loop is entered, lr first index. Enters a turn of four where the last turns come out whole; an
// element is 14 bytes of code.
__asm__(
    "    .syntax unified\n"
    "    .macro ELEMENT\n"
    "    ldrsb r4, [r7, r2]\n"
    "    ldrsb r5, [r1, r2]\n"
    "    strb r4, [r0, r2]\n"
    "    adds r4, r4, r6\n"
    "    muls r4, r5\n"
    "    adds r3, r3, r4\n"
    "    adds r2, #1\n"
    "    .endm\n"
    M0_FUNCTION("tflm_m0_age", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    ldmia r0!, {r1-r7}\n"
    "    mov  r9, r5\n"
    "    mov  r10, r6\n"
    "    subs r7, #1\n"
    "    mov  r11, r7\n"
    "    adds r7, r1, r3\n"
    "    subs r0, r7, #1\n"
    "    adds r1, r2, r3\n"
    "    subs r1, #1\n"
    "    rsbs r6, r4, #0\n"
    "    rsbs r2, r3, #0\n"
    "    mov  r8, r2\n"
    "    adr  r3, 2f\n"
    "    adds r2, #1\n"
    "    mov  lr, r2\n"
    "    beq  3f\n"
    "    movs r3, #3\n"
    "    ands r3, r2\n"
    "    movs r4, #14\n"
    "    muls r3, r4\n"
    "    adr  r4, 1f\n"
    "    adds r3, r3, r4\n"
    "3:  mov  r12, r3\n"
    "0:  mov  r2, lr\n"
    "    movs r3, #0\n"
    "    mov  pc, r12\n"
    "    .balign 4\n"
    "1:  ELEMENT\n"
    "    ELEMENT\n"
    "    ELEMENT\n"
    "    ELEMENT\n"
    "    bmi  1b\n"
    "    .balign 4\n"
    "2:  mov  r2, r11\n"
    "    mov  r4, r9\n"
    "    ldrsb r4, [r4, r2]\n"
    "    subs r4, r4, r6\n"
    "    strb r4, [r0]\n"
    "    sxtb r4, r4\n"
    "    adds r4, r4, r6\n"
    "    movs r5, #0\n"
    "    ldrsb r5, [r1, r5]\n"
    "    muls r4, r5\n"
    "    adds r3, r3, r4\n"
    "    lsls r4, r2, #2\n"
    "    mov  r5, r10\n"
    "    str  r3, [r5, r4]\n"
    "    add  r0, r8\n"
    "    add  r1, r8\n"
    "    add  r7, r8\n"
    "    subs r2, #1\n"
    "    mov  r11, r2\n"
    "    bpl  0b\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .size tflm_m0_age, . - tflm_m0_age\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

void tflm_m0_age(const tflm_m0_states_t *states) {
    const uint32_t zero_point = (uint32_t)states->zero_point;
    const int32_t last = states->memory - 1;
    int8_t *state = states->state;
    const int8_t *weights = states->weights;
    for (int32_t f = states->count - 1; f >= 0; f--) {
        uint32_t dot = 0;
        for (int32_t i = 0; i <= last; i++) {
            state[i] = (int8_t)(i < last ? (uint32_t)state[i + 1]
                                         : (uint32_t)states->newest[f] + zero_point);
            dot += (uint32_t)weights[i] * ((uint32_t)state[i] - zero_point);
        }
        states->dots[f] = (int32_t)dot;
        state -= states->memory;
        weights -= states->memory;
    }
}

#endif
