#include "dense_rows_s16.h"

#include <stddef.h>

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_rows_s16_t, end) == 20, "read by assembly");

#define PRODUCT(row, sum) \
    "    ldrsb r7, [" row ", r6]\n" \
    "    muls r7, r0\n" \
    "    add  " sum ", r7\n"

#define TAP(offset) \
    "    ldrh r0, [r1, #" offset "]\n" \
    "    sxth r0, r0\n" \
    PRODUCT("r2", "r8") PRODUCT("r3", "r9") PRODUCT("r4", "r10") PRODUCT("r5", "r11") \
    "    adds r6, #1\n"

// r0 value, r1 values, r2-r5 rows, r6 index, r7 product, r8-r11 sums, r12 count, lr sums of the
// job; on the stack: values, step, end.
__asm__(
    "    .syntax unified\n"
    M0_FUNCTION("tflm_m0_rows_s16", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    ldmia r0!, {r1-r6}\n"
    "    mov  r12, r4\n"
    "    mov  lr, r5\n"
    "    push {r1, r3, r6}\n"
    // r2 the first of four rows, r3 step
    "1:  movs r6, #0\n"
    "    mov  r8, r6\n"
    "    mov  r9, r6\n"
    "    mov  r10, r6\n"
    "    mov  r11, r6\n"
    "    adds r4, r2, r3\n"
    "    adds r5, r4, r3\n"
    "    mov  r7, r5\n"
    "    adds r5, r7, r3\n"
    "    movs r3, r4\n"
    "    movs r4, r7\n"
    "2:\n"
    TAP("0") TAP("2") TAP("4") TAP("6")
    "    adds r1, #8\n"
    "    cmp  r6, r12\n"
    "    bne  2b\n"
    "    mov  r7, lr\n"
    "    mov  r0, r8\n"
    "    mov  r1, r9\n"
    "    mov  r2, r10\n"
    "    mov  r3, r11\n"
    "    stmia r7!, {r0-r3}\n"
    "    mov  lr, r7\n"
    "    ldr  r1, [sp]\n"
    "    ldr  r3, [sp, #4]\n"
    "    adds r2, r5, r3\n"
    "    ldr  r0, [sp, #8]\n"
    "    cmp  r7, r0\n"
    "    bne  1b\n"
    "    add  sp, #12\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    .size tflm_m0_rows_s16, . - tflm_m0_rows_s16\n"
    "    .text\n");

#else

void tflm_m0_rows_s16(const tflm_m0_rows_s16_t *job) {
    const int32_t step = job->step;
    const int8_t *row = job->rows;
    for (int32_t *sum = job->sums; sum != job->end; sum += 4, row += 4 * step) {
        const int8_t *a = row, *b = a + step, *c = b + step, *d = c + step;
        const int16_t *const end = job->values + job->count;
        int32_t p = 0, q = 0, r = 0, s = 0;
        for (const int16_t *value = job->values; value != end; value++) {
            p += *value * *a++;
            q += *value * *b++;
            r += *value * *c++;
            s += *value * *d++;
        }
        sum[0] = p, sum[1] = q, sum[2] = r, sum[3] = s;
    }
}

#endif
