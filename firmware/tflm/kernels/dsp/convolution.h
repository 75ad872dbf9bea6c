// A CONV_2D layer, or some of its groups, and the memory in which it runs.
#ifndef TFLM_DSP_CONVOLUTION_H
#define TFLM_DSP_CONVOLUTION_H

#include "generated/layout.h"
#include "constants.h"

enum {
    TFLM_SLAB = 12 * 1024,       // bytes of filter that stay in a flash cache of 16 KB
    TFLM_THREES_TAPS_MAX = 256,  // of a window for which there is room three times
    TFLM_ROOM = 3 * TFLM_THREES_TAPS_MAX,  // values; enough for wide_four.h, too
};

typedef struct {
    const tflm_conv_2d_t *params;
    const int8_t *input;
    const int8_t *filter;                // of the first channel of first_group
    const tflm_dsp_channel_t *channels;  // of all groups
    const int32_t *stream;               // see conv_wide.h; in place of both, if there is one group
    int32_t form;                        // of either
    int32_t has_fours;  // the stream is for four positions: at most TFLM_WIDE_FOURS_MAX fours
    int8_t *output;
    int16_t *window;  // room for the windows of two positions
    int16_t *room;    // TFLM_ROOM values, of whole words, for more of them; or NULL: two at a time
    int32_t first_group, end_group;
    int32_t has_slabs;  // a large filter is for channel blocks; there are no groups and no stream
} tflm_dsp_convolution_t;

#endif
