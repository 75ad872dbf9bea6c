// Generated from mp_modules/tflm/layout.py by `make layout`: do not edit.

#ifndef TFLM_LAYOUT_H
#define TFLM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "spaces.h"

#define TFLM_ALIGNMENT 16
#define TFLM_NO_KERNEL 0xffff
#define TFLM_LAYOUT 0x21b69ff0

_Static_assert(TFLM_ARENA == 0, "space bit of a ref");
_Static_assert(TFLM_MODEL == 1, "space bit of a ref");

// One entry of the node table.
typedef struct {
    uint16_t kernel;  // index of the kernel, or TFLM_NO_KERNEL
    uint16_t refs;  // number of refs at the start of the record
    int32_t record;  // ref of the record
} tflm_node_t;
_Static_assert(sizeof(tflm_node_t) == 8, "tflm_node_t");
_Static_assert(offsetof(tflm_node_t, refs) == 2, "tflm_node_t");
_Static_assert(offsetof(tflm_node_t, record) == 4, "tflm_node_t");

typedef struct {
    int32_t batches;
    int32_t input_height;
    int32_t input_width;
    int32_t input_depth;
    int32_t filter_height;
    int32_t filter_width;
    int32_t filter_depth;
    int32_t output_height;
    int32_t output_width;
    int32_t output_depth;
    int32_t stride_height;
    int32_t stride_width;
    int32_t dilation_height;
    int32_t dilation_width;
    int32_t pad_top;
    int32_t pad_left;
    int32_t input_offset;
    int32_t output_offset;
    int32_t activation_min;
    int32_t activation_max;
    int32_t input_scale;
    int32_t output_scale;
    int32_t scale_step;
} tflm_conv_2d_t;
_Static_assert(sizeof(tflm_conv_2d_t) == 92, "tflm_conv_2d_t");
_Static_assert(offsetof(tflm_conv_2d_t, scale_step) == 88, "tflm_conv_2d_t");

typedef struct {
    int32_t batches;
    int32_t input_height;
    int32_t input_width;
    int32_t input_depth;
    int32_t filter_height;
    int32_t filter_width;
    int32_t depth_multiplier;
    int32_t output_height;
    int32_t output_width;
    int32_t output_depth;
    int32_t stride_height;
    int32_t stride_width;
    int32_t dilation_height;
    int32_t dilation_width;
    int32_t pad_top;
    int32_t pad_left;
    int32_t input_offset;
    int32_t output_offset;
    int32_t activation_min;
    int32_t activation_max;
    int32_t input_scale;
    int32_t output_scale;
    int32_t scale_step;
} tflm_depthwise_conv_2d_t;
_Static_assert(sizeof(tflm_depthwise_conv_2d_t) == 92, "tflm_depthwise_conv_2d_t");
_Static_assert(offsetof(tflm_depthwise_conv_2d_t, scale_step) == 88, "tflm_depthwise_conv_2d_t");

typedef struct {
    int32_t batches;
    int32_t input_depth;
    int32_t output_depth;
    int32_t input_offset;
    int32_t filter_offset;
    int32_t output_offset;
    int32_t multiplier;
    int32_t shift;
    int32_t activation_min;
    int32_t activation_max;
} tflm_fully_connected_t;
_Static_assert(sizeof(tflm_fully_connected_t) == 40, "tflm_fully_connected_t");
_Static_assert(offsetof(tflm_fully_connected_t, activation_max) == 36, "tflm_fully_connected_t");

typedef struct {
    int32_t batches;
    int32_t input_depth;
    int32_t output_depth;
    int32_t input_offset;
    int32_t output_offset;
    int32_t activation_min;
    int32_t activation_max;
    int32_t input_scale;
    int32_t output_scale;
} tflm_fully_connected_per_channel_t;
_Static_assert(sizeof(tflm_fully_connected_per_channel_t) == 36, "tflm_fully_connected_per_channel_t");
_Static_assert(offsetof(tflm_fully_connected_per_channel_t, output_scale) == 32, "tflm_fully_connected_per_channel_t");

typedef struct {
    int32_t batches;
    int32_t input_depth;
    int32_t output_depth;
    int32_t activation_min;
    int32_t activation_max;
} tflm_fully_connected_f32_t;
_Static_assert(sizeof(tflm_fully_connected_f32_t) == 20, "tflm_fully_connected_f32_t");
_Static_assert(offsetof(tflm_fully_connected_f32_t, activation_max) == 16, "tflm_fully_connected_f32_t");

typedef struct {
    int32_t batches;
    int32_t input_height;
    int32_t input_width;
    int32_t depth;
    int32_t filter_height;
    int32_t filter_width;
    int32_t output_height;
    int32_t output_width;
    int32_t stride_height;
    int32_t stride_width;
    int32_t pad_top;
    int32_t pad_left;
    int32_t activation_min;
    int32_t activation_max;
} tflm_pool_2d_t;
_Static_assert(sizeof(tflm_pool_2d_t) == 56, "tflm_pool_2d_t");
_Static_assert(offsetof(tflm_pool_2d_t, activation_max) == 52, "tflm_pool_2d_t");

typedef struct {
    int32_t left_shift;
    int32_t input1_offset;
    int32_t input1_multiplier;
    int32_t input1_shift;
    int32_t input2_offset;
    int32_t input2_multiplier;
    int32_t input2_shift;
    int32_t output_offset;
    int32_t output_multiplier;
    int32_t output_shift;
    int32_t activation_min;
    int32_t activation_max;
    int32_t rank;
    int32_t dims[];
} tflm_add_t;
_Static_assert(sizeof(tflm_add_t) == 52, "tflm_add_t");
_Static_assert(offsetof(tflm_add_t, dims) == 52, "tflm_add_t");

typedef struct {
    int32_t input1_offset;
    int32_t input2_offset;
    int32_t output_offset;
    int32_t multiplier;
    int32_t shift;
    int32_t activation_min;
    int32_t activation_max;
    int32_t rank;
    int32_t dims[];
} tflm_mul_t;
_Static_assert(sizeof(tflm_mul_t) == 32, "tflm_mul_t");
_Static_assert(offsetof(tflm_mul_t, dims) == 32, "tflm_mul_t");

typedef struct {
    int32_t activation_min;
    int32_t activation_max;
    int32_t rank;
    int32_t dims[];
} tflm_add_f32_t;
_Static_assert(sizeof(tflm_add_f32_t) == 12, "tflm_add_f32_t");
_Static_assert(offsetof(tflm_add_f32_t, dims) == 12, "tflm_add_f32_t");

typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t multiplier;
    int32_t left_shift;
    int32_t diff_min;
} tflm_softmax_t;
_Static_assert(sizeof(tflm_softmax_t) == 20, "tflm_softmax_t");
_Static_assert(offsetof(tflm_softmax_t, diff_min) == 16, "tflm_softmax_t");

typedef struct {
    int32_t nbytes;
} tflm_copy_t;
_Static_assert(sizeof(tflm_copy_t) == 4, "tflm_copy_t");
_Static_assert(offsetof(tflm_copy_t, nbytes) == 0, "tflm_copy_t");

typedef struct {
    int32_t size;
    int32_t scale;
    int32_t zero_point;
} tflm_quantize_t;
_Static_assert(sizeof(tflm_quantize_t) == 12, "tflm_quantize_t");
_Static_assert(offsetof(tflm_quantize_t, zero_point) == 8, "tflm_quantize_t");

typedef struct {
    int32_t size;
    int32_t input_offset;
    int32_t output_offset;
    int32_t multiplier;
    int32_t shift;
} tflm_requantize_t;
_Static_assert(sizeof(tflm_requantize_t) == 20, "tflm_requantize_t");
_Static_assert(offsetof(tflm_requantize_t, shift) == 16, "tflm_requantize_t");

typedef struct {
    int32_t batches;
    int32_t input_depth;
    int32_t filters;
    int32_t memory;
    int32_t rank;
    int32_t input_offset;
    int32_t state_zero_point;
    int32_t output_offset;
    int32_t feature_multiplier;
    int32_t feature_shift;
    int32_t time_multiplier;
    int32_t time_shift;
} tflm_svdf_t;
_Static_assert(sizeof(tflm_svdf_t) == 48, "tflm_svdf_t");
_Static_assert(offsetof(tflm_svdf_t, time_shift) == 44, "tflm_svdf_t");

typedef struct {
    int32_t pad_value;
    int32_t rank;
    int32_t dims[];
} tflm_pad_t;
_Static_assert(sizeof(tflm_pad_t) == 8, "tflm_pad_t");
_Static_assert(offsetof(tflm_pad_t, dims) == 8, "tflm_pad_t");

typedef struct {
    int32_t multiplier;
    int32_t shift;
    int32_t bias;
    int32_t output_offset;
    int32_t kept;
    int32_t reduced;
    int32_t dims[];
} tflm_mean_t;
_Static_assert(sizeof(tflm_mean_t) == 24, "tflm_mean_t");
_Static_assert(offsetof(tflm_mean_t, dims) == 24, "tflm_mean_t");

typedef struct {
    int32_t outer;
    int32_t count;
    int32_t sizes[];
} tflm_concatenation_t;
_Static_assert(sizeof(tflm_concatenation_t) == 8, "tflm_concatenation_t");
_Static_assert(offsetof(tflm_concatenation_t, sizes) == 8, "tflm_concatenation_t");

typedef struct {
    int32_t size;
    int32_t input_zero_point;
    int32_t input_range_radius;
    int32_t multiplier;
    int32_t left_shift;
} tflm_logistic_t;
_Static_assert(sizeof(tflm_logistic_t) == 20, "tflm_logistic_t");
_Static_assert(offsetof(tflm_logistic_t, left_shift) == 16, "tflm_logistic_t");

typedef struct {
    int32_t size;
    int32_t input_zero_point;
    int32_t output_zero_point;
    int32_t multiplier;
    int32_t shift;
    int32_t activation_min;
    int32_t activation_max;
} tflm_relu_t;
_Static_assert(sizeof(tflm_relu_t) == 28, "tflm_relu_t");
_Static_assert(offsetof(tflm_relu_t, activation_max) == 24, "tflm_relu_t");

typedef struct {
    int32_t size;
    int32_t minimum;
    int32_t maximum;
} tflm_clamp_t;
_Static_assert(sizeof(tflm_clamp_t) == 12, "tflm_clamp_t");
_Static_assert(offsetof(tflm_clamp_t, maximum) == 8, "tflm_clamp_t");

typedef struct {
    int32_t size;
    int32_t input_zero_point;
    int32_t output_zero_point;
    int32_t identity_multiplier;
    int32_t identity_shift;
    int32_t alpha_multiplier;
    int32_t alpha_shift;
} tflm_leaky_relu_t;
_Static_assert(sizeof(tflm_leaky_relu_t) == 28, "tflm_leaky_relu_t");
_Static_assert(offsetof(tflm_leaky_relu_t, alpha_shift) == 24, "tflm_leaky_relu_t");

typedef struct {
    int32_t size;
} tflm_relu_f32_t;
_Static_assert(sizeof(tflm_relu_f32_t) == 4, "tflm_relu_f32_t");
_Static_assert(offsetof(tflm_relu_f32_t, size) == 0, "tflm_relu_f32_t");

typedef struct {
    int32_t elements;
} tflm_lookup_t;
_Static_assert(sizeof(tflm_lookup_t) == 4, "tflm_lookup_t");
_Static_assert(offsetof(tflm_lookup_t, elements) == 0, "tflm_lookup_t");

enum {
    TFLM_CONV_2D_S8,
    TFLM_DEPTHWISE_CONV_2D_S8,
    TFLM_FULLY_CONNECTED_S8,
    TFLM_FULLY_CONNECTED_PER_CHANNEL_S8,
    TFLM_FULLY_CONNECTED_F32,
    TFLM_AVERAGE_POOL_2D_S8,
    TFLM_MAX_POOL_2D_S8,
    TFLM_ADD_S8,
    TFLM_SUB_S8,
    TFLM_MUL_S8,
    TFLM_ADD_F32,
    TFLM_SOFTMAX_S8,
    TFLM_SOFTMAX_S8_S16,
    TFLM_COPY,
    TFLM_QUANTIZE_F32_S8,
    TFLM_REQUANTIZE_S8,
    TFLM_REQUANTIZE_S16_S8,
    TFLM_REQUANTIZE_S16_S32,
    TFLM_SVDF_S8,
    TFLM_SVDF_S16,
    TFLM_PAD_S8,
    TFLM_MEAN_S8,
    TFLM_CONCATENATION,
    TFLM_LOGISTIC_S8,
    TFLM_TANH_S8,
    TFLM_RELU_S8,
    TFLM_RELU6_S8,
    TFLM_LEAKY_RELU_S8,
    TFLM_RELU_F32,
    TFLM_LOOKUP_S8,
    TFLM_KERNEL_COUNT
};

void tflm_conv_2d_s8(const tflm_conv_2d_t *params, const int8_t *input, const int8_t *filter,
    const uint8_t *bias, const uint8_t *scales, const int32_t *constants, int8_t *output,
    int32_t *scratch);

void tflm_depthwise_conv_2d_s8(const tflm_depthwise_conv_2d_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const uint8_t *scales, const int32_t *constants,
    int8_t *output, int32_t *scratch);

void tflm_fully_connected_s8(const tflm_fully_connected_t *params, const int8_t *input,
    const int8_t *filter, const uint8_t *bias, const int32_t *constants, int8_t *output);

void tflm_fully_connected_per_channel_s8(const tflm_fully_connected_per_channel_t *params,
    const int8_t *input, const int8_t *filter, const uint8_t *bias, const uint8_t *scales,
    const int32_t *constants, int8_t *output);

void tflm_fully_connected_f32(const tflm_fully_connected_f32_t *params, const uint8_t *input,
    const uint8_t *filter, const uint8_t *bias, uint8_t *output);

void tflm_average_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output);

void tflm_max_pool_2d_s8(const tflm_pool_2d_t *params, const int8_t *input, int8_t *output);

void tflm_add_s8(const tflm_add_t *params, const int8_t *input1, const int8_t *input2,
    int8_t *output);

void tflm_sub_s8(const tflm_add_t *params, const int8_t *input1, const int8_t *input2,
    int8_t *output);

void tflm_mul_s8(const tflm_mul_t *params, const int8_t *input1, const int8_t *input2,
    int8_t *output);

void tflm_add_f32(const tflm_add_f32_t *params, const uint8_t *input1, const uint8_t *input2,
    uint8_t *output);

void tflm_softmax_s8(const tflm_softmax_t *params, const int8_t *input, int8_t *output);

void tflm_softmax_s8_s16(const tflm_softmax_t *params, const int8_t *input, int16_t *output);

void tflm_copy(const tflm_copy_t *params, const uint8_t *input, uint8_t *output);

void tflm_quantize_f32_s8(const tflm_quantize_t *params, const uint8_t *input, int8_t *output);

void tflm_requantize_s8(const tflm_requantize_t *params, const int8_t *input, int8_t *output);

void tflm_requantize_s16_s8(const tflm_requantize_t *params, const int16_t *input,
    int8_t *output);

void tflm_requantize_s16_s32(const tflm_requantize_t *params, const int16_t *input,
    int32_t *output);

void tflm_svdf_s8(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const int8_t *weights_time, const uint8_t *bias, int8_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch);

void tflm_svdf_s16(const tflm_svdf_t *params, const int8_t *input, const int8_t *weights_feature,
    const uint8_t *weights_time, const uint8_t *bias, int16_t *state, int8_t *output,
    int32_t *scratch, int32_t *output_scratch);

void tflm_pad_s8(const tflm_pad_t *params, const int8_t *input, int8_t *output);

void tflm_mean_s8(const tflm_mean_t *params, const int8_t *input, int8_t *output);

void tflm_concatenation(const tflm_concatenation_t *params, const tflm_args_t *inputs,
    uint8_t *output);

void tflm_logistic_s8(const tflm_logistic_t *params, const int8_t *input, int8_t *output);

void tflm_tanh_s8(const tflm_logistic_t *params, const int8_t *input, int8_t *output);

void tflm_relu_s8(const tflm_relu_t *params, const int8_t *input, int8_t *output);

void tflm_relu6_s8(const tflm_clamp_t *params, const int8_t *input, int8_t *output);

void tflm_leaky_relu_s8(const tflm_leaky_relu_t *params, const int8_t *input, int8_t *output);

void tflm_relu_f32(const tflm_relu_f32_t *params, const uint8_t *input, uint8_t *output);

void tflm_lookup_s8(const tflm_lookup_t *params, const int8_t *input, const uint8_t *table,
    int8_t *output);

#endif
