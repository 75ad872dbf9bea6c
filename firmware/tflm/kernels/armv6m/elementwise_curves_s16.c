// LOGISTIC and TANH of int16: 27 instructions a value.
#include "core.h"

#if TFLM_ASSEMBLY != 6

#include "../common/plain_elementwise_curves_s16.h"

#else

#include "generated/layout.h"

#include <stddef.h>
#include <string.h>

#include "../common/curves_s16.h"
#include "frame.h"

typedef struct {
    const uint32_t *lines;
    const uint8_t *input;  // behind the last value
    int16_t *output;       // likewise
    int32_t multiplier, half, shift;
    uint32_t most, rounding;
    int32_t first;  // bytes from there to the first value: not 0
} curve_job_t;

_Static_assert(offsetof(curve_job_t, first) == 32, "read by assembly");

void tflm_m0_logistic(const curve_job_t *job);
void tflm_m0_tanh(const curve_job_t *job);

// As tflm_sigmoid_at() of `bits`. r0 lines, r1 input, r2 output, r3 multiplier, r4-r6 of a value,
// r7 bytes to the end, r8 half, r9 most, r10 rounding, r11 shift, r12 sign.
__asm__(
    "    .syntax unified\n"
    "    .macro CURVE name, bits, last\n"
    M0_FUNCTION("\\name", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    movs r7, r0\n"
    "    ldmia r7!, {r0-r6}\n"
    "    mov  r8, r4\n"
    "    mov  r11, r5\n"
    "    mov  r9, r6\n"
    "    ldmia r7!, {r5, r6}\n"
    "    mov  r10, r5\n"
    "    movs r7, r6\n"
    "1:  ldrsh r5, [r1, r7]\n"
    "    muls r5, r3\n"
    "    add  r5, r8\n"
    "    mov  r6, r11\n"
    "    asrs r5, r6\n"
    "    asrs r6, r5, #31\n"
    "    eors r5, r6\n"
    "    subs r5, r5, r6\n"
    "    mov  r12, r6\n"
    "    cmp  r5, r9\n"
    "    bhi  3f\n"
    "2:  lsrs r6, r5, #\\bits\n"
    "    lsls r6, r6, #2\n"
    "    ldr  r6, [r0, r6]\n"
    "    lsls r5, r5, #(32 - \\bits)\n"
    "    lsrs r5, r5, #16\n"
    "    subs r5, #1\n"
    "    uxth r4, r6\n"
    "    muls r5, r4\n"
    "    adds r5, r5, r6\n"
    "    mov  r6, r12\n"
    "    eors r5, r6\n"
    "    add  r5, r10\n"
    "    \\last\n"
    "    strh r5, [r2, r7]\n"
    "    adds r7, #2\n"
    "    bne  1b\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "3:  mov  r5, r9\n"
    "    b    2b\n"
    "    .size \\name, . - \\name\n"
    "    .endm\n"
    "    CURVE tflm_m0_logistic, 9, \"lsrs r5, r5, #17\"\n"
    "    CURVE tflm_m0_tanh, 8, \"asrs r5, r5, #16\"\n"
    "    .text\n");

typedef void (*curve_t)(const curve_job_t *job);

// A value at an odd address is copied first.
static void apply(const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output,
    uint32_t most, uint32_t rounding, curve_t curve) {
    enum { CHUNK = 32 };
    const int32_t shift = params->left_shift, is_odd = ((uintptr_t)input & 1) != 0;
    int16_t copied[CHUNK];
    int32_t count;
    for (int32_t left = params->size; left > 0; left -= count, input += 2 * count) {
        count = is_odd && left > CHUNK ? CHUNK : left;
        const uint8_t *values = is_odd ? memcpy(copied, input, 2 * (size_t)count) : input;
        output += count;
        curve(&(curve_job_t){tflm_sigmoid_lines, values + 2 * count, output, params->multiplier,
            shift > 0 ? 1 << (shift - 1) : 0, shift, most, rounding, -2 * count});
    }
}

void tflm_logistic_s16(const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output) {
    apply(params, input, output, 0x1FFFF, 1u << 16, tflm_m0_logistic);
}

void tflm_tanh_s16(const tflm_curve_s16_t *params, const uint8_t *input, int16_t *output) {
    apply(params, input, output, (255 << 8) - 1, (1u << 31) + (1u << 15), tflm_m0_tanh);
}

#endif
