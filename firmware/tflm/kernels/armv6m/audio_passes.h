// The butterflies of a transform, one column of them; see ../portable/audio_spectrum.c.
#ifndef TFLM_ARMV6M_AUDIO_PASSES_H
#define TFLM_ARMV6M_AUDIO_PASSES_H

#include <stdint.h>

enum { TFLM_M0_QUARTER = 8191 };

// Butterflies with turns of 1, from x to `end`. Their numbers lie `stride` bytes apart, the next one
// starts behind them. The numbers are multiplied by `factor` / 2^15 before.
void tflm_m0_audio_mix(int32_t *x, int32_t stride, const int32_t *end, int32_t factor);

// The other butterflies of a block, from its second number on: `turns` are those of the first, and
// between two there are `skipped` bytes of the table, whose end is the end.
void tflm_m0_audio_turn(int32_t *x, int32_t stride, const uint32_t *turns, int32_t skipped);

#endif
