#include "finish.h"

int8_t tflm_m0_output(tflm_m0_form_t form, uint32_t sum, const tflm_m0_channel_t *channel,
    const tflm_range_t *range) {
    if (form == TFLM_M0_LINEAR) {
        return tflm_m0_finish_linear(sum, (const void *)channel);
    }
    if (form == TFLM_M0_EXACT) {
        return tflm_m0_finish(sum, channel, range);
    }
    const tflm_factor_t factor = {channel->multiplier, -channel->right};
    return tflm_requantize(sum, factor, *range);
}
