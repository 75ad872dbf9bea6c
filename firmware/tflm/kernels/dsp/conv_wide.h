// Sums of two channels at two positions with filters of 16 bits, which prepared models hold.
//
// What they hold is one stream, read once for each two positions: for each two channels, the start
// of the first twice, that of the second twice; for each four places of the window two words of
// the first channel's taps and two of the second's, as places k, k+2 and k+1, k+3; then what the
// form needs of the first and of the second: multiplier, addend, right; where it is linear,
// both multipliers, then both addends.
#ifndef TFLM_DSP_CONV_WIDE_H
#define TFLM_DSP_CONV_WIDE_H

#include "constants.h"

// Words; conv_wide.c knows their order.
typedef struct {
    const int16_t *window;           // of both positions
    int32_t channels;                // an even number, not 0
    uintptr_t enter, after, finish;  // 0 before the first call, which writes them
    const int16_t *window_end;       // behind the last four
    const int32_t *stream;           // of the first channel
    int32_t form;
} tflm_dsp_wide_t;

// Words of the stream for each two channels.
static inline int32_t tflm_dsp_wide_step(int32_t fours, int32_t form) {
    return 4 + 4 * fours + (form == TFLM_EXACT ? 6 : 4);
}

// Writes the outputs of all channels at both positions.
void tflm_dsp_wide(tflm_dsp_wide_t *wide, int8_t *output0, int8_t *output1);

#endif
