// What an output channel needs besides its filter, and how an accumulator becomes an output.
#ifndef TFLM_DSP_CONSTANTS_H
#define TFLM_DSP_CONSTANTS_H

#include <stdbool.h>

#include "../common/requantize.h"
#include "../common/simd.h"

// Sums here are twice the reference's: then its doubling high product is the high word of a
// product. With |sum| < 2^31, 1 <= right <= 22 and t = sum * multiplier / 2^32 to nearest, the
// reference's rounding division is (t + half + (t >> 31)) >> right. It stays inside 32 bits; and
// the sign of the sum may stand for the sign of t: where t is 0, `half` does not reach the next
// output.
typedef struct {
    int32_t start;       // twice the bias
    int32_t multiplier;
    int32_t addend;      // half a unit of the right shift, and the output's zero point
    int32_t right;       // low byte: the shift; the others: the last taps, where they fill no word
} tflm_dsp_channel_t;

enum { TFLM_RIGHT_MAX = 22, TFLM_SUM_MAX = 1 << 30, TFLM_INPUT_MAX = 255, TFLM_WEIGHT_MAX = 128 };

// A layer of a prepared model may have another form, which was proved to give the same outputs for
// all sums that it can have: t = sum * multiplier / 2^32 to nearest, then (t + addend) >> shift,
// where the shift is the form's number, and `start` holds what the addend is too coarse for. It is
// even.
typedef enum {
    TFLM_EXACT = 0,
    TFLM_LINEAR_4 = 4,
    TFLM_LINEAR_8 = 8,
    TFLM_FOURS = 32,      // beside TFLM_WIDE: four positions at a time
    TFLM_WIDE = 64,       // beside one of them: the stream of conv_wide.h
    TFLM_WINOGRAD = 128,  // the stream of conv_winograd.h
} tflm_dsp_form_t;

// What a prepared model has for a layer: one form, then the channels' constants; for a 3x3
// depthwise layer lanes and factors of conv_depthwise_rows.h, for packed weights the stream.
// host_tools/tflm_host/prepare/constants/dsp.py writes it.
typedef struct {
    int32_t form;
    tflm_dsp_channel_t channels[];
} tflm_dsp_constants_t;

static inline int8_t tflm_dsp_linear(
    uint32_t sum, int32_t multiplier, int32_t addend, int32_t shift) {
    return (int8_t)tflm_saturate8(tflm_add_high((int32_t)sum, multiplier, addend) >> shift);
}

static inline int8_t tflm_dsp_output(uint32_t sum, const tflm_dsp_channel_t *channel) {
    const int32_t t = tflm_add_high((int32_t)sum, channel->multiplier, channel->addend);
    const int32_t signed_t = tflm_wrapping_add(t, (int32_t)sum >> 31);
    return (int8_t)tflm_saturate8(signed_t >> (channel->right & 31));
}

// The same in assembly: five registers, of which `lost` is; the output comes where the sum was.
#define TFLM_DSP_OUTPUT(sum, lost, multiplier, addend, right) \
    "smmlar " lost ", " sum ", " multiplier ", " addend "\n" \
    "add   " sum ", " lost ", " sum ", asr #31\n" \
    "asr   " sum ", " sum ", " right "\n" \
    "ssat  " sum ", #8, " sum "\n"

// The same of a linear form.
#define TFLM_DSP_LINEAR(sum, multiplier, addend, shift) \
    "smmlar " sum ", " sum ", " multiplier ", " addend "\n" \
    "ssat  " sum ", #8, " sum ", asr #" shift "\n"

// Outputs of two channels at two positions, with factors at r1; r2..r5 are lost.
#define TFLM_DSP_LINEAR_CHANNELS(a, b, c, d, shift) \
    "ldmia r1!, {r2, r3, r4, r5}\n" \
    TFLM_DSP_LINEAR(a, "r2", "r3", shift) \
    TFLM_DSP_LINEAR(b, "r2", "r3", shift) \
    TFLM_DSP_LINEAR(c, "r4", "r5", shift) \
    TFLM_DSP_LINEAR(d, "r4", "r5", shift)

// The same of one channel in the exact form.
#define TFLM_DSP_EXACT_CHANNEL(a, b) \
    "ldmia r1!, {r2, r3, r4}\n" \
    TFLM_DSP_OUTPUT(a, "r5", "r2", "r3", "r4") \
    TFLM_DSP_OUTPUT(b, "r5", "r2", "r3", "r4")

// The output in any form.
static inline int8_t tflm_dsp_finish(
    uint32_t sum, const tflm_dsp_channel_t *channel, int32_t form) {
    return form == TFLM_EXACT ? tflm_dsp_output(sum, channel)
        : tflm_dsp_linear(sum, channel->multiplier, channel->addend,
            form == TFLM_LINEAR_4 ? 4 : 8);
}

// A bound of |sum| over `taps` products and a bias, TFLM_SUM_MAX for any that is as large.
static inline uint32_t tflm_dsp_largest(int32_t taps, int32_t bias) {
    const uint32_t size = bias < 0 ? 0u - (uint32_t)bias : (uint32_t)bias;
    if (taps >= TFLM_SUM_MAX / (TFLM_INPUT_MAX * TFLM_WEIGHT_MAX)) {
        return TFLM_SUM_MAX;
    }
    const uint32_t largest = size + (uint32_t)taps * (TFLM_INPUT_MAX * TFLM_WEIGHT_MAX);
    return largest < TFLM_SUM_MAX ? largest : TFLM_SUM_MAX;
}

// Fills *channel. Returns false where sums of that size could leave the bounds above.
static inline bool tflm_dsp_channel(tflm_dsp_channel_t *channel, tflm_factor_t factor,
    int32_t bias, uint32_t largest, int32_t output_offset) {
    int32_t right = -factor.shift;
    // Nothing reaches half an output: all sums give the zero point.
    if (right > TFLM_RIGHT_MAX && largest < 1u << (right - 1)) {
        factor.multiplier = 0;
    }
    right = factor.multiplier == 0 ? 1 : right;
    if (right < 1 || right > TFLM_RIGHT_MAX || largest >= TFLM_SUM_MAX) {
        return false;
    }
    channel->start = 2 * bias;
    channel->multiplier = factor.multiplier;
    channel->addend = (1 << (right - 1)) + output_offset * (1 << right);
    channel->right = right;
    return true;
}

// Tells whether zero points and range are those of int8 tensors, as the bounds suppose.
static inline bool tflm_dsp_offsets(int32_t input_offset, tflm_range_t range) {
    return input_offset >= -127 && input_offset <= 128 && range.offset == (int8_t)range.offset
        && range.minimum == (int8_t)range.minimum && range.maximum == (int8_t)range.maximum;
}

// What the channels of a layer share.
typedef struct {
    int32_t input_scale, output_scale;  // float32 bits
    int32_t scale_step;                 // bytes from one channel's filter scale to the next
    int32_t input_offset;
    tflm_range_t range;
    int32_t channels, taps;
    const int8_t *filter;
    int32_t tap_step;      // from a tap to the next
    int32_t channel_step;  // from a channel's first to the next one's
} tflm_dsp_layer_t;

// The same for a channel whose taps show that it is harmless. The taps of dead channels are 0,
// their scales tiny and their biases at times huge.
static inline bool tflm_dsp_odd_channel(tflm_dsp_channel_t *channel, tflm_factor_t factor,
    int32_t bias, const tflm_dsp_layer_t *layer, int32_t c) {
    const int8_t *tap = layer->filter + c * layer->channel_step;
    int32_t k = layer->taps;
    uint32_t size = 0;
    for (; layer->tap_step == 1 && k >= 4; k -= 4, tap += 4) {
        size = tflm_add_sizes(size, tflm_load4(tap));
    }
    for (; k > 0; k--, tap += layer->tap_step) {
        size += (uint32_t)(*tap < 0 ? -*tap : *tap);
    }
    if (size == 0) {
        const int32_t output = tflm_requantize((uint32_t)bias, factor, layer->range);
        *channel = (tflm_dsp_channel_t) {0, 0, 2 * output + 1, 1};  // the sum is 0
        return true;
    }
    const uint32_t largest = size < TFLM_SUM_MAX / TFLM_INPUT_MAX
        ? tflm_dsp_largest(0, bias) + size * TFLM_INPUT_MAX : TFLM_SUM_MAX;
    return tflm_dsp_channel(channel, factor, bias, largest, layer->range.offset);
}

// Fills channels[0..layer->channels-1]. Returns false where the fast code is not exact for one.
static inline bool tflm_dsp_channels(tflm_dsp_channel_t *channels, const tflm_dsp_layer_t *layer,
    const uint8_t *bias, const uint8_t *scales) {
    const tflm_scales_t both = tflm_scales(layer->input_scale, layer->output_scale);
    if (!tflm_dsp_offsets(layer->input_offset, layer->range)) {
        return false;
    }
    for (int32_t c = 0; c < layer->channels; c++, channels++, scales += layer->scale_step) {
        const int32_t start = tflm_bias(bias, c);
        const tflm_factor_t factor = tflm_factor(&both, tflm_load32(scales));
        const uint32_t largest = tflm_dsp_largest(layer->taps, start);
        if (!tflm_dsp_channel(channels, factor, start, largest, layer->range.offset)
            && !tflm_dsp_odd_channel(channels, factor, start, layer, c)) {
            return false;
        }
    }
    return true;
}

// Puts the last taps of filters that are no multiple of four long beside `right`. A word of four
// there may end behind the last filter.
static inline void tflm_dsp_last_taps(
    tflm_dsp_channel_t *channels, int32_t count, const int8_t *filter, int32_t taps) {
    for (int32_t rest = taps & 3; rest != 0 && count > 0; count--, channels++, filter += taps) {
        for (int32_t i = 0; i < rest; i++) {
            const uint32_t tap = (uint8_t)filter[taps - rest + i];
            channels->right = (int32_t)((uint32_t)channels->right | tap << (8 * (i + 1)));
        }
    }
}

// Clamps outputs that were saturated to int8 to a narrower range.
static inline void tflm_dsp_clamp(int8_t *outputs, int32_t count, tflm_range_t range) {
    if (range.minimum == INT8_MIN && range.maximum == INT8_MAX) {
        return;
    }
    for (; count > 0; count--, outputs++) {
        *outputs = (int8_t)tflm_clamp(*outputs, range.minimum, range.maximum);
    }
}

#endif
