// What an output channel of a convolution needs besides its filter, made once a layer.
#ifndef TFLM_ARMV6M_CHANNELS_H
#define TFLM_ARMV6M_CHANNELS_H

#include "../common/requantize.h"
#include "../common/split.h"

// How a sum becomes an output. Constants of a prepared model begin with such a word; the channels
// follow. host_tools/tflm_host/prepare/constants/armv6m.py writes them.
typedef enum {
    TFLM_M0_PLAIN,   // as tflm_requantize() does; never in a prepared model
    TFLM_M0_EXACT,   // the same double rounding in 32 bits: tflm_m0_finish()
    TFLM_M0_LINEAR,  // one linear function, proven to be equal: tflm_m0_finish_linear()
} tflm_m0_form_t;

// Sums below TFLM_M0_SAFE_SUM and right shifts from 1 to TFLM_M0_RIGHT_MAX are what
// tflm_m0_finish() is exact for: no step then leaves 32 bits.
enum { TFLM_M0_SAFE_SUM = 1 << 28, TFLM_M0_RIGHT_MAX = 22 };

// The assembly of this folder reads channels by their offsets.
typedef struct {
    int32_t start;  // bias, and what the windows leave out: see conv_pairs.h
    int32_t bias;
    int32_t multiplier;
    int32_t right;  // the factor is multiplier / 2^31 / 2^right
} tflm_m0_channel_t;
_Static_assert(sizeof(tflm_m0_channel_t) == 16, "ops/conv.py requests 16 bytes for a channel");

// A channel in the linear form; begins as the other does, except what centers its sums.
// x: sum, clamped to -limit..limit; output: (x * high + (x * low >> 12) + addend) >> 23.
typedef struct {
    int32_t start;
    int32_t bias;
    int32_t limit;
    int32_t high;
    int32_t low;
    int32_t addend;  // with the output's offset
} tflm_m0_linear_t;
_Static_assert(sizeof(tflm_m0_linear_t) == 24, "assembly and constants/armv6m.py suppose it");

// Channel i of those at *channels.
static inline const tflm_m0_channel_t *tflm_m0_channel_at(
    tflm_m0_form_t form, const tflm_m0_channel_t *channels, int32_t i) {
    if (form == TFLM_M0_LINEAR) {
        return (const void *)((const tflm_m0_linear_t *)(const void *)channels + i);
    }
    return channels + i;
}

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

// Fills channels[0..count-1], on all cores that there are. Returns TFLM_M0_EXACT where, for all of them and any input,
// tflm_m0_finish() gives the bytes of tflm_requantize() and two taps' products fit 16 bits (see
// conv_pairs.h); TFLM_M0_PLAIN otherwise.
tflm_m0_form_t tflm_m0_load_channels(
    const tflm_m0_layer_t *layer, int32_t count, tflm_m0_channel_t *channels);

// The channels of a layer: those of a prepared model's constants, or made in scratch.
typedef struct {
    tflm_m0_form_t form;
    const tflm_m0_channel_t *channels;
} tflm_m0_constants_t;

static inline tflm_m0_constants_t tflm_m0_constants(
    const tflm_m0_layer_t *layer, int32_t count, const int32_t *prepared, int32_t *scratch) {
    if (prepared != NULL) {
        return (tflm_m0_constants_t) {
            (tflm_m0_form_t)prepared[0], (const void *)(prepared + 1)};
    }
    tflm_m0_channel_t *channels = (void *)scratch;
    return (tflm_m0_constants_t) {tflm_m0_load_channels(layer, count, channels), channels};
}

#endif
