// What an output channel of a convolution needs besides its filter, made once a layer.
#ifndef TFLM_ARMV6M_CHANNELS_H
#define TFLM_ARMV6M_CHANNELS_H

#include "../requantize.h"

// 16 bytes in scratch. The assembly of this folder reads them by their offsets.
typedef struct {
    int32_t start;  // bias, and what the gathered windows leave out: see pairs.h
    int32_t multiplier;
    int32_t right;  // the factor is multiplier / 2^31 / 2^right
    int32_t bias;
} tflm_m0_channel_t;
_Static_assert(sizeof(tflm_m0_channel_t) == 16, "ops/conv.py requests 16 bytes for a channel");

// Where filters and scales lie, and what goes into their start.
typedef struct {
    const int8_t *filter;
    int32_t taps;          // of one channel
    int32_t tap_step;      // bytes from a tap to the channel's next
    int32_t channel_step;  // bytes from a channel's first tap to the next channel's
    int32_t input_offset;  // start: bias + input_offset * sum of the filter
    const uint8_t *bias;
    const uint8_t *scales;
    int32_t scale_step;
    int32_t input_scale;
    int32_t output_scale;
} tflm_m0_layer_t;

// Fills channels[0..count-1]. Returns whether, for all of them and any input, tflm_m0_finish()
// gives the bytes of tflm_requantize() and two taps' products fit 16 bits: see pairs.h.
int32_t tflm_m0_load_channels(
    const tflm_m0_layer_t *layer, int32_t count, tflm_m0_channel_t *channels);

#endif
