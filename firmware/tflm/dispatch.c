// Generated from mp_modules/tflm/layout.py by `make layout`: do not edit.

#include "dispatch.h"

// A firmware for some kernels only is built with TFLM_HAS_DEFAULT=0 and
// TFLM_HAS_<KERNEL>=1 for each that it keeps; the others need not be linked.
#ifndef TFLM_HAS_DEFAULT
#define TFLM_HAS_DEFAULT 1
#endif

#define ADAPTER_PARAMETERS const tflm_spaces_t *spaces, const int32_t *record, int32_t refs

#ifndef TFLM_HAS_CONV_2D_S8
#define TFLM_HAS_CONV_2D_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_CONV_2D_S8
static void run_conv_2d_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_conv_2d_s8((const void *)(record + 7), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]), tflm_at(spaces, record[5]), tflm_at(spaces, record[6]));
}
#else
#define run_conv_2d_s8 NULL
#endif

#ifndef TFLM_HAS_DEPTHWISE_CONV_2D_S8
#define TFLM_HAS_DEPTHWISE_CONV_2D_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_DEPTHWISE_CONV_2D_S8
static void run_depthwise_conv_2d_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_depthwise_conv_2d_s8((const void *)(record + 7), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]), tflm_at(spaces, record[5]), tflm_at(spaces, record[6]));
}
#else
#define run_depthwise_conv_2d_s8 NULL
#endif

#ifndef TFLM_HAS_FULLY_CONNECTED_S8
#define TFLM_HAS_FULLY_CONNECTED_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_FULLY_CONNECTED_S8
static void run_fully_connected_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_fully_connected_s8((const void *)(record + 5), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]));
}
#else
#define run_fully_connected_s8 NULL
#endif

#ifndef TFLM_HAS_FULLY_CONNECTED_PER_CHANNEL_S8
#define TFLM_HAS_FULLY_CONNECTED_PER_CHANNEL_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_FULLY_CONNECTED_PER_CHANNEL_S8
static void run_fully_connected_per_channel_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_fully_connected_per_channel_s8((const void *)(record + 6), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]), tflm_at(spaces, record[5]));
}
#else
#define run_fully_connected_per_channel_s8 NULL
#endif

#ifndef TFLM_HAS_FULLY_CONNECTED_F32
#define TFLM_HAS_FULLY_CONNECTED_F32 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_FULLY_CONNECTED_F32
static void run_fully_connected_f32(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_fully_connected_f32((const void *)(record + 4), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]));
}
#else
#define run_fully_connected_f32 NULL
#endif

#ifndef TFLM_HAS_AVERAGE_POOL_2D_S8
#define TFLM_HAS_AVERAGE_POOL_2D_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_AVERAGE_POOL_2D_S8
static void run_average_pool_2d_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_average_pool_2d_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_average_pool_2d_s8 NULL
#endif

#ifndef TFLM_HAS_MAX_POOL_2D_S8
#define TFLM_HAS_MAX_POOL_2D_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_MAX_POOL_2D_S8
static void run_max_pool_2d_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_max_pool_2d_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_max_pool_2d_s8 NULL
#endif

#ifndef TFLM_HAS_ADD_S8
#define TFLM_HAS_ADD_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_ADD_S8
static void run_add_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_add_s8((const void *)(record + 3), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]));
}
#else
#define run_add_s8 NULL
#endif

#ifndef TFLM_HAS_SUB_S8
#define TFLM_HAS_SUB_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_SUB_S8
static void run_sub_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_sub_s8((const void *)(record + 3), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]));
}
#else
#define run_sub_s8 NULL
#endif

#ifndef TFLM_HAS_MUL_S8
#define TFLM_HAS_MUL_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_MUL_S8
static void run_mul_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_mul_s8((const void *)(record + 3), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]));
}
#else
#define run_mul_s8 NULL
#endif

#ifndef TFLM_HAS_ADD_F32
#define TFLM_HAS_ADD_F32 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_ADD_F32
static void run_add_f32(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_add_f32((const void *)(record + 3), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]));
}
#else
#define run_add_f32 NULL
#endif

#ifndef TFLM_HAS_SOFTMAX_S8
#define TFLM_HAS_SOFTMAX_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_SOFTMAX_S8
static void run_softmax_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_softmax_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_softmax_s8 NULL
#endif

#ifndef TFLM_HAS_SOFTMAX_S8_S16
#define TFLM_HAS_SOFTMAX_S8_S16 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_SOFTMAX_S8_S16
static void run_softmax_s8_s16(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_softmax_s8_s16((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_softmax_s8_s16 NULL
#endif

#ifndef TFLM_HAS_COPY
#define TFLM_HAS_COPY TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_COPY
static void run_copy(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_copy((const void *)(record + 2), tflm_at(spaces, record[0]), tflm_at(spaces, record[1]));
}
#else
#define run_copy NULL
#endif

#ifndef TFLM_HAS_QUANTIZE_F32_S8
#define TFLM_HAS_QUANTIZE_F32_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_QUANTIZE_F32_S8
static void run_quantize_f32_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_quantize_f32_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_quantize_f32_s8 NULL
#endif

#ifndef TFLM_HAS_REQUANTIZE_S8
#define TFLM_HAS_REQUANTIZE_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_REQUANTIZE_S8
static void run_requantize_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_requantize_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_requantize_s8 NULL
#endif

#ifndef TFLM_HAS_REQUANTIZE_S16_S8
#define TFLM_HAS_REQUANTIZE_S16_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_REQUANTIZE_S16_S8
static void run_requantize_s16_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_requantize_s16_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_requantize_s16_s8 NULL
#endif

#ifndef TFLM_HAS_REQUANTIZE_S16_S32
#define TFLM_HAS_REQUANTIZE_S16_S32 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_REQUANTIZE_S16_S32
static void run_requantize_s16_s32(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_requantize_s16_s32((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_requantize_s16_s32 NULL
#endif

#ifndef TFLM_HAS_SVDF_S8
#define TFLM_HAS_SVDF_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_SVDF_S8
static void run_svdf_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_svdf_s8((const void *)(record + 8), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]), tflm_at(spaces, record[5]), tflm_at(spaces, record[6]),
        tflm_at(spaces, record[7]));
}
#else
#define run_svdf_s8 NULL
#endif

#ifndef TFLM_HAS_SVDF_S16
#define TFLM_HAS_SVDF_S16 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_SVDF_S16
static void run_svdf_s16(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_svdf_s16((const void *)(record + 8), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]), tflm_at(spaces, record[3]),
        tflm_at(spaces, record[4]), tflm_at(spaces, record[5]), tflm_at(spaces, record[6]),
        tflm_at(spaces, record[7]));
}
#else
#define run_svdf_s16 NULL
#endif

#ifndef TFLM_HAS_PAD_S8
#define TFLM_HAS_PAD_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_PAD_S8
static void run_pad_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_pad_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_pad_s8 NULL
#endif

#ifndef TFLM_HAS_MEAN_S8
#define TFLM_HAS_MEAN_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_MEAN_S8
static void run_mean_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_mean_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_mean_s8 NULL
#endif

#ifndef TFLM_HAS_CONCATENATION
#define TFLM_HAS_CONCATENATION TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_CONCATENATION
static void run_concatenation(ADAPTER_PARAMETERS) {
    const tflm_args_t inputs = {spaces, record, refs - 1};
    tflm_concatenation((const void *)(record + refs), &inputs, tflm_at(spaces, record[refs - 1]));
}
#else
#define run_concatenation NULL
#endif

#ifndef TFLM_HAS_LOGISTIC_S8
#define TFLM_HAS_LOGISTIC_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_LOGISTIC_S8
static void run_logistic_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_logistic_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_logistic_s8 NULL
#endif

#ifndef TFLM_HAS_TANH_S8
#define TFLM_HAS_TANH_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_TANH_S8
static void run_tanh_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_tanh_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_tanh_s8 NULL
#endif

#ifndef TFLM_HAS_RELU_S8
#define TFLM_HAS_RELU_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_RELU_S8
static void run_relu_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_relu_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_relu_s8 NULL
#endif

#ifndef TFLM_HAS_RELU6_S8
#define TFLM_HAS_RELU6_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_RELU6_S8
static void run_relu6_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_relu6_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_relu6_s8 NULL
#endif

#ifndef TFLM_HAS_LEAKY_RELU_S8
#define TFLM_HAS_LEAKY_RELU_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_LEAKY_RELU_S8
static void run_leaky_relu_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_leaky_relu_s8((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_leaky_relu_s8 NULL
#endif

#ifndef TFLM_HAS_RELU_F32
#define TFLM_HAS_RELU_F32 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_RELU_F32
static void run_relu_f32(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_relu_f32((const void *)(record + 2), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]));
}
#else
#define run_relu_f32 NULL
#endif

#ifndef TFLM_HAS_LOOKUP_S8
#define TFLM_HAS_LOOKUP_S8 TFLM_HAS_DEFAULT
#endif
#if TFLM_HAS_LOOKUP_S8
static void run_lookup_s8(ADAPTER_PARAMETERS) {
    (void)refs;
    tflm_lookup_s8((const void *)(record + 3), tflm_at(spaces, record[0]),
        tflm_at(spaces, record[1]), tflm_at(spaces, record[2]));
}
#else
#define run_lookup_s8 NULL
#endif

const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT] = {
    run_conv_2d_s8,
    run_depthwise_conv_2d_s8,
    run_fully_connected_s8,
    run_fully_connected_per_channel_s8,
    run_fully_connected_f32,
    run_average_pool_2d_s8,
    run_max_pool_2d_s8,
    run_add_s8,
    run_sub_s8,
    run_mul_s8,
    run_add_f32,
    run_softmax_s8,
    run_softmax_s8_s16,
    run_copy,
    run_quantize_f32_s8,
    run_requantize_s8,
    run_requantize_s16_s8,
    run_requantize_s16_s32,
    run_svdf_s8,
    run_svdf_s16,
    run_pad_s8,
    run_mean_s8,
    run_concatenation,
    run_logistic_s8,
    run_tanh_s8,
    run_relu_s8,
    run_relu6_s8,
    run_leaky_relu_s8,
    run_relu_f32,
    run_lookup_s8,
};
