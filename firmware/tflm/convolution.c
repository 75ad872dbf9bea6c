// Sources: as in mp_modules/tflm/ops/conv.py and ops/common.py.
#include "convolution.h"

enum { INT32 = 2, INT8 = 9, INT4 = 17, RANK = 4, MAX_STEP = 1 << 15, MAX_SHIFT = 30, MAX_ACTIVATION = 3 };
enum { INPUTS = 1, OUTPUTS, OPTIONS_TYPE, OPTIONS, OPERATOR_FIELDS };
enum { PADDING, STRIDE_WIDTH, STRIDE_HEIGHT, OPTIONS_FIELDS = 7 };
enum { CONV_OPTIONS = 1, DEPTHWISE_OPTIONS = 2, SAME = 0, VALID = 1 };

// A tensor that takes part, and its shape [batches or channels, height, width, depth].
typedef struct {
    tflm_tensor_t tensor;
    int32_t batches, height, width, depth;
} image_t;

typedef struct {
    tflm_flatbuffer_t buf;
    tflm_tensors_t tensors;
    int32_t inputs[3];  // indices; -1 where absent
    int32_t fields[OPTIONS_FIELDS];
    image_t data, filter, output;
    bool is_depthwise;
} node_t;

static int32_t byte_option(const node_t *node, int slot) {
    uint8_t value = 0;
    const int32_t pos = node->fields[slot];
    return pos && tflm_flatbuffer_u8(node->buf, pos, &value) ? value : 0;
}

static int32_t word_option(const node_t *node, int slot, int32_t absent) {
    int32_t value = absent;
    if (node->fields[slot] && !tflm_flatbuffer_i32(node->buf, node->fields[slot], &value)) {
        return INT32_MIN;  // no option may be that: Python says what is wrong
    }
    return value;
}

static int32_t word_at(const node_t *node, int32_t pos) {
    int32_t value = 0;
    tflm_flatbuffer_i32(node->buf, pos, &value);
    return value;
}

// other: type that the tensor may have in place of int8
static bool read_image(const node_t *node, int32_t index, int other, image_t *image) {
    int32_t extents[TFLM_MAX_RANK];
    if (!tflm_describe(node->buf, node->tensors, index, &image->tensor)
        || (image->tensor.type != INT8 && image->tensor.type != other)
        || image->tensor.elements == 0
        || tflm_extents(node->buf, node->tensors, image->tensor.shape, extents) != RANK) {
        return false;
    }
    image->batches = extents[0];
    image->height = extents[1];
    image->width = extents[2];
    image->depth = extents[3];
    return true;
}

// Reads the operator's tensors and where its options lie.
static bool read_node(node_t *node, int32_t pos) {
    int32_t fields[OPERATOR_FIELDS], first, count, at;
    uint8_t options_type = 0;
    if (!tflm_flatbuffer_table(node->buf, pos, fields, OPERATOR_FIELDS) || fields[INPUTS] == 0
        || fields[OUTPUTS] == 0 || fields[OPTIONS] == 0 || fields[OPTIONS_TYPE] == 0
        || !tflm_flatbuffer_u8(node->buf, fields[OPTIONS_TYPE], &options_type)
        || options_type != (node->is_depthwise ? DEPTHWISE_OPTIONS : CONV_OPTIONS)
        || !tflm_flatbuffer_follow(node->buf, fields[OPTIONS], &at)
        || !tflm_flatbuffer_table(node->buf, at, node->fields, OPTIONS_FIELDS)
        || !tflm_flatbuffer_vector(node->buf, fields[INPUTS], 4, &first, &count) || count < 2
        || count > 3) {
        return false;
    }
    node->inputs[2] = -1;
    for (int32_t i = 0; i < count; i++) {
        node->inputs[i] = word_at(node, first + 4 * i);
    }
    return read_image(node, node->inputs[0], INT8, &node->data)
           && read_image(node, node->inputs[1], INT4, &node->filter)
           && tflm_flatbuffer_vector(node->buf, fields[OUTPUTS], 4, &first, &count) && count == 1
           && read_image(node, word_at(node, first), INT8, &node->output);
}

static bool check_depths(const node_t *node, int32_t *filter_depth) {
    const image_t *data = &node->data, *filter = &node->filter, *output = &node->output;
    if (node->is_depthwise) {
        const int32_t multiplier = word_option(node, 3, 0);
        *filter_depth = multiplier;
        return filter->batches == 1 && filter->depth == output->depth && multiplier > 0
               && (int64_t)data->depth * multiplier == output->depth;
    }
    *filter_depth = filter->depth;
    return data->depth % filter->depth == 0 && filter->batches == output->depth
           && filter->batches % (data->depth / filter->depth) == 0;
}

static bool check_bias(const node_t *node) {
    tflm_tensor_t bias;
    return node->inputs[2] == -1
           || (tflm_describe(node->buf, node->tensors, node->inputs[2], &bias) && bias.type == INT32
               && bias.elements == node->output.depth);
}

// One axis: sets the padding before the input. Returns whether output is the size that follows.
static bool check_window(int32_t padding, int32_t size, int32_t filter, int32_t output,
    int32_t stride, int32_t dilation, int32_t *pad) {
    if (stride <= 0 || stride >= MAX_STEP || dilation <= 0 || dilation >= MAX_STEP || filter <= 0
        || filter >= MAX_STEP) {
        return false;
    }
    const int32_t span = (filter - 1) * dilation + 1;
    const int32_t covered = size + stride - (padding == SAME ? 1 : span);
    if ((padding != SAME && padding != VALID) || covered < 0 || output != covered / stride) {
        return false;
    }
    const int32_t total = (output - 1) * stride + span - size;
    *pad = total > 0 ? total / 2 : 0;
    return true;
}

// Sets the bits of the scale and the zero point of an int8 tensor; returns whether both are sound.
static bool read_quantization(
    const node_t *node, const tflm_tensor_t *tensor, int32_t *scale, int32_t *zero_point) {
    *scale = tensor->scale_count ? word_at(node, tensor->scales) : 0;
    *zero_point = 0;
    if (tensor->zero_points) {
        *zero_point = word_at(node, tensor->zero_points);
        if (word_at(node, tensor->zero_points + 4) != *zero_point >> 31) {
            return false;
        }
    }
    return *scale >= 0x00800000 && *scale < 0x7F800000 && *zero_point >= INT8_MIN
           && *zero_point <= INT8_MAX;
}

// Returns whether the filter's scales are sound and no channel's multiplier is too large.
static bool check_scales(const node_t *node, const tflm_conv_2d_t *record) {
    const tflm_tensor_t *filter = &node->filter.tensor;
    uint32_t largest = 0;
    if (filter->scale_count != 1 && filter->scale_count != node->output.depth) {
        return false;
    }
    for (int32_t i = 0; i < filter->scale_count; i++) {
        const uint32_t bits = (uint32_t)word_at(node, filter->scales + 4 * i);
        largest = bits > largest ? bits : largest;
    }
    const int32_t ratio = (record->input_scale >> 23) - (record->output_scale >> 23);
    return largest < 0x7F800000 && ratio < MAX_SHIFT
           && ratio + (int32_t)(largest >> 23) - 127 + 2 <= MAX_SHIFT;
}

// As allow_rows() of ops/common.py: the largest is at the first or the last batch, at the end of
// the padding or the end of the image.
static int32_t find_gap(const node_t *node, const tflm_conv_2d_t *record) {
    const int32_t row = node->data.width * node->data.depth;
    const int32_t out_row = node->output.width * node->output.depth;
    const int32_t padded = record->pad_top / record->stride_height;
    const int32_t rows[] = {padded, padded + 1, record->output_height - 1};
    int32_t gap = 0;
    for (int32_t i = 0; i < 6; i++) {
        const int32_t b = i < 3 ? 0 : record->batches - 1;
        const int32_t y = rows[i % 3] < rows[2] ? rows[i % 3] : rows[2];
        const int32_t top = y * record->stride_height - record->pad_top;
        const int32_t needed = (b * record->input_height + (top > 0 ? top : 0)) * row;
        const int32_t least = (b * record->output_height + y + 1) * out_row - needed;
        gap = least > gap ? least : gap;
    }
    return gap;
}

bool tflm_prepare_convolution(tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t pos,
    bool is_depthwise, tflm_convolution_t *made) {
    node_t node = {.buf = buf, .tensors = tensors, .is_depthwise = is_depthwise};
    tflm_conv_2d_t *record = &made->record;
    if (!read_node(&node, pos) || node.data.batches != node.output.batches
        || !check_depths(&node, &record->filter_depth) || !check_bias(&node)) {
        return false;
    }
    const int activation_slot = is_depthwise ? 4 : 3;
    const int32_t padding = byte_option(&node, PADDING);
    *record = (tflm_conv_2d_t) {
        .batches = node.data.batches,
        .input_height = node.data.height,
        .input_width = node.data.width,
        .input_depth = node.data.depth,
        .filter_height = node.filter.height,
        .filter_width = node.filter.width,
        .filter_depth = record->filter_depth,
        .output_height = node.output.height,
        .output_width = node.output.width,
        .output_depth = node.output.depth,
        .stride_height = word_option(&node, STRIDE_HEIGHT, 0),
        .stride_width = word_option(&node, STRIDE_WIDTH, 0),
        .dilation_height = word_option(&node, activation_slot + 2, 1),
        .dilation_width = word_option(&node, activation_slot + 1, 1),
        .scale_step = node.filter.tensor.scale_count > 1 ? 4 : 0,
    };
    made->activation = byte_option(&node, activation_slot);
    made->scales = node.filter.tensor.scales;
    made->is_packed = node.filter.tensor.type == INT4;
    if (made->activation > MAX_ACTIVATION
        || !check_window(padding, record->input_height, record->filter_height,
            record->output_height, record->stride_height, record->dilation_height,
            &record->pad_top)
        || !check_window(padding, record->input_width, record->filter_width, record->output_width,
            record->stride_width, record->dilation_width, &record->pad_left)
        || !read_quantization(
            &node, &node.data.tensor, &record->input_scale, &record->input_offset)
        || !read_quantization(
            &node, &node.output.tensor, &record->output_scale, &record->output_offset)
        || !check_scales(&node, record)) {
        return false;
    }
    record->input_offset = -record->input_offset;
    made->gap = find_gap(&node, record);
    return true;
}
