// Vectors of 16 bytes: what Armv8.1-M with the vector extension (MVE, "Helium") adds to C.
//
// Where the compiler has the extension, the types and functions are those of arm_mve.h, and the
// loops below are written out because the compiler does not make loops that predicate their own
// tail: `dlstp` sets how many elements are left, each turn of `letp` takes 16 bytes of them, and
// what lies behind the last one is neither read, written nor added. Elsewhere vectors_twin.h
// holds the same in plain C, so that the files of this folder can be tested on any machine.
#ifndef TFLM_VECTORS_H
#define TFLM_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "../common/requantize.h"
#include "../common/vector_bytes.h"

typedef struct {
    int32_t dot0, dot1, sum0, sum1;
} tflm_two_t;

// Dots of two vectors with two rows of weights, and the sums of these.
typedef struct {
    int32_t first[2], second[2], weights[2];
} tflm_square_t;

// Constants of sixteen channels. Number 4 * v + i belongs to channel 4 * i + v, the order in which
// vectors of products come out.
typedef struct {
    const int32_t *start, *multiplier, *shift;  // shifts are 0 or less
} tflm_sixteen_constants_t;

#if defined(__ARM_FEATURE_MVE)

#include <arm_mve.h>

// Whether each lane, taken as unsigned, is below the limit.
static inline int tflm_all_below(int32x4_t x, uint32_t limit) {
    return vcmpcsq_n_u32(vreinterpretq_u32_s32(x), limit) == 0;
}

// By halves: QEMU 7.2 takes the registers of `vmov q0[2], q0[0], r1, r0` the other way round.
static inline int32x4_t tflm_vector_of(int32_t x0, int32_t x1, int32_t x2, int32_t x3) {
    int32x4_t x;
    __asm__("vmov %e0, %1, %2\n\t"
            "vmov %f0, %3, %4"
            : "=&w" (x) : "r" (x0), "r" (x1), "r" (x2), "r" (x3));
    return x;
}

// Four bytes, saturated.
static inline void tflm_put_four(int8_t *to, int32x4_t x) {
    __asm__("vqmovnb.s32 %q0, %q0\n\tvqmovnb.s16 %q0, %q0" : "+w" (x));
    vstrbq_s32(to, x);
}

// start + the dots of count values with four rows of weights, `step` bytes from one to the next.
// Sums across a vector go to even registers only.
static inline int32x4_t tflm_dot_four(
    const int8_t *x, const int8_t *w0, int32_t step, int32_t count, int32x4_t start) {
    const int8_t *w1, *w2, *w3;
    int32_t s0, s1, s2, s3;
    __asm__("vmov %[s0], %[s1], %e[start]\n\t"
            "vmov %[s2], %[s3], %f[start]\n\t"
            "add %[w1], %[w0], %[step]\n\t"
            "add %[w2], %[w1], %[step]\n\t"
            "add %[w3], %[w2], %[step]\n\t"
            "dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[x]], #16\n\t"
            "vldrb.8 q1, [%[w0]], #16\n\t"
            "vmladava.s8 %[s0], q0, q1\n\t"
            "vldrb.8 q1, [%[w1]], #16\n\t"
            "vmladava.s8 %[s1], q0, q1\n\t"
            "vldrb.8 q1, [%[w2]], #16\n\t"
            "vmladava.s8 %[s2], q0, q1\n\t"
            "vldrb.8 q1, [%[w3]], #16\n\t"
            "vmladava.s8 %[s3], q0, q1\n\t"
            "letp lr, 1b"
            : [x] "+&r" (x), [w0] "+&r" (w0), [w1] "=&r" (w1), [w2] "=&r" (w2), [w3] "=&r" (w3),
            [s0] "=&Te" (s0), [s1] "=&Te" (s1), [s2] "=&Te" (s2), [s3] "=&Te" (s3)
            : [count] "r" (count), [step] "r" (step), [start] "w" (start)
            : "q0", "q1", "lr", "cc", "memory");
    return tflm_vector_of(s0, s1, s2, s3);
}

// Writes the dots of count values of int16. A load that widens takes its address from r0 to r7 only.
static inline void tflm_dot_four_s16(
    const int16_t *x, const int8_t *w0, int32_t step, int32_t count, int32_t dots[4]) {
    const int8_t *w1 = w0 + step, *w2 = w1 + step, *w3 = w2 + step;
    int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    __asm__("dlstp.16 lr, %[count]\n"
            "1:\n\t"
            "vldrh.16 q0, [%[x]], #16\n\t"
            "vldrb.s16 q1, [%[w0]], #8\n\t"
            "vmladava.s16 %[s0], q0, q1\n\t"
            "vldrb.s16 q1, [%[w1]], #8\n\t"
            "vmladava.s16 %[s1], q0, q1\n\t"
            "vldrb.s16 q1, [%[w2]], #8\n\t"
            "vmladava.s16 %[s2], q0, q1\n\t"
            "vldrb.s16 q1, [%[w3]], #8\n\t"
            "vmladava.s16 %[s3], q0, q1\n\t"
            "letp lr, 1b"
            : [x] "+r" (x), [w0] "+l" (w0), [w1] "+l" (w1), [w2] "+l" (w2), [w3] "+l" (w3),
            [s0] "+Te" (s0), [s1] "+Te" (s1), [s2] "+Te" (s2), [s3] "+Te" (s3)
            : [count] "r" (count) : "q0", "q1", "lr", "cc", "memory");
    dots[0] = s0;
    dots[1] = s1;
    dots[2] = s2;
    dots[3] = s3;
}

// Writes the dots of x, then of y, count values of int16 each, with two rows of weights.
static inline void tflm_dot_square_s16(const int16_t *x, const int16_t *y, const int8_t *w0,
    int32_t step, int32_t count, int32_t dots[4]) {
    const int8_t *w1 = w0 + step;
    int32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    __asm__("dlstp.16 lr, %[count]\n"
            "1:\n\t"
            "vldrh.16 q0, [%[x]], #16\n\t"
            "vldrh.16 q1, [%[y]], #16\n\t"
            "vldrb.s16 q2, [%[w0]], #8\n\t"
            "vmladava.s16 %[x0], q0, q2\n\t"
            "vmladava.s16 %[y0], q1, q2\n\t"
            "vldrb.s16 q2, [%[w1]], #8\n\t"
            "vmladava.s16 %[x1], q0, q2\n\t"
            "vmladava.s16 %[y1], q1, q2\n\t"
            "letp lr, 1b"
            : [x] "+r" (x), [y] "+r" (y), [w0] "+l" (w0), [w1] "+l" (w1),
            [x0] "+Te" (x0), [x1] "+Te" (x1), [y0] "+Te" (y0), [y1] "+Te" (y1)
            : [count] "r" (count) : "q0", "q1", "q2", "lr", "cc", "memory");
    dots[0] = x0;
    dots[1] = x1;
    dots[2] = y0;
    dots[3] = y1;
}

#define TFLM_DOT_FOURS \
    "2:\n\t" \
    "ldrd %[s0], %[s1], [%[words]]\n\t" \
    "ldrd %[s2], %[s3], [%[words], #8]\n\t" \
    "dlstp.8 lr, %[taps]\n" \
    "1:\n\t" \
    "vldrb.8 q0, [%[x]], #16\n\t" \
    "vldrb.8 q1, [%[w0]], #16\n\t" \
    "vmladava.s8 %[s0], q0, q1\n\t" \
    "vldrb.8 q1, [%[w1]], #16\n\t" \
    "vmladava.s8 %[s1], q0, q1\n\t" \
    "vldrb.8 q1, [%[w2]], #16\n\t" \
    "vmladava.s8 %[s2], q0, q1\n\t" \
    "vldrb.8 q1, [%[w3]], #16\n\t" \
    "vmladava.s8 %[s3], q0, q1\n\t" \
    "letp lr, 1b\n\t" \
    "vmov d0, %[s0], %[s1]\n\t" \
    "vmov d1, %[s2], %[s3]\n\t" \
    "ldrd %[s0], %[s1], %[ways]\n\t" \
    "add %[x], %[s0]\n\t" \
    "add %[w0], %[s1]\n\t" \
    "add %[w1], %[s1]\n\t" \
    "add %[w2], %[s1]\n\t" \
    "add %[w3], %[s1]\n\t" \
    "vldrw.32 q1, [%[words], #16]\n\t" \
    "vqrdmulh.s32 q0, q0, q1\n\t" \
    "vldrw.32 q1, [%[words], #32]\n\t"
#define TFLM_NEXT_FOURS \
    "vstrb.32 q0, [%[output]], #4\n\t" \
    "adds %[words], #48\n\t" \
    "ldr %[s0], %[fours]\n\t" \
    "subs %[s0], #1\n\t" \
    "str %[s0], %[fours]\n\t" \
    "bne 2b"
#define TFLM_DOT_FOURS_OPERANDS \
    : [x] "+&r" (x), [w0] "+&r" (w0), [w1] "+&r" (w1), [w2] "+&r" (w2), [w3] "+&r" (w3), \
    [s0] "=&Te" (s0), [s1] "=&Te" (s1), [s2] "=&Te" (s2), [s3] "=&Te" (s3), \
    [words] "+&r" (words), [output] "+&r" (output), [fours] "+m" (fours) \
    : [taps] "r" (taps), [ways] "m" (ways), [offset] "w" (offset), \
    [minimum] "w" (minimum), [maximum] "w" (maximum) \
    : "q0", "q1", "q2", "lr", "cc", "memory"

// In bytes: the steps to the window's start and to the next filters.
typedef struct {
    int32_t back, on;
} tflm_ways_t;

static inline tflm_ways_t tflm_ways(int32_t taps) {
    const int32_t read = (taps + 15) & ~15;
    return (tflm_ways_t) {-read, 4 * taps - read};
}

// All outputs of one window: x, `taps` values; the filters of 4 * fours channels, one after
// another; words: starts, multipliers and shifts of four channels, then of the next four. Shifts
// are 0 or less. Too few registers: the steps to the window's start and to the next filters
// lie in memory, as does what is left of `fours`.
static inline void tflm_dot_fours(const int8_t *x, const int8_t *w0, int32_t taps,
    const int32_t *words, int32_t fours, int8_t *output, tflm_range_t range) {
    const tflm_ways_t ways = tflm_ways(taps);
    const int8_t *w1 = w0 + taps, *w2 = w1 + taps, *w3 = w2 + taps;
    const int32x4_t offset = vdupq_n_s32(range.offset);
    const int32x4_t minimum = vdupq_n_s32(range.minimum), maximum = vdupq_n_s32(range.maximum);
    int32_t s0, s1, s2, s3;
    __asm__ volatile(TFLM_DOT_FOURS
        "vand q2, q0, q1\n\tvshr.s32 q2, q2, #31\n\tvqadd.s32 q0, q0, q2\n\t"
        "vrshl.s32 q0, q0, q1\n\tvadd.i32 q0, q0, %q[offset]\n\t"
        "vmax.s32 q0, q0, %q[minimum]\n\tvmin.s32 q0, q0, %q[maximum]\n\t"
        TFLM_NEXT_FOURS TFLM_DOT_FOURS_OPERANDS);
}

// The same with a simple range, see tflm_range_is_simple.
static inline void tflm_dot_fours_simply(const int8_t *x, const int8_t *w0, int32_t taps,
    const int32_t *words, int32_t fours, int8_t *output) {
    const tflm_ways_t ways = tflm_ways(taps);
    const int8_t *w1 = w0 + taps, *w2 = w1 + taps, *w3 = w2 + taps;
    const int32x4_t offset = vdupq_n_s32(INT8_MIN), minimum = offset, maximum = offset;
    int32_t s0, s1, s2, s3;
    __asm__ volatile(TFLM_DOT_FOURS
        "vrshl.s32 q0, q0, q1\n\tvadd.i32 q0, q0, %q[offset]\n\t"
        "vqmovnb.s32 q0, q0\n\tvqmovnb.s16 q0, q0\n\t"
        TFLM_NEXT_FOURS TFLM_DOT_FOURS_OPERANDS);
}

// The dots of count values with two rows of weights, `step` bytes apart, and the sums of these.
static inline tflm_two_t tflm_dot_two(
    const int8_t *x, const int8_t *w0, int32_t step, int32_t count) {
    const int8_t *w1 = w0 + step;
    tflm_two_t two = {0, 0, 0, 0};
    __asm__("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[x]], #16\n\t"
            "vldrb.8 q1, [%[w0]], #16\n\t"
            "vmladava.s8 %[d0], q0, q1\n\t"
            "vaddva.s8 %[s0], q1\n\t"
            "vldrb.8 q1, [%[w1]], #16\n\t"
            "vmladava.s8 %[d1], q0, q1\n\t"
            "vaddva.s8 %[s1], q1\n\t"
            "letp lr, 1b"
            : [x] "+r" (x), [w0] "+r" (w0), [w1] "+r" (w1), [d0] "+Te" (two.dot0),
            [d1] "+Te" (two.dot1), [s0] "+Te" (two.sum0), [s1] "+Te" (two.sum1)
            : [count] "r" (count) : "q0", "q1", "lr", "cc", "memory");
    return two;
}

// Adds the dots of x and y, count values each, with two rows of weights, and the sums of these.
static inline void tflm_add_square(const int8_t *x, const int8_t *y, const int8_t *w0,
    const int8_t *w1, int32_t count, tflm_square_t *square) {
    __asm__("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[x]], #16\n\t"
            "vldrb.8 q1, [%[y]], #16\n\t"
            "vldrb.8 q2, [%[w0]], #16\n\t"
            "vmladava.s8 %[x0], q0, q2\n\t"
            "vmladava.s8 %[y0], q1, q2\n\t"
            "vaddva.s8 %[s0], q2\n\t"
            "vldrb.8 q2, [%[w1]], #16\n\t"
            "vmladava.s8 %[x1], q0, q2\n\t"
            "vmladava.s8 %[y1], q1, q2\n\t"
            "vaddva.s8 %[s1], q2\n\t"
            "letp lr, 1b"
            : [x] "+r" (x), [y] "+r" (y), [w0] "+r" (w0), [w1] "+r" (w1),
            [x0] "+Te" (square->first[0]), [x1] "+Te" (square->first[1]),
            [y0] "+Te" (square->second[0]), [y1] "+Te" (square->second[1]),
            [s0] "+Te" (square->weights[0]), [s1] "+Te" (square->weights[1])
            : [count] "r" (count) : "q0", "q1", "q2", "lr", "cc", "memory");
}

// The dot of count values with one row of weights.
static inline uint32_t tflm_dot_one(const int8_t *x, const int8_t *w, int32_t count) {
    int32_t sum = 0;
    __asm__("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[x]], #16\n\t"
            "vldrb.8 q1, [%[w]], #16\n\t"
            "vmladava.s8 %[sum], q0, q1\n\t"
            "letp lr, 1b"
            : [x] "+r" (x), [w] "+r" (w), [sum] "+Te" (sum)
            : [count] "r" (count) : "q0", "q1", "lr", "cc", "memory");
    return (uint32_t)sum;
}

// The sum of count values.
static inline uint32_t tflm_sum(const int8_t *values, int32_t count) {
    int32_t sum = 0;
    __asm__("dlstp.8 lr, %[count]\n"
            "1:\n\t"
            "vldrb.8 q0, [%[values]], #16\n\t"
            "vaddva.s8 %[sum], q0\n\t"
            "letp lr, 1b"
            : [values] "+r" (values), [sum] "+Te" (sum)
            : [count] "r" (count) : "q0", "lr", "cc", "memory");
    return (uint32_t)sum;
}

// The largest of count words, or 0.
static inline int32_t tflm_largest(const int32_t *words, int32_t count) {
    int32_t largest = 0;
    __asm__("dlstp.32 lr, %[count]\n"
            "1:\n\t"
            "vldrw.32 q0, [%[words]], #16\n\t"
            "vmaxv.s32 %[largest], q0\n\t"
            "letp lr, 1b"
            : [words] "+r" (words), [largest] "+r" (largest)
            : [count] "r" (count) : "q0", "lr", "cc", "memory");
    return largest;
}

// Words that lie `places` bytes from the first; 0 in lanes that are not used.
static inline int32x4_t tflm_gather_words(
    const void *first, int32x4_t places, mve_pred16_t used) {
    return vldrwq_gather_offset_z_s32(first, vreinterpretq_u32_s32(places), used);
}

// Sixteen sums, of which lane i of of[v] belongs to channel 4 * i + v.
typedef struct {
    int32x4_t of[4];
} tflm_sixteen_t;

#define TFLM_SCALE(sum, at) \
    "vldrw.32 q4, [%[multiplier], #" #at "]\n\tvqrdmulh.s32 " sum ", " sum ", q4\n\t" \
    "vldrw.32 q4, [%[shift], #" #at "]\n\tvand q5, " sum ", q4\n\tvshr.s32 q5, q5, #31\n\t" \
    "vqadd.s32 " sum ", " sum ", q5\n\tvrshl.s32 " sum ", " sum ", q4\n\t" \
    "vadd.i32 " sum ", " sum ", %[offset]\n\t"

// Requantises sixteen sums, as tflm_scale_four does, into the order of their channels.
static inline __attribute__((always_inline)) int8x16_t tflm_finish_sixteen(
    tflm_sixteen_t sums, const tflm_sixteen_constants_t *constants, tflm_range_t range) {
    register int32x4_t s0 __asm__("q0") = sums.of[0];
    register int32x4_t s1 __asm__("q1") = sums.of[1];
    register int32x4_t s2 __asm__("q2") = sums.of[2];
    register int32x4_t s3 __asm__("q3") = sums.of[3];
    __asm__(TFLM_SCALE("q0", 0) TFLM_SCALE("q1", 16) TFLM_SCALE("q2", 32) TFLM_SCALE("q3", 48)
        "vqmovnb.s32 q0, q0\n\tvqmovnt.s32 q0, q2\n\t"
        "vqmovnb.s32 q1, q1\n\tvqmovnt.s32 q1, q3\n\t"
        "vqmovnb.s16 q0, q0\n\tvqmovnt.s16 q0, q1\n\t"
        "vdup.8 q4, %[minimum]\n\tvmax.s8 q0, q0, q4\n\t"
        "vdup.8 q4, %[maximum]\n\tvmin.s8 q0, q0, q4"
        : "+w" (s0), "+w" (s1), "+w" (s2), "+w" (s3)
        : [multiplier] "r" (constants->multiplier), [shift] "r" (constants->shift),
        [offset] "r" (range.offset), [minimum] "r" (range.minimum),
        [maximum] "r" (range.maximum)
        : "q4", "q5", "memory");
    return vreinterpretq_s8_s32(s0);
}

#else
#include "vectors_twin.h"
#endif

#endif
