// SOFTMAX of int16, L2_NORMALIZATION of int8. Source: tensorflow/lite/kernels/internal/reference/
// softmax.h, integer_ops/l2normalization.h.
#include "generated/layout.h"
#include "../common/inverse_root.h"

enum { STEP_BITS = 7 };  // inputs from an entry of a table to the next

// 2^15 * exp(10 * (i / 512 - 1)), less what a line to the next entry is too high by.
static const int16_t powers[513] = {
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9,
    10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15,
    15, 16, 16, 16, 17, 17, 17, 18, 18, 18, 19, 19, 19, 20, 20, 21, 21, 21, 22, 22, 23, 23, 24, 24,
    25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 32, 32, 33, 34, 34, 35, 36, 36, 37, 37, 38,
    39, 40, 40, 42, 42, 43, 44, 45, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 59, 60, 60,
    62, 63, 65, 65, 67, 68, 69, 71, 73, 74, 75, 77, 78, 80, 81, 83, 85, 86, 88, 90, 92, 93, 95, 97,
    99, 101, 103, 105, 107, 109, 112, 114, 116, 118, 121, 123, 126, 128, 131, 133, 135, 139, 141,
    144, 147, 149, 152, 155, 158, 162, 165, 168, 171, 174, 178, 181, 185, 189, 192, 196, 200, 204,
    208, 212, 217, 221, 225, 230, 234, 239, 243, 248, 253, 258, 263, 268, 273, 279, 284, 290, 296,
    302, 308, 314, 320, 327, 333, 340, 346, 353, 360, 366, 374, 381, 389, 397, 404, 413, 421, 429,
    437, 446, 455, 464, 473, 482, 492, 501, 511, 522, 532, 543, 553, 564, 575, 586, 598, 610, 622,
    634, 646, 659, 672, 685, 699, 713, 727, 741, 756, 771, 786, 801, 817, 833, 850, 866, 884, 901,
    919, 937, 955, 974, 993, 1013, 1033, 1053, 1074, 1095, 1117, 1139, 1161, 1184, 1207, 1232,
    1256, 1281, 1306, 1332, 1358, 1385, 1412, 1440, 1468, 1497, 1527, 1557, 1587, 1619, 1651, 1683,
    1716, 1750, 1785, 1820, 1856, 1892, 1930, 1968, 2006, 2046, 2087, 2128, 2170, 2212, 2256, 2300,
    2346, 2392, 2439, 2488, 2537, 2587, 2638, 2690, 2743, 2796, 2852, 2908, 2966, 3024, 3084, 3145,
    3207, 3270, 3334, 3400, 3467, 3535, 3605, 3677, 3749, 3822, 3898, 3975, 4053, 4133, 4214, 4297,
    4383, 4469, 4557, 4647, 4739, 4833, 4927, 5024, 5124, 5225, 5328, 5433, 5541, 5649, 5761, 5875,
    5991, 6109, 6230, 6352, 6477, 6605, 6736, 6868, 7004, 7141, 7282, 7427, 7572, 7722, 7874, 8030,
    8188, 8350, 8514, 8683, 8854, 9028, 9206, 9387, 9572, 9762, 9954, 10151, 10351, 10555, 10763,
    10976, 11191, 11412, 11637, 11867, 12102, 12341, 12583, 12831, 13085, 13342, 13606, 13874,
    14148, 14427, 14711, 15002, 15297, 15599, 15907, 16221, 16541, 16867, 17199, 17539, 17884,
    18237, 18597, 18964, 19338, 19719, 20108, 20505, 20909, 21322, 21742, 22171, 22608, 23054,
    23509, 23973, 24445, 24928, 25419, 25921, 26432, 26953, 27485, 28027, 28580, 29143, 29718,
    30304, 30902, 31512, 32133, 32767,
};

static int32_t power(int32_t i) {
    return powers[i];
}

// 2^15 / (1 + i / 512), alike. TFLM rounds floats, of which two are ties.
static int32_t inverse(int32_t i) {
    const int32_t n = 512 + i, at = ((1 << 25) / n + 1) >> 1;
    const int32_t line = ((1 << 25) / (n + 1) + 2 * at + 2) >> 2;
    const int32_t error = line - (((1 << 26) / (2 * n + 1) + 1) >> 1);
    const int32_t y = at - error - (i == 160) + (i == 294);
    return y > INT16_MAX ? INT16_MAX : y;
}

// The function at x, an int16: on the line between two entries.
static inline int32_t between(int32_t (*entry)(int32_t i), int32_t x) {
    const int32_t i = 256 + (x >> STEP_BITS), rest = x & ((1 << STEP_BITS) - 1);
    const int32_t first = entry(i), half = 1 << (STEP_BITS - 1);
    return first + (((entry(i + 1) - first) * rest + half) >> STEP_BITS);
}

static int32_t saturated(int32_t x) {
    return tflm_clamp(x, INT16_MIN, INT16_MAX);
}

// input   int16 [rows, depth]
// output  int16 [rows, depth], scale 1/32768; an exponential takes the place of its input first
// What prepare sees to: as of int8. diff_min has no use.
void tflm_softmax_s16(const tflm_softmax_t *params, const uint8_t *input, int16_t *output) {
    const int32_t depth = params->depth;
    for (int32_t r = 0; r < params->rows; r++, input += 2 * depth, output += depth) {
        int32_t most = INT16_MIN;
        for (int32_t i = 0; i < depth; i++) {
            const int32_t x = tflm_load16(input + 2 * i);
            most = x > most ? x : most;
        }
        uint32_t sum = 0;
        for (int32_t i = 0; i < depth; i++) {
            const int32_t x = tflm_scale(
                tflm_load16(input + 2 * i) - most, params->multiplier, params->left_shift);
            const int32_t y = between(power, saturated(tflm_wrapping_add(x, INT16_MAX)));
            sum += (uint32_t)y;
            output[i] = (int16_t)y;
        }
        // The sum is (1 + x) * 2^right, x from 0 to 1.
        const int32_t zeros = tflm_leading_zeros(sum | 1), right = 31 - zeros;
        const uint32_t x = ((sum << (zeros & 31) >> 1) + (1u << 13)) >> 14;
        const int32_t factor = between(inverse, saturated((int32_t)x - 3 * (1 << 15)));
        for (int32_t i = 0; i < depth; i++) {
            const int32_t y = (output[i] * factor + (int32_t)(1u << right >> 1)) >> right;
            output[i] = (int16_t)tflm_clamp(y, 0, INT16_MAX);
        }
    }
}

// input   int8 [rows, depth]
// output  int8 [rows, depth], scale 1/128, zero point 0: divided by the root of the sum of squares
void tflm_l2_normalization_s8(const tflm_rows_s8_t *params, const int8_t *input, int8_t *output) {
    const tflm_range_t range = {0, INT8_MIN, INT8_MAX};
    const int32_t depth = params->depth;
    for (int32_t r = 0; r < params->rows; r++, input += depth, output += depth) {
        uint32_t sum = 0;
        for (int32_t i = 0; i < depth; i++) {
            const uint32_t x = (uint32_t)input[i] - (uint32_t)params->zero_point;
            sum += x * x;
        }
        tflm_factor_t factor = tflm_inverse_root((int32_t)sum);
        factor.shift += 7;
        for (int32_t i = 0; i < depth; i++) {
            const uint32_t x = (uint32_t)input[i] - (uint32_t)params->zero_point;
            output[i] = tflm_requantize(x, factor, range);
        }
    }
}
