// The inner loop of conv_winograd.c: four channels after four, at four neighbouring outputs.
#ifndef TFLM_DSP_CONV_WINOGRAD_SUMS_H
#define TFLM_DSP_CONV_WINOGRAD_SUMS_H

#include "constants.h"
#include "conv_winograd_terms.h"

enum { TFLM_TILE_CHANNELS = 4 };

// Words; conv_winograd_sums.c knows their order.
typedef struct {
    const uint32_t *terms;  // of the input
    int32_t fours;          // of input channels in all rows of the window, a multiple of three
    const int32_t *stream;  // of the first channel
    int32_t channels;       // a multiple of four, not 0
    int32_t form;
    int8_t *outputs[4];     // of the pairs' first outputs, then of their second ones
} tflm_dsp_tiles_t;

// Words of the stream for each four channels.
static inline int32_t tflm_dsp_tiles_step(int32_t fours, int32_t form) {
    return TFLM_TILE_CHANNELS * ((form == TFLM_EXACT ? 4 : 3) + 2 * TFLM_KINDS * fours);
}

// Writes the outputs of all channels: first those of the pairs' second outputs, the second pair's
// first; so an output that is not wanted may lie where the first pair's first output does.
void tflm_dsp_tiles(const tflm_dsp_tiles_t *tiles);

#endif
