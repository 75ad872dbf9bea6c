// Windows of few taps: weights stay in registers while windows side by side go by. The loops are
// written out; windows_twin.h holds the same in plain C.
#ifndef TFLM_MVE_WINDOWS_H
#define TFLM_MVE_WINDOWS_H

#include "requantize_lanes.h"

// Columns of sixteen channels: for each channel a word of four bytes, one of a row each.
enum { TFLM_COLUMN = 64, TFLM_COLUMN_ROWS = 3, TFLM_WINDOW_COLUMNS = 4 };

// Three rows of the same place in an image; one outside it has a step of 0.
typedef struct {
    const int8_t *at[TFLM_COLUMN_ROWS];
    int32_t step[TFLM_COLUMN_ROWS];  // bytes from one column to the next
} tflm_triple_t;

// Windows side by side and the channels that they are multiplied with, four at a time.
typedef struct {
    const int8_t *taps;     // columns of weights, TFLM_WINDOW_COLUMNS of them
    const int8_t *windows;
    // 0: each channel has windows of its own, in columns; else the bytes from one window, of
    // sixteen bytes, to the next.
    int32_t across;
    const int32_t *lanes;   // in columns: where those of the first window lie
    int32_t is_in_order;    // constants have the order of tflm_sixteen_constants_t
    tflm_range_t range;
    int32_t count;          // windows
    int32_t step;           // bytes from a window's outputs to the next one's
} tflm_work_t;

// Channels of such work, four times `fours`: from number `first` of those in columns on.
typedef struct {
    int32_t first, fours;
    tflm_lanes_t words;     // of the first one; shifts are 0 or less
    int8_t *output;         // of the first one
} tflm_fours_t;

// Whether outputs that are shifted to the right need no care for ties of negative numbers, as all
// of these become the minimum, and no clamp but to int8.
static inline int32_t tflm_range_is_simple(tflm_range_t range) {
    return range.offset == INT8_MIN && range.minimum == INT8_MIN && range.maximum == INT8_MAX;
}

#if defined(__ARM_FEATURE_MVE)

// Writes `count` columns of at most sixteen channels, TFLM_COLUMN bytes each: of every channel the
// bytes of the three rows, `skip` behind where these begin unless their step is 0, and a 0.
// Channels from `lanes` on are not read.
#define TFLM_INTERLEAVE(pst, t) \
    "dls lr, %[count]\n1:\n\t" pst "vldrb" t ".8 q0, [%[x0]]\n\tvldrb" t ".8 q1, [%[x1]]\n\t" \
    "vldrb" t ".8 q2, [%[x2]]\n\t" \
    "add %[x0], %[step0]\n\tadd %[x1], %[step1]\n\tadd %[x2], %[step2]\n\t" \
    "vst40.8 {q0, q1, q2, q3}, [%[to]]\n\tvst41.8 {q0, q1, q2, q3}, [%[to]]\n\t" \
    "vst42.8 {q0, q1, q2, q3}, [%[to]]\n\tvst43.8 {q0, q1, q2, q3}, [%[to]]!\n\tle lr, 1b"
#define TFLM_INTERLEAVE_OPERANDS \
    : [to] "+r" (to), [x0] "+r" (x0), [x1] "+r" (x1), [x2] "+r" (x2) \
    : [step0] "r" (rows->step[0]), [step1] "r" (rows->step[1]), [step2] "r" (rows->step[2]), \
    [count] "r" (count), [lanes] "r" (lanes) \
    : "q0", "q1", "q2", "q3", "lr", "p0", "memory"
static __attribute__((noinline, unused)) void tflm_interleave(
    int8_t *to, const tflm_triple_t *rows, int32_t skip, int32_t count, int32_t lanes) {
    const int8_t *x0 = rows->at[0] + (rows->step[0] != 0 ? skip : 0);
    const int8_t *x1 = rows->at[1] + (rows->step[1] != 0 ? skip : 0);
    const int8_t *x2 = rows->at[2] + (rows->step[2] != 0 ? skip : 0);
    if (lanes == 16) {
        __asm__ volatile("vmov.i32 q3, #0\n\t" TFLM_INTERLEAVE("", "") TFLM_INTERLEAVE_OPERANDS);
    } else {
        __asm__ volatile("vmov.i32 q3, #0\n\tvctp.8 %[lanes]\n\t"
            TFLM_INTERLEAVE("vpsttt\n\t", "t") TFLM_INTERLEAVE_OPERANDS);
    }
}

// Where the words of a window's columns lie in columns one after another.
static const int32_t TFLM_APART[] = {0, TFLM_COLUMN, 2 * TFLM_COLUMN, 3 * TFLM_COLUMN};

// What the loop keeps in memory.
typedef struct {
    int32x4_t start;
    int32x4_t first_weights;  // of the register that a clamp takes
    int32_t minimum, maximum;
    int8_t *output;
    int32_t count;
    tflm_lanes_t words;
    int32_t on;         // bytes from a word to that of the fourth channel from there
    int32x4_t taps;     // addresses, 16 bytes early
    int32x4_t windows;  // addresses, a column and 16 bytes early
    int32x4_t places;   // bytes from the word of the first of four channels to each
    int32_t fours;
    int32x4_t first_taps_at, first_windows;  // taps and windows of channel 0
} tflm_walk_t;

_Static_assert(offsetof(tflm_walk_t, first_weights) == 16
    && offsetof(tflm_walk_t, minimum) == 32 && offsetof(tflm_walk_t, output) == 40
    && offsetof(tflm_walk_t, words) == 48 && offsetof(tflm_walk_t, taps) == 64
    && offsetof(tflm_walk_t, windows) == 80 && offsetof(tflm_walk_t, places) == 96
    && offsetof(tflm_walk_t, fours) == 112, "what the assembly loads");

// q0 is a window, then the sums, then the outputs; q2, q3 multipliers and shifts; q4 to q7 weights.
// Sums across a vector go to even registers only.
#define TFLM_FOUR_CHANNELS \
    "2:\n\tvldrw.32 q1, [%[of], #64]\n\tvldrw.32 q4, [q1, #16]!\n\tvldrw.32 q5, [q1, #4]\n\t" \
    "vldrw.32 q6, [q1, #8]\n\tvldrw.32 q7, [q1, #12]\n\tvstrw.32 q1, [%[of], #64]\n\t" \
    "vldrw.32 q1, [%[of], #96]\n\t" \
    "ldrd %[s0], %[s1], [%[of], #48]\n\tldrd %[s2], %[s3], [%[of], #56]\n\t" \
    "vldrw.32 q0, [%[s0], q1]\n\tvldrw.32 q2, [%[s1], q1]\n\tvldrw.32 q3, [%[s2], q1]\n\t" \
    "vstrw.32 q0, [%[of]]\n\tadd %[s0], %[s3]\n\tadd %[s1], %[s3]\n\tadd %[s2], %[s3]\n\t" \
    "strd %[s0], %[s1], [%[of], #48]\n\tstr %[s2], [%[of], #56]\n\t" \
    "ldrd %[to], %[s0], [%[of], #40]\n\tadd %[s1], %[to], #4\n\tstr %[s1], [%[of], #40]\n\t"
// The load is for the sum of address and 16 only.
#define TFLM_FIRST_IN_COLUMNS \
    "vldrw.32 q1, [%[of], #80]\n\tvldrw.32 q0, [q1, #16]!\n\tvstrw.32 q1, [%[of], #80]\n\t"
#define TFLM_FIRST_SIDE_BY_SIDE "ldr %[from], [%[of], #80]\n\t"
#define TFLM_SUMS(load0, load1, load2, load3) \
    "dls lr, %[s0]\n1:\n\t" \
    "ldrd %[s0], %[s1], [%[of]]\n\tldrd %[s2], %[s3], [%[of], #8]\n\t" \
    load0 "vmladava.s8 %[s0], q0, q4\n\t" load1 "vmladava.s8 %[s1], q0, q5\n\t" \
    load2 "vmladava.s8 %[s2], q0, q6\n\t" load3 "vmladava.s8 %[s3], q0, q7\n\t" \
    "vmov d0, %[s0], %[s1]\n\tvmov d1, %[s2], %[s3]\n\tvqrdmulh.s32 q0, q0, q2\n\t"
#define TFLM_IN_COLUMNS \
    TFLM_SUMS("vldrw.32 q0, [q1, #64]!\n\t", "vldrw.32 q0, [q1, #4]\n\t", \
        "vldrw.32 q0, [q1, #8]\n\t", "vldrw.32 q0, [q1, #12]\n\t")
#define TFLM_SIDE_BY_SIDE \
    TFLM_SUMS("vldrb.8 q0, [%[from]]\n\tadd %[from], %[across]\n\t", "", "", "")
// As tflm_scale_four.
#define TFLM_KEEP "vstrw.32 q4, [%[of], #16]\n\t"
#define TFLM_FIX "vand q4, q0, q3\n\tvshr.s32 q4, q4, #31\n\tvqadd.s32 q0, q0, q4\n\t"
#define TFLM_ROUND \
    "vrshl.s32 q0, q0, q3\n\tvadd.i32 q0, q0, %[offset]\n\t" \
    "vqmovnb.s32 q0, q0\n\tvqmovnb.s16 q0, q0\n\t"
#define TFLM_CLAMP \
    "ldrd %[s0], %[s1], [%[of], #32]\n\tvdup.8 q4, %[s0]\n\tvmax.s8 q0, q0, q4\n\t" \
    "vdup.8 q4, %[s1]\n\tvmin.s8 q0, q0, q4\n\tvldrw.32 q4, [%[of], #16]\n\t"
#define TFLM_STORE \
    "vstrb.32 q0, [%[to]]\n\tadd %[to], %[step]\n\tle lr, 1b\n\t"
#define TFLM_NEXT_CHANNELS \
    "ldr %[s0], [%[of], #112]\n\tsubs %[s0], #1\n\tstr %[s0], [%[of], #112]\n\tbne 2b"
#define TFLM_SIMPLE(first, windows) \
    __asm__ volatile(TFLM_FOUR_CHANNELS first windows TFLM_ROUND TFLM_STORE TFLM_NEXT_CHANNELS \
        TFLM_OPERANDS)
#define TFLM_CAREFUL(first, windows) \
    __asm__ volatile(TFLM_FOUR_CHANNELS TFLM_KEEP first windows TFLM_FIX TFLM_ROUND TFLM_CLAMP \
        TFLM_STORE TFLM_NEXT_CHANNELS TFLM_OPERANDS)
#define TFLM_OPERANDS \
    : [walk] "+m" (*walk), [to] "=&l" (to), [from] "=&r" (from), [s0] "=&Te" (s0), \
    [s1] "=&Te" (s1), [s2] "=&Te" (s2), [s3] "=&Te" (s3) \
    : [of] "r" (walk), [offset] "r" (work->range.offset), [step] "r" (work->step), \
    [across] "r" (work->across) \
    : "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "lr", "cc", "memory"

static inline tflm_walk_t tflm_walk(const tflm_work_t *work) {
    const int32x4_t apart = vldrwq_s32(TFLM_APART);
    tflm_walk_t walk;
    walk.minimum = work->range.minimum;
    walk.maximum = work->range.maximum;
    walk.count = work->count;
    walk.on = work->is_in_order ? 4 : 16;
    walk.places = work->is_in_order ? vshrq_n_s32(apart, 2) : vshrq_n_s32(apart, 4);
    walk.first_taps_at = vaddq_n_s32(apart, (int32_t)(intptr_t)work->taps - 16);
    walk.windows = vdupq_n_s32((int32_t)(intptr_t)work->windows);
    if (work->across == 0) {
        walk.first_windows =
            vaddq_n_s32(vaddq_s32(walk.windows, vldrwq_s32(work->lanes)), -TFLM_COLUMN - 16);
    }
    return walk;
}

static inline void tflm_begin_part(tflm_walk_t *walk, const tflm_fours_t *part) {
    walk->output = part->output;
    walk->words = part->words;
    walk->fours = part->fours;
    walk->taps = vaddq_n_s32(walk->first_taps_at, 4 * part->first);
}

// Writes the outputs of channels that have windows of their own.
static inline void tflm_run_columns(
    tflm_walk_t *walk, const tflm_work_t *work, const tflm_fours_t *part) {
    int8_t *to;
    const int8_t *from;
    int32_t s0, s1, s2, s3;
    tflm_begin_part(walk, part);
    walk->windows = vaddq_n_s32(walk->first_windows, 4 * part->first);
    if (tflm_range_is_simple(work->range)) {
        TFLM_SIMPLE(TFLM_FIRST_IN_COLUMNS, TFLM_IN_COLUMNS);
    } else {
        TFLM_CAREFUL(TFLM_FIRST_IN_COLUMNS, TFLM_IN_COLUMNS);
    }
}

// Writes the outputs of channels that all have the same windows, side by side. For simple ranges.
static inline void tflm_run_side_by_side(
    tflm_walk_t *walk, const tflm_work_t *work, const tflm_fours_t *part) {
    int8_t *to;
    const int8_t *from;
    int32_t s0, s1, s2, s3;
    tflm_begin_part(walk, part);
    TFLM_SIMPLE(TFLM_FIRST_SIDE_BY_SIDE, TFLM_SIDE_BY_SIDE);
}

// Writes the outputs of four channels of `count` windows of `taps` bytes, sixteen at most, the
// first at `from` and `across` bytes from one to the next. weights: those of four channels one
// after another; shifts are 0 or less, the range is simple.
static inline void tflm_run_short(const int8_t *from, int32_t across, int32_t count,
    const int8_t *weights, int32_t taps, tflm_lanes_t words, int8_t *output, int32_t step) {
    const mve_pred16_t used = vctp8q((uint32_t)taps);
    register int32x4_t multiplier __asm__("q2") = vldrwq_s32(words.multiplier);
    register int32x4_t shift __asm__("q3") = vldrwq_s32(words.shift);
    register int8x16_t w0 __asm__("q4") = vldrbq_z_s8(weights, used);
    register int8x16_t w1 __asm__("q5") = vldrbq_z_s8(weights + taps, used);
    register int8x16_t w2 __asm__("q6") = vldrbq_z_s8(weights + 2 * taps, used);
    register int8x16_t w3 __asm__("q7") = vldrbq_z_s8(weights + 3 * taps, used);
    int32_t s0 = count, s1, s2, s3;
    __asm__ volatile("vctp.8 %[taps]\n\t"
        TFLM_SUMS("vpst\n\tvldrbt.8 q0, [%[from]]\n\tadd %[from], %[across]\n\t", "", "", "")
        TFLM_ROUND TFLM_STORE
        : [to] "+l" (output), [from] "+r" (from), [s0] "+Te" (s0), [s1] "=&Te" (s1),
        [s2] "=&Te" (s2), [s3] "=&Te" (s3)
        : [of] "r" (words.start), "w" (multiplier), "w" (shift), "w" (w0), "w" (w1), "w" (w2),
        "w" (w3), [offset] "r" (INT8_MIN), [step] "r" (step), [across] "r" (across),
        [taps] "r" (taps)
        : "q0", "lr", "p0", "memory");
}

// Two channels of one window of two vectors.
#define TFLM_TWO_SUMS(sum0, sum1) \
    "vldrb.8 q0, [%[from]], #16\n\t" \
    "vmladava.s8 " sum0 ", q0, q4\n\tvmladava.s8 " sum1 ", q0, q6\n\t" \
    "vpst\n\tvldrbt.8 q0, [%[from]]\n\tadd %[from], %[across]\n\t" \
    "vmladava.s8 " sum0 ", q0, q5\n\tvmladava.s8 " sum1 ", q0, q7\n\t"

// The same for two channels, 17 to 32 taps and at least two windows. The last window of an odd
// count is paired with the one before, which runs twice.
static inline void tflm_run_pairs(const int8_t *from, int32_t across, int32_t count,
    const int8_t *weights, int32_t taps, tflm_lanes_t words, int8_t *output, int32_t step) {
    const mve_pred16_t rest = vctp8q((uint32_t)taps - 16);
    const int32_t *m = words.multiplier, *s = words.shift;
    register int32x4_t places __asm__("q1") = tflm_vector_of(0, 1, step, step + 1);
    register int32x4_t multiplier __asm__("q2") = tflm_vector_of(m[0], m[1], m[0], m[1]);
    register int32x4_t shift __asm__("q3") = tflm_vector_of(s[0], s[1], s[0], s[1]);
    register int8x16_t w0 __asm__("q4") = vldrbq_s8(weights);
    register int8x16_t w1 __asm__("q5") = vldrbq_z_s8(weights + 16, rest);
    register int8x16_t w2 __asm__("q6") = vldrbq_s8(weights + taps);
    register int8x16_t w3 __asm__("q7") = vldrbq_z_s8(weights + taps + 16, rest);
    int32_t done = 0;
    while (done < count) {
        const int32_t first = done + 2 <= count ? done : count - 2;
        const int8_t *at = from + first * across;
        int8_t *to = output + first * step;
        int32_t s0 = (count - first) / 2, s1, s2, s3;
        done = first + 2 * s0;
        __asm__ volatile("vctp.8 %[rest]\n\tdls lr, %[s0]\n1:\n\t"
            "ldrd %[s0], %[s1], [%[of]]\n\tldrd %[s2], %[s3], [%[of]]\n\t"
            TFLM_TWO_SUMS("%[s0]", "%[s1]") TFLM_TWO_SUMS("%[s2]", "%[s3]")
            "vmov d0, %[s0], %[s1]\n\tvmov d1, %[s2], %[s3]\n\tvqrdmulh.s32 q0, q0, q2\n\t"
            TFLM_ROUND "vstrb.32 q0, [%[to], q1]\n\tadd %[to], %[step]\n\tle lr, 1b"
            : [to] "+l" (to), [from] "+r" (at), [s0] "+Te" (s0), [s1] "=&Te" (s1),
            [s2] "=&Te" (s2), [s3] "=&Te" (s3)
            : [of] "r" (words.start), "w" (places), "w" (multiplier), "w" (shift), "w" (w0),
            "w" (w1), "w" (w2), "w" (w3), [offset] "r" (INT8_MIN), [step] "r" (2 * step),
            [across] "r" (across - 16), [rest] "r" (taps - 16)
            : "q0", "lr", "p0", "memory");
    }
}

#else
#include "windows_twin.h"
#endif

#endif
