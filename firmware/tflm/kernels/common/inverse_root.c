#include "inverse_root.h"

// A product of Q3.28 numbers that is read as one of `bits` integer bits is saturated back.
static int32_t product(int32_t a, int32_t b, int32_t bits) {
    return tflm_saturating_shift(tflm_high_mul(a, b), bits);
}

tflm_factor_t tflm_inverse_root(int32_t x) {
    enum { ROOT_OF_HALF = 1518500250, ONE = 1 << 28, STEPS = 5 };  // in Q0.31; in Q3.28
    if (x <= 1) {
        return (tflm_factor_t) {INT32_MAX, 0};
    }
    int32_t right = 11;
    while (x >= 1 << 29) {
        x /= 4;
        right++;
    }
    const int32_t pairs = (tflm_leading_zeros((uint32_t)x) - 1) / 2 - 1;  // of bits
    right -= pairs;
    const int32_t half = tflm_rounding_divide((x << 2 * pairs) >> 1, 1);
    int32_t root = ONE;
    for (int32_t i = 0; i < STEPS; i++) {  // of Newton and Raphson
        const int32_t cube = product(tflm_high_mul(root, root), root, 6);
        root = tflm_saturating_shift(
            tflm_high_mul(ONE + ONE / 2, root) - tflm_high_mul(half, cube), 3);
    }
    root = tflm_high_mul(root, ROOT_OF_HALF);
    if (right < 0) {
        root <<= -right;
        right = 0;
    }
    return (tflm_factor_t) {root, -right};
}
