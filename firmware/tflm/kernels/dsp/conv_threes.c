#include "conv_threes.h"

#include "../common/split.h"
#include "conv_threes_sums.h"

enum { PRODUCTS_MIN = 1 << 15 };  // fewer take longer: at first this code is in no flash cache

int32_t tflm_dsp_count_threes(const tflm_dsp_line_t *line, int32_t count) {
    const tflm_dsp_convolution_t *conv = line->conv;
    if (count < 3 || conv->room == NULL || conv->stream != NULL
        || conv->end_group - conv->first_group != 1 || line->channels < 2 || line->view->taps > TFLM_THREES_TAPS_MAX
        || count * line->channels < PRODUCTS_MIN / line->view->taps
        || tflm_can_split(line->channels / 2)) {
        return 0;
    }
    const int32_t left = count % 3;
    return left == 1 ? count - 4 : count - left;
}

// All channels at three positions. The last one of an odd number runs with the one before it again.
static inline void run_three(
    const tflm_dsp_line_t *line, tflm_dsp_threes_t *threes, int8_t *output) {
    const int32_t channels = line->channels, skip = channels - 2;
    threes->output = output;
    threes->output_end = output + (channels & ~1);
    tflm_dsp_threes(threes);
    if (channels % 2 != 0) {
        tflm_dsp_threes_t last = *threes;
        last.channel += skip;
        last.filter += skip * last.step;
        last.output += skip;
        last.output_end = last.output + 2;
        tflm_dsp_threes(&last);
    }
}

static void clamp(const tflm_dsp_line_t *line, int32_t count) {
    const tflm_conv_2d_t *params = line->conv->params;
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    int8_t *output = line->output + line->conv->first_group * line->channels;
    if (range.minimum == INT8_MIN && range.maximum == INT8_MAX) {
        return;
    }
    for (; count > 0; count--, output += params->output_depth) {
        tflm_dsp_clamp(output, line->channels, range);
    }
}

void tflm_dsp_run_threes(const tflm_dsp_line_t *line, int32_t count) {
    const tflm_dsp_convolution_t *conv = line->conv;
    const tflm_conv_2d_t *params = conv->params;
    const int32_t advance = params->stride_width * params->input_depth;
    const int32_t skip = conv->first_group * line->channels;
    tflm_dsp_threes_t threes = {
        .window = conv->room,
        .depth = params->output_depth,
        .channel = conv->channels + skip,
        .filter = conv->filter,
        .step = line->view->taps,
        .form = conv->form,
    };
    const int8_t *window = line->window + conv->first_group * params->filter_depth;
    int8_t *output = line->output + skip;
    for (int32_t left = count; left > 0; left -= 3, window += 3 * advance) {
        tflm_dsp_widen_three(conv->room, window, advance, &line->view->image);
        run_three(line, &threes, output);
        output += 3 * threes.depth;
    }
    clamp(line, count);
}
