// Cepstral mean and variance normalisation over a sliding window: see mel.h.
#include "audio/mel.h"
#include "audio/mel_log.h"

enum {
    DIFFERENCE_BITS = 21,  // of W * value - sum of W values, shifted; W^2 times its square has 58
    FACTOR_BITS = 8,
    SCALE_MOST = 12,
};

// The values around one of a column, which go on in a mirror at both ends.
typedef struct {
    const int32_t *values;
    int32_t count, half;
    int64_t sum, squares;
} around_t;

static void add(around_t *around, int32_t i, int32_t sign) {
    const int32_t period = 2 * around->count;
    i %= period;
    i += i < 0 ? period : 0;
    const int32_t value = around->values[i < around->count ? i : period - 1 - i];
    around->sum += sign * value;
    around->squares += (int64_t)value * (sign * value);
}

static void begin(around_t *around, const int32_t *values) {
    around->values = values;
    around->sum = around->squares = 0;
    for (int32_t i = -around->half; i <= around->half; i++) {
        add(around, i, 1);
    }
}

static void advance(around_t *around, int32_t i) {
    add(around, i + around->half + 1, 1);
    add(around, i - around->half, -1);
}

static uint32_t root_of(uint64_t v) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 62; bit != 0; bit >>= 2) {
        const uint64_t with_bit = root + bit;
        root >>= 1;
        if (v >= with_bit) {
            v -= with_bit;
            root += bit;
        }
    }
    return (uint32_t)root;
}

// A difference over the standard deviation, times the factor; of no deviation 0.
static int64_t quotient(const tflm_mel_t *mel, int32_t difference, const around_t *around) {
    const int32_t window = mel->normal_window;
    uint64_t variance =  // times W^2
        (uint64_t)(window * around->squares) - (uint64_t)(around->sum * around->sum);
    int64_t factor = (int64_t)window * mel->normal_factor;
    for (int32_t i = 0; i < SCALE_MOST && variance >> 58 == 0; i++) {
        variance <<= 2;
        factor <<= 1;
    }
    const uint32_t root = root_of(variance);
    return root == 0 ? 0 : (difference * factor / root + (1 << (FACTOR_BITS - 1))) >> FACTOR_BITS;
}

static void normalize_column(
    const tflm_mel_t *mel, int32_t count, int32_t *work, uint8_t *output) {
    const int32_t window = mel->normal_window;
    const int32_t extra = 17 + tflm_mel_bits((uint32_t)window) - DIFFERENCE_BITS;
    const int32_t shift = extra > 0 ? extra : 0, rounding = (1 << shift) >> 1;
    int32_t *differences = work + count;
    around_t around = {.count = count, .half = window / 2};
    begin(&around, work);
    for (int32_t i = 0; i < count; i++) {
        differences[i] = (window * work[i] - (int32_t)around.sum + rounding) >> shift;
        advance(&around, i);
    }
    begin(&around, differences);
    for (int32_t i = 0; i < count; i++) {
        const int64_t value = mel->normal_zero + quotient(mel, differences[i], &around);
        output[mel->values * i] =
            (uint8_t)(value < INT8_MIN ? INT8_MIN : value > INT8_MAX ? INT8_MAX : value);
        advance(&around, i);
    }
}

void tflm_mel_normalize(
    const tflm_mel_t *mel, const uint8_t *lines, int32_t count, int32_t *work, uint8_t *output) {
    for (int32_t i = 0; i < mel->values; i++) {
        for (int32_t j = 0; j < count; j++) {
            const uint8_t *at = lines + 2 * (mel->values * j + i);
            work[j] = (int16_t)(at[0] | at[1] << 8);
        }
        normalize_column(mel, count, work, output + i);
    }
}
