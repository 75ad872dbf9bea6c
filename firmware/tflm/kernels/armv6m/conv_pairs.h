// Two windows at a time, or four, against all filters: the inner loop of the convolutions.
//
// A window pair is one word for each tap, a0 + a1 * 2^16 with a = input + 1 at both positions
// (integers: the high half is one less where a0 is negative). One product w * word then holds
// w * a0 and w * a1. As -127 <= a <= 128, the products of two taps, added, lie within
// +-(2^15 - 1), unless both weights are -128: t = l + h * 2^16 fits 32 bits, and h - 1 fits 16.
// An arithmetic shift of t by 16 gives h - (l < 0), and l < 0 is the bit that it shifts out last:
// adding the shifted word with carry adds h. The sum of all t modulo 2^32 then yields the sum of
// all l, as that of all h is known. An odd tap comes first, without a partner.
// Sums of w * (x + input_offset) are made of sums of w * (x + 1) by the channel's start, which
// holds (input_offset - 1) times the sum of the filter. Taps outside the image: input is the zero
// point.
//
// Four windows are two pairs, and each weight is loaded once for both. As no register is left for
// a zero that ADCS would add, 2^15 goes to each t before the shift: h comes out without the carry.
#ifndef TFLM_ARMV6M_CONV_PAIRS_H
#define TFLM_ARMV6M_CONV_PAIRS_H

#include <stdbool.h>

#include "../common/split.h"
#include "core.h"
#include "finish.h"

#define TFLM_M0_HAS_QUADS (TFLM_ASSEMBLY != 7)

typedef struct {
    const int8_t *filter;  // the first channel's first tap
    const tflm_m0_channel_t *channels;
    int8_t *output;  // of the first position and channel; channels lie side by side
    int32_t second;  // bytes to the second position's output; 0: there is only one position
    const uint32_t *window;
    int32_t channel_step;  // bytes from a channel's first tap to the next channel's
    int32_t tap_step;      // bytes from a tap to the channel's next
    const tflm_m0_channel_t *end;
    int32_t rounding;  // 2 * output_offset + 1
    int32_t taps;      // at least 1
    int32_t minimum;
    int32_t maximum;
    // Of the third and fourth position, whose outputs follow those of the second as that does the
    // first's; NULL: there are none.
    const uint32_t *more;
} tflm_m0_pairs_t;

// Write the outputs of all channels (at least one) at both positions.
void tflm_m0_pairs_plain(const tflm_m0_pairs_t *job);
void tflm_m0_pairs_exact(const tflm_m0_pairs_t *job);
void tflm_m0_pairs_linear(const tflm_m0_pairs_t *job);

// The same at four positions. Not on a Cortex-M3.
void tflm_m0_quads_exact(const tflm_m0_pairs_t *job);
void tflm_m0_quads_linear(const tflm_m0_pairs_t *job);

// The same, faster, where a halfword holds two taps: tflm_m0_is_even(). Only on a Cortex-M0.
void tflm_m0_even_exact(const tflm_m0_pairs_t *job);
void tflm_m0_even_linear(const tflm_m0_pairs_t *job);

// tap_step is 1 only if the channels' taps follow each other, or there is one channel.
static inline bool tflm_m0_is_even(const tflm_m0_pairs_t *job) {
    return TFLM_ASSEMBLY == 6 && job->tap_step == 1
        && (((uint32_t)job->taps | (uintptr_t)job->filter) & 1) == 0;
}

enum { TFLM_M0_QUAD_TAPS = 288 };  // at most; the third and fourth window take as many words of stack

static inline int32_t tflm_m0_has_quads(tflm_m0_form_t form, int32_t taps) {
    return TFLM_M0_HAS_QUADS && taps <= TFLM_M0_QUAD_TAPS && form != TFLM_M0_PLAIN;
}

// How many of `left` positions run at once: 4, 2 or 1.
static inline int32_t tflm_m0_at_once(int32_t has_quads, int32_t left) {
    return left >= 4 && has_quads ? 4 : left >= 2 ? 2 : 1;
}

static inline void tflm_m0_pairs(tflm_m0_form_t form, const tflm_m0_pairs_t *job) {
#if TFLM_M0_HAS_QUADS
    if (job->more != NULL && tflm_m0_is_even(job)) {
        (form == TFLM_M0_LINEAR ? tflm_m0_even_linear : tflm_m0_even_exact)(job);
        return;
    }
    if (job->more != NULL) {
        (form == TFLM_M0_LINEAR ? tflm_m0_quads_linear : tflm_m0_quads_exact)(job);
        return;
    }
#endif
    if (form == TFLM_M0_LINEAR) {
        tflm_m0_pairs_linear(job);
    } else if (form == TFLM_M0_EXACT) {
        tflm_m0_pairs_exact(job);
    } else {
        tflm_m0_pairs_plain(job);
    }
}

// Fills rows * run words of a window pair, from inputs whose rows begin `step` bytes apart.
void tflm_m0_pack(uint32_t *window, const int8_t *first, const int8_t *second, int32_t run,
    int32_t rows, int32_t step);

static inline uint32_t tflm_m0_packed(uint32_t first, uint32_t second) {
    return first + (second << 16) + 0x10001;
}

#endif
