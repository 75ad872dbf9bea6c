#include "conv_depthwise_segment.h"

#include "core.h"
#include "frame.h"

#if TFLM_ASSEMBLY == 6

_Static_assert(offsetof(tflm_m0_segment_t, filter) == 12, "read by assembly");
_Static_assert(offsetof(tflm_m0_segment_t, outside) == 40, "read by assembly");
_Static_assert(offsetof(tflm_m0_segment_t, kind) == 64, "read by assembly");

// The stack while channels run: the segment's words, with `input`, `channels`, `filter` and `output`
// at the channel that is on; then the end of its filter (68), the code of the rows (72), of a
// channel's start (76) and of its outputs (80), the end of the sums (84) and the sums (88).
// Rows: r0 input, r1 its value, r2-r4 three taps, r5 depth, r6 a product, r7 filter,
// r8-r12 and lr sums.
__asm__(
    "    .syntax unified\n"
    TFLM_M0_FINISH_MACROS

    "    .macro ADD_TO position, value\n"
    "    .if (\\position) == 0\n"
    "    add  r8, \\value\n"
    "    .elseif (\\position) == 1\n"
    "    add  r9, \\value\n"
    "    .elseif (\\position) == 2\n"
    "    add  r10, \\value\n"
    "    .elseif (\\position) == 3\n"
    "    add  r11, \\value\n"
    "    .elseif (\\position) == 4\n"
    "    add  r12, \\value\n"
    "    .else\n"
    "    add  lr, \\value\n"
    "    .endif\n"
    "    .endm\n"

    // The window, if there is one, in which `column` is what tap `tap` is for.
    "    .macro IF_WINDOW stride, positions, tap, then:vararg\n"
    "    .if column >= \\tap\n"
    "    .if (column - \\tap) % \\stride == 0 && (column - \\tap) / \\stride < \\positions\n"
    "    \\then\n"
    "    .endif\n"
    "    .endif\n"
    "    .endm\n"

    "    .macro PRODUCT stride, tap, weight\n"
    "    .set windows, windows - 1\n"
    "    .if windows == 0\n"
    "    muls r1, \\weight\n"
    "    ADD_TO (column - \\tap) / \\stride, r1\n"
    "    .else\n"
    "    movs r6, \\weight\n"
    "    muls r6, r1\n"
    "    ADD_TO (column - \\tap) / \\stride, r6\n"
    "    .endif\n"
    "    .endm\n"

    // All products of the input in r1.
    "    .macro PRODUCTS stride, positions\n"
    "    .set windows, 0\n"
    "    IF_WINDOW \\stride, \\positions, 0, .set windows, windows + 1\n"
    "    IF_WINDOW \\stride, \\positions, 1, .set windows, windows + 1\n"
    "    IF_WINDOW \\stride, \\positions, 2, .set windows, windows + 1\n"
    "    IF_WINDOW \\stride, \\positions, 0, PRODUCT \\stride, 0, r2\n"
    "    IF_WINDOW \\stride, \\positions, 1, PRODUCT \\stride, 1, r3\n"
    "    IF_WINDOW \\stride, \\positions, 2, PRODUCT \\stride, 2, r4\n"
    "    .set column, column + 1\n"
    "    .endm\n"

    // flag: where the stack tells whether this column is inside; 0: it is, 1: it is not.
    "    .macro EDGE flag, advance\n"
    "    .if \\flag\n"
    "    ldr  r1, [sp, #28]\n"
    "    .endif\n"
    "    .if \\flag > 1\n"
    "    ldr  r6, [sp, #\\flag]\n"
    "    cmp  r6, #0\n"
    "    beq  2f\n"
    "    .endif\n"
    "    .if \\flag != 1\n"
    "    ldrsb r1, [r0, r5]\n"
    "    .if \\advance\n"
    "    adds r0, r0, r5\n"
    "    .endif\n"
    "    .endif\n"
    "2:\n"
    "    .endm\n"

    "    .macro ROWS stride, positions, left, right\n"
    "1:  ldrsb r2, [r7, r5]\n"
    "    adds r7, r7, r5\n"
    "    ldrsb r3, [r7, r5]\n"
    "    adds r7, r7, r5\n"
    "    ldrsb r4, [r7, r5]\n"
    "    adds r7, r7, r5\n"
    "    .set column, 0\n"
    "    EDGE \\left, 1\n"
    "    PRODUCTS \\stride, \\positions\n"
    "    .rept \\stride * (\\positions - 1) + 1\n"
    "    ldrsb r1, [r0, r5]\n"
    "    adds r0, r0, r5\n"
    "    PRODUCTS \\stride, \\positions\n"
    "    .endr\n"
    "    EDGE \\right, 0\n"
    "    PRODUCTS \\stride, \\positions\n"
    "    ldr  r6, [sp, #24]\n"
    "    adds r0, r0, r6\n"
    "    ldr  r6, [sp, #68]\n"
    "    cmp  r6, r7\n"
    "    bne  1b\n"
    "    ldr  r6, [sp, #80]\n"
    "    mov  pc, r6\n"
    "    .endm\n"

    // Sums to the stack; r7 output of the first position, r8 depth, r1 the channel.
    "    .macro STORE_SUMS\n"
    "    mov  r1, r8\n"
    "    mov  r2, r9\n"
    "    mov  r3, r10\n"
    "    mov  r4, r11\n"
    "    mov  r5, r12\n"
    "    mov  r6, lr\n"
    "    add  r7, sp, #88\n"
    "    stmia r7!, {r1-r6}\n"
    "    ldr  r7, [sp, #8]\n"
    "    mov  r8, r7\n"
    "    ldr  r7, [sp, #16]\n"
    "    adds r1, r7, #1\n"
    "    str  r1, [sp, #16]\n"
    "    ldr  r1, [sp, #84]\n"
    "    mov  r10, r1\n"
    "    ldr  r1, [sp, #4]\n"
    "    .endm\n"

    "    .macro NEXT_CHANNEL\n"
    "    ldr  r0, [sp, #4]\n"
    "    ldr  r1, [sp, #44]\n"
    "    cmp  r0, r1\n"
    "    beq  90f\n"
    "    b    10b\n"
    "    .endm\n"

    M0_FUNCTION("tflm_m0_segment_linear", "4")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r1, 60f\n"
    "    b    1f\n"
    M0_ENTRY("tflm_m0_segment_exact")
    M0_ENTER
    "    push {r4-r7}\n"
    "    adr  r1, 50f\n"
    "1:  sub  sp, #112\n"
    "    mov  r2, sp\n"
    "    ldmia r0!, {r3-r7}\n"
    "    stmia r2!, {r3-r7}\n"
    "    ldmia r0!, {r3-r7}\n"
    "    stmia r2!, {r3-r7}\n"
    "    ldmia r0!, {r3-r7}\n"
    "    stmia r2!, {r3-r7}\n"
    "    ldmia r0!, {r3, r4}\n"    // positions, kind
    "    adr  r5, 20f\n"
    "    lsls r4, r4, #1\n"
    "    ldrh r4, [r5, r4]\n"
    "    adds r4, r4, r5\n"
    "    str  r4, [sp, #72]\n"
    "    adr  r4, 12f\n"
    "    ldr  r5, [sp, #40]\n"
    "    cmp  r5, #0\n"
    "    beq  2f\n"
    "    adr  r4, 11f\n"
    "2:  str  r4, [sp, #76]\n"
    "    str  r1, [sp, #80]\n"
    "    lsls r3, r3, #2\n"
    "    add  r4, sp, #88\n"
    "    adds r4, r4, r3\n"
    "    str  r4, [sp, #84]\n"

    "10: mov  r1, sp\n"
    "    ldmia r1!, {r0, r4, r5, r7}\n"
    "    adds r2, r0, #1\n"
    "    str  r2, [sp]\n"
    "    adds r2, r7, #1\n"
    "    str  r2, [sp, #12]\n"
    "    ldr  r1, [sp, #20]\n"
    "    adds r1, r1, r7\n"
    "    str  r1, [sp, #68]\n"
    "    ldr  r4, [r4]\n"
    "    ldr  r1, [sp, #76]\n"
    "    mov  pc, r1\n"
    "    .balign 4\n"
    "11: ldr  r1, [sp, #40]\n"     // the row outside
    "    adds r1, r1, r7\n"
    "    ldrsb r2, [r1, r5]\n"
    "    adds r1, r1, r5\n"
    "    ldrsb r3, [r1, r5]\n"
    "    adds r2, r2, r3\n"
    "    adds r1, r1, r5\n"
    "    ldrsb r3, [r1, r5]\n"
    "    adds r2, r2, r3\n"
    "    ldr  r3, [sp, #28]\n"
    "    muls r2, r3\n"
    "    adds r4, r4, r2\n"
    "    .balign 4\n"
    "12: mov  r8, r4\n"
    "    mov  r9, r4\n"
    "    mov  r10, r4\n"
    "    mov  r11, r4\n"
    "    mov  r12, r4\n"
    "    mov  lr, r4\n"
    "    ldr  r1, [sp, #72]\n"
    "    mov  pc, r1\n"
    "    .balign 4\n"
    "20: .short 30f - 20b, 31f - 20b, 32f - 20b, 33f - 20b\n"
    "    .short 34f - 20b, 35f - 20b, 36f - 20b, 37f - 20b\n"

    "    .balign 4\n"
    "60: STORE_SUMS\n"
    "    LINEAR_LOAD 48\n"
    "    LINEAR_LEAST r9\n"
    "    str  r1, [sp, #4]\n"
    "    add  r1, sp, #88\n"
    "61: ldmia r1!, {r0}\n"
    "    LINEAR_WITHIN 1\n"
    "    strb r4, [r7]\n"
    "    add  r7, r8\n"
    "    cmp  r1, r10\n"
    "    bne  61b\n"
    "    NEXT_CHANNEL\n"
    "    LINEAR_BEYOND 1, r9\n"

    // r9 ml, r11 output.
    "    .balign 4\n"
    "50: STORE_SUMS\n"
    "    mov  r11, r7\n"
    "    EXACT_LOAD 48\n"
    "    mov  r9, r2\n"
    "    adds r1, #16\n"
    "    str  r1, [sp, #4]\n"
    "    ldr  r1, [sp, #52]\n"
    "    mov  r12, r1\n"
    "    ldr  r1, [sp, #56]\n"
    "    mov  lr, r1\n"
    "    add  r7, sp, #88\n"
    "51: ldmia r7!, {r0}\n"
    "    mov  r2, r9\n"
    "    EXACT_SCALE 1\n"
    "    mov  r1, r11\n"
    "    strb r4, [r1]\n"
    "    add  r11, r8\n"
    "    cmp  r7, r10\n"
    "    bne  51b\n"
    "    NEXT_CHANNEL\n"

    "90: add  sp, #112\n"
    "    pop  {r4-r7}\n"
    M0_LEAVE
    "    EXACT_CLAMP 1\n"
    "30: ROWS 1, 3, 1, 1\n"
    "31: ROWS 1, 5, 1, 1\n"
    "32: ROWS 1, 6, 1, 1\n"
    "33: ROWS 1, 6, 0, 0\n"
    "34: ROWS 1, 4, 32, 36\n"
    "35: ROWS 1, 6, 32, 36\n"
    "36: ROWS 2, 3, 32, 36\n"
    "37: ROWS 2, 6, 32, 36\n"
    "    .size tflm_m0_segment_linear, . - tflm_m0_segment_linear\n"
    "    .text\n");

#elif TFLM_ASSEMBLY == 0

// The sum of the window at a position of the segment.
static uint32_t sum_of(const tflm_m0_segment_t *segment, int32_t position, int32_t channel) {
    const int32_t stride = segment->kind < TFLM_M0_STRIDE2_3 ? 1 : 2;
    const int32_t last = stride * (segment->positions - 1) + 2;
    const int32_t depth = segment->depth;
    const int32_t row = segment->input_step + (last - 1 + segment->left) * depth;
    const int8_t *input = segment->input + segment->left * depth + channel;
    uint32_t sum = 0;
    for (int32_t at = 0, i = 0; at < segment->filter_span; at += 3 * depth, i++) {
        for (int32_t j = 0; j < 3; j++) {
            const int32_t column = position * stride + j;
            const int32_t is_inside =
                (column > 0 || segment->left) && (column < last || segment->right);
            const uint32_t value = is_inside ? (uint32_t)input[i * row + column * depth]
                                             : (uint32_t)segment->zero_point;
            sum += (uint32_t)segment->filter[at + (j + 1) * depth + channel] * value;
        }
    }
    for (int32_t j = 1; j <= 3 && segment->outside != 0; j++) {
        const int32_t weight = segment->filter[segment->outside + j * depth + channel];
        sum += (uint32_t)weight * (uint32_t)segment->zero_point;
    }
    return sum;
}

static void run(tflm_m0_form_t form, const tflm_m0_segment_t *segment) {
    const tflm_range_t range = {segment->rounding >> 1, segment->minimum, segment->maximum};
    const tflm_m0_channel_t *channel = segment->channels;
    for (int32_t c = 0; channel != segment->end; c++) {
        for (int32_t i = 0; i < segment->positions; i++) {
            const uint32_t sum = (uint32_t)channel->start + sum_of(segment, i, c);
            segment->output[i * segment->depth + c] =
                tflm_m0_output(form, sum, channel, &range);
        }
        channel = tflm_m0_channel_at(form, channel, 1);
    }
}

void tflm_m0_segment_exact(const tflm_m0_segment_t *segment) {
    run(TFLM_M0_EXACT, segment);
}

void tflm_m0_segment_linear(const tflm_m0_segment_t *segment) {
    run(TFLM_M0_LINEAR, segment);
}

#endif
