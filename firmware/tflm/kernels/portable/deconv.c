// TRANSPOSE_CONV. Source: tensorflow/lite/kernels/internal/reference/integer_ops/
// transpose_conv.h.
//
// There each input adds its products to the outputs under its window. Here each output collects
// them: sums of integers are the same in any order, and no buffer of sums is needed.
#include "generated/layout.h"
#include "../common/channels.h"
#include "../common/channels_s16.h"
#include "../common/deconv_reach.h"
#include "../common/dense_sums.h"
#include "../common/requantize_row.h"

enum { CHUNK = 16 };  // channels at a time

// Adds the products of `count` channels from `first` on; elements of the input have `size` bytes.
typedef void (*add_t)(const tflm_transpose_conv_t *params, const void *values,
    const int8_t *rows, void *sums, int32_t count);

// Adds all products of one output position and `count` channels. rows: the first one's filter
static void add_position(const tflm_transpose_conv_t *params, const uint8_t *input, int32_t size,
    const int8_t *rows, tflm_reach_t down, tflm_reach_t across, void *sums, int32_t count,
    add_t add) {
    const int32_t depth = params->input_depth, pixel = depth * size;
    for (int32_t i = 0; i < down.count; i++) {
        const int32_t y = down.input - i, ky = down.tap + i * params->stride_height;
        for (int32_t j = 0; j < across.count; j++) {
            const int32_t x = across.input - j, kx = across.tap + j * params->stride_width;
            add(params, input + (y * params->input_width + x) * pixel,
                rows + (ky * params->filter_width + kx) * depth, sums, count);
        }
    }
}

static int32_t taps_of(const tflm_transpose_conv_t *params) {
    return params->filter_height * params->filter_width * params->input_depth;
}

static void add_s8(const tflm_transpose_conv_t *params, const void *values, const int8_t *rows,
    void *sums, int32_t count) {
    const tflm_dense_t dense = {
        values, rows, taps_of(params), params->input_depth, params->input_offset};
    tflm_dense_sums(&dense, sums, count);
}

static void add_s16(const tflm_transpose_conv_t *params, const void *values, const int8_t *rows,
    void *sums, int32_t count) {
    const tflm_dense_s16_t dense = {values, rows, taps_of(params), params->input_depth};
    tflm_dense_sums_s16(&dense, sums, count);
}

// sums: of two positions, uint32_t *[2]; the second one's values lie one input further on.
static void add_two_s8(const tflm_transpose_conv_t *params, const void *values,
    const int8_t *rows, void *sums, int32_t count) {
    const tflm_dense_t dense = {
        values, rows, taps_of(params), params->input_depth, params->input_offset};
    tflm_dense_sums_two(&dense, (const int8_t *)values + params->input_depth, sums, count);
}

// What is done with each output position: `count` channels from c on.
typedef void (*write_t)(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *channels, tflm_reach_t down, tflm_reach_t across,
    int32_t c, int32_t count, uint8_t *output);

static void write_s8(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *constants, tflm_reach_t down, tflm_reach_t across,
    int32_t c, int32_t count, uint8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_channel_constants_t *channels = (const void *)constants;
    uint32_t sums[CHUNK];
    for (int32_t k = 0; k < count; k++) {
        sums[k] = (uint32_t)channels[c + k].bias;
    }
    add_position(
        params, input, 1, filter + c * taps_of(params), down, across, sums, count, add_s8);
    tflm_requantize_channels(sums, channels + c, count, range, (void *)output);
}

// The same of two positions a stride apart, to which the same taps add: those of the first, and of
// the one that begins one input further on.
static void write_two_s8(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *constants, tflm_reach_t down, tflm_reach_t across,
    int32_t c, int32_t count, uint8_t *output) {
    const tflm_range_t range = {
        params->output_offset, params->activation_min, params->activation_max};
    const tflm_channel_constants_t *channels = (const void *)constants;
    uint32_t all[2][CHUNK], *sums[] = {all[0], all[1]};
    for (int32_t k = 0; k < count; k++) {
        all[0][k] = all[1][k] = (uint32_t)channels[c + k].bias;
    }
    add_position(
        params, input, 1, filter + c * taps_of(params), down, across, sums, count, add_two_s8);
    int8_t *to = (void *)output;
    tflm_requantize_channels(all[0], channels + c, count, range, to);
    to += params->stride_width * params->output_depth;
    tflm_requantize_channels(all[1], channels + c, count, range, to);
}

static void write_s16(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *constants, tflm_reach_t down, tflm_reach_t across,
    int32_t c, int32_t count, uint8_t *output) {
    const tflm_finish_s16_t finish =
        tflm_finish_of_s16(1, params->activation_min, params->activation_max);
    const tflm_channel_s16_t *channels = (const void *)constants;
    uint64_t sums[CHUNK] = {0};
    add_position(
        params, input, 2, filter + c * taps_of(params), down, across, sums, count, add_s16);
    int16_t *to = (void *)output;
    for (int32_t k = 0; k < count; k++) {
        to[k] = tflm_finish_s16(sums[k], &channels[c + k], &finish);
    }
}

// Writes all channels of a position, or of two.
static void write_position(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *channels, tflm_reach_t down, tflm_reach_t across,
    int32_t size, write_t write, uint8_t *output) {
    const int32_t outputs = params->output_depth;
    for (int32_t c = 0; c < outputs; c += CHUNK) {
        const int32_t count = outputs - c < CHUNK ? outputs - c : CHUNK;
        write(params, input, filter, channels, down, across, c, count, output + c * size);
    }
}

// Writes a row: every stride's first position, then every second one... write_two makes two
// positions; NULL: it makes one at a time.
static void write_row(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *channels, tflm_reach_t down, uint8_t *output,
    int32_t size, write_t write_one, write_t write_two) {
    const int32_t stride = params->stride_width, width = params->output_width;
    const int32_t pixel = params->output_depth * size;
    for (int32_t first = 0; first < stride && first < width; first++) {
        for (int32_t x = first; x < width; x += stride) {
            const tflm_reach_t across = tflm_reach_of(
                x + params->pad_left, stride, params->filter_width, params->input_width);
            write_t write = write_one;
            uint8_t *to = output + x * pixel;
            if (write_two != NULL && x + stride < width) {
                const tflm_reach_t next = tflm_reach_of(x + stride + params->pad_left, stride,
                    params->filter_width, params->input_width);
                if (next.count == across.count && next.input == across.input + 1) {
                    write = write_two;
                    x += stride;
                }
            }
            write_position(params, input, filter, channels, down, across, size, write, to);
        }
    }
}

// Elements of input and output have `size` bytes.
static void walk(const tflm_transpose_conv_t *params, const uint8_t *input,
    const int8_t *filter, const int32_t *channels, uint8_t *output, int32_t size,
    write_t write_one, write_t write_two) {
    const int32_t pixel = params->input_depth * size;
    const int32_t line = params->output_width * params->output_depth * size;
    for (int32_t b = 0; b < params->batches; b++) {
        for (int32_t y = 0; y < params->output_height; y++, output += line) {
            const tflm_reach_t down = tflm_reach_of(y + params->pad_top, params->stride_height,
                params->filter_height, params->input_height);
            write_row(params, input, filter, channels, down, output, size, write_one, write_two);
        }
        input += params->input_height * params->input_width * pixel;
    }
}

// input    [batches, input_height, input_width, input_depth]
// filter   int8 [output_depth, filter_height, filter_width, input_depth]
// bias     int32 [output_depth] or NULL
// scales   float32 of the filter
// output   [batches, output_height, output_width, output_depth]: input (y, x) meets output
//          (y * stride_height - pad_top + ky, x * stride_width - pad_left + kx) at tap (ky, kx)
// scratch  16 bytes a channel
void tflm_transpose_conv_s8(const tflm_transpose_conv_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int8_t *output,
    int32_t *scratch) {
    tflm_load_channels((void *)scratch, params->output_depth, bias, scales, params->scale_step,
        params->input_scale, params->output_scale);
    walk(params, (const void *)input, filter, scratch, (void *)output, 1, write_s8, write_two_s8);
}

// As above; bias: integers of bias_bytes
void tflm_transpose_conv_s16(const tflm_transpose_conv_t *params, const int16_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, int16_t *output,
    int32_t *scratch) {
    const tflm_channels_s16_t from = {bias, params->bias_bytes, scales, params->scale_step, 1,
        tflm_scales(params->input_scale, params->output_scale)};
    tflm_load_channels_s16(&from, 0, params->output_depth, (void *)scratch);
    walk(params, (const void *)input, filter, scratch, (void *)output, 2, write_s16, NULL);
}
