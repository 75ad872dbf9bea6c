#include "channels.h"

typedef struct {
    uint32_t total;
    int32_t least;  // of the sums of two taps that conv_pairs.h multiplies together
} filter_sum_t;

static filter_sum_t sum_apart(const int8_t *filter, int32_t taps, int32_t step) {
    filter_sum_t sum = {0, 0};
    if (taps & 1) {
        sum.total = (uint32_t)*filter;
        filter += step;
    }
    for (int32_t i = taps >> 1; i > 0; i--, filter += 2 * step) {
        const int32_t two = filter[0] + filter[step];
        sum.total += (uint32_t)two;
        sum.least = two < sum.least ? two : sum.least;
    }
    return sum;
}

#if TFLM_ASSEMBLY == 7

enum { LANES = 0xFF00FF, WORDS_MAX = 128 };

// Four taps at a time, as bytes without a sign, in two sums of 16 bits. `least` stays 0: no two taps
// are too large for conv_pairs_m3.c.
static filter_sum_t sum_of(const int8_t *filter, int32_t taps, int32_t step) {
    if (step != 1) {
        return sum_apart(filter, taps, step);
    }
    uint32_t total = 0u - 128 * (uint32_t)(taps & ~3);
    for (int32_t words = taps >> 2; words > 0; words -= WORDS_MAX) {
        uint32_t lanes = 0;
        const int8_t *end = filter + 4 * (words < WORDS_MAX ? words : WORDS_MAX);
        for (; filter != end; filter += 4) {
            const uint32_t word = (uint32_t)tflm_load32((const uint8_t *)filter) ^ 0x80808080;
            lanes += (word & LANES) + (word >> 8 & LANES);
        }
        total += (lanes & 0xFFFF) + (lanes >> 16);
    }
    for (int32_t i = taps & 3; i > 0; i--) {
        total += (uint32_t)*filter++;
    }
    return (filter_sum_t) {total, 0};
}

#else

static inline filter_sum_t sum_of(const int8_t *filter, int32_t taps, int32_t step) {
    return sum_apart(filter, taps, step);
}

#endif

static int32_t is_zero(const int8_t *filter, int32_t taps, int32_t step) {
    for (int32_t i = 0; i < taps; i++) {
        if (filter[i * step] != 0) {
            return 0;
        }
    }
    return 1;
}

// A bound of |sum| over a window; anything above what is safe when it is large.
static uint32_t largest_sum(int32_t taps, int32_t bias) {
    const uint32_t size = bias < 0 ? 0u - (uint32_t)bias : (uint32_t)bias;
    const uint32_t products = taps < 1 << 13 ? (uint32_t)taps * (128 * 255) : TFLM_M0_SAFE_SUM;
    return size > TFLM_M0_SAFE_SUM ? size : size + products;
}

static int32_t is_safe(const tflm_m0_channel_t *channel, int32_t taps) {
    return channel->multiplier == 0
        || (channel->right >= 1 && channel->right <= TFLM_M0_RIGHT_MAX
            && largest_sum(taps, channel->bias) < TFLM_M0_SAFE_SUM);
}

// Makes a channel safe whose outputs are all the same: what it is before the offset is added.
static void set_constant(tflm_m0_channel_t *channel, int32_t value) {
    value = tflm_clamp(value, 2 * INT8_MIN, 2 * INT8_MAX);
    channel->start = channel->bias = 4 * value;
    channel->multiplier = 1 << 30;
    channel->right = 1;
}

static tflm_m0_form_t load_channels(
    const tflm_m0_layer_t *layer, int32_t c, int32_t end, tflm_m0_channel_t *channels) {
    const uint32_t offset = (uint32_t)layer->input_offset;
    const int8_t *filter = layer->filter + c * layer->channel_step;
    const tflm_scales_t scales = tflm_scales(layer->input_scale, layer->output_scale);
    // Bounds of sums hold for the zero points of int8 tensors; one less: see conv_pairs.h.
    int32_t all_safe = layer->input_offset >= INT8_MIN && layer->input_offset <= -INT8_MIN;
    for (channels += c; c < end; c++, channels++, filter += layer->channel_step) {
        const filter_sum_t sum = sum_of(filter, layer->taps, layer->tap_step);
        const tflm_factor_t factor =
            tflm_factor(&scales, tflm_load32(layer->scales + c * layer->scale_step));
        channels->bias = tflm_bias(layer->bias, c);
        channels->start = (int32_t)((uint32_t)channels->bias + sum.total * offset);
        channels->multiplier = factor.multiplier;
        channels->right = -factor.shift;
        if (factor.multiplier == 0) {
            channels->right = 1;
        } else if (!is_safe(channels, layer->taps)
            && is_zero(filter, layer->taps, layer->tap_step)) {
            // Dead channels have tiny scales or huge biases.
            set_constant(channels, tflm_scale(channels->bias, factor.multiplier, factor.shift));
        }
        all_safe &= is_safe(channels, layer->taps) && sum.least > 2 * INT8_MIN;
    }
    return all_safe ? TFLM_M0_EXACT : TFLM_M0_PLAIN;
}

typedef struct {
    const tflm_m0_layer_t *layer;
    tflm_m0_channel_t *channels;
    tflm_m0_form_t *forms;  // one for each core
} loading_t;

static void load_share(const void *context, int32_t first, int32_t last) {
    const loading_t *loading = context;
    loading->forms[first > 0] = load_channels(loading->layer, first, last, loading->channels);
}

tflm_m0_form_t tflm_m0_load_channels(
    const tflm_m0_layer_t *layer, int32_t count, tflm_m0_channel_t *channels) {
    if (!tflm_can_split(count)) {
        return load_channels(layer, 0, count, channels);
    }
    tflm_m0_form_t forms[] = {TFLM_M0_EXACT, TFLM_M0_EXACT};
    const loading_t loading = {layer, channels, forms};
    tflm_split(load_share, &loading, count);
    return forms[0] == forms[1] ? forms[0] : TFLM_M0_PLAIN;
}
