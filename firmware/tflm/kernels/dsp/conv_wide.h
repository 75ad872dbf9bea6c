// Sums of four channels at two positions with filters of 16 bits, which prepared models hold.
//
// What they hold is one stream, read once for each two or four positions. For each four channels
// it has their four starts; for each four places of the window, of the first two channels the
// taps at places k and k+2, two words, then those at k+1 and k+3, and the same of the last two;
// then what the form needs of each channel: multiplier, addend, right; where it is linear,
// multiplier and addend.
#ifndef TFLM_DSP_CONV_WIDE_H
#define TFLM_DSP_CONV_WIDE_H

#include "constants.h"

enum { TFLM_WIDE_CHANNELS = 4 };

// Words; conv_wide.c knows their order.
typedef struct {
    const int16_t *window;  // of both positions
    int32_t channels;       // a multiple of four, not 0
    int32_t begin, skip;    // this and the next three: 0 before the first call, which writes them
    uintptr_t enter, after, finish;
    const int16_t *window_end;  // behind the last four
    const int32_t *stream;      // of the first channel
    int32_t form;
} tflm_dsp_wide_t;

// Words of the stream for each four channels.
static inline int32_t tflm_dsp_wide_step(int32_t fours, int32_t form) {
    return TFLM_WIDE_CHANNELS * (1 + 2 * fours + (form == TFLM_EXACT ? 3 : 2));
}

// Writes the outputs of all channels at both positions.
void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1);

#endif
