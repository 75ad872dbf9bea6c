// What surrounds a filter bank in an audio front end: window, scale, energy, root, gain, logarithm.
// Source: signal/src of tflite-micro: window.cc, fft_auto_scale.cc, energy.cc, filter_bank.cc,
// filter_bank_square_root.cc, pcan_argc.cc, filter_bank_log.cc, square_root_64.cc, log.cc.
// Unsigned sums and products wrap.
#include "generated/layout.h"
#include "../common/fixed_point.h"

static uint32_t load_u32(const uint8_t *p) {
    return (uint32_t)tflm_load32(p);
}

static int32_t bits_of(uint32_t x) {
    return 32 - tflm_leading_zeros(x);
}

// input    int16 [rows, length]
// weights  int16 [length]
// output   int16 [rows, length]
// What prepare sees to: bits is 0..31.
void tflm_signal_window_s16(const tflm_signal_window_t *params, const uint8_t *input,
    const uint8_t *weights, int16_t *output) {
    for (int32_t r = 0; r < params->rows; r++) {
        for (int32_t i = 0; i < params->length; i++, input += 2) {
            const int32_t product = tflm_load16(input) * tflm_load16(weights + 2 * i);
            *output++ = (int16_t)tflm_clamp(product >> params->bits, INT16_MIN, INT16_MAX);
        }
    }
}

// input   int16 [size]
// output  int16 [size], shifted to the left so far that the largest has all bits
// bits    int32 [1]: how far
// -32768 has no absolute value in 16 bits. TFLM's largest becomes -32768 there, which forgets what
// came before it: any value that follows is larger, a negative one too, as it is.
void tflm_signal_scale_s16(const tflm_signal_size_t *params, const uint8_t *input,
    int16_t *output, int32_t *bits) {
    int32_t most = 0;
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t value = tflm_load16(input + 2 * i);
        most = value > most ? value : -value > most ? (int16_t)-value : most;
    }
    const int32_t width = most <= 0 ? 32 : bits_of((uint32_t)most);
    *bits = width < 15 ? 15 - width : 0;
    for (int32_t i = 0; i < params->size; i++) {
        output[i] = (int16_t)((uint32_t)tflm_load16(input + 2 * i) << *bits);
    }
}

// input   int16 [size, 2]: complex numbers
// output  uint32 [size]: the squares of their sizes, from `first` to below `last`, else 0
void tflm_signal_energy_s16(
    const tflm_signal_energy_t *params, const uint8_t *input, int32_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const int32_t real = tflm_load16(input + 4 * i), other = tflm_load16(input + 4 * i + 2);
        const uint32_t energy = (uint32_t)(real * real) + (uint32_t)(other * other);
        output[i] = i >= params->first && i < params->last ? (int32_t)energy : 0;
    }
}

static uint64_t weighted(const uint8_t *values, const uint8_t *weights, int32_t count) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += (uint64_t)(int64_t)tflm_load16(weights + 2 * i) * load_u32(values + 4 * i);
    }
    return sum;
}

// input           uint32
// weights         int16: of a channel's values, in the channel
// unweights       int16: of a channel's values, in the next channel
// starts          int16 [size + 1]: a channel's first value
// weight_starts   int16 [size + 1]: and its first weight
// widths          int16 [size + 1]: how many values
// output          uint64 [size]: of all channels but the first
// What prepare sees to: starts and widths lead to values and weights that are there.
void tflm_signal_filter_bank(const tflm_signal_size_t *params, const uint8_t *input,
    const uint8_t *weights, const uint8_t *unweights, const uint8_t *starts,
    const uint8_t *weight_starts, const uint8_t *widths, uint8_t *output) {
    uint64_t carried = 0;
    for (int32_t i = 0; i <= params->size; i++) {
        const uint8_t *values = input + 4 * tflm_load16(starts + 2 * i);
        const int32_t at = 2 * tflm_load16(weight_starts + 2 * i);
        const int32_t width = tflm_load16(widths + 2 * i);
        const uint64_t sum = carried + weighted(values, weights + at, width);
        carried = weighted(values, unweights + at, width);
        if (i > 0) {
            tflm_store32(output, (int32_t)(uint32_t)sum);
            tflm_store32(output + 4, (int32_t)(uint32_t)(sum >> 32));
            output += 8;
        }
    }
}

// The nearest integer to the root of x, but not one of more bits than half of x's.
static uint32_t root_of(uint64_t x) {
    uint64_t root = 0, rest = x;
    const uint32_t upper = (uint32_t)(x >> 32);
    const int32_t bits = upper != 0 ? 32 + bits_of(upper) : bits_of((uint32_t)x | 1);
    for (int32_t at = (bits - 1) & ~1; at >= 0; at -= 2) {
        const uint64_t trial = root + ((uint64_t)1 << at);
        root >>= 1;
        if (rest >= trial) {
            rest -= trial;
            root += (uint64_t)1 << at;
        }
    }
    const uint64_t limit = x >> 32 ? UINT32_MAX : UINT16_MAX;
    return (uint32_t)(rest > root && root < limit ? root + 1 : root);
}

// input       uint64 [size]
// scale_bits  int32 [1]
// output      uint32 [size]: roots, shifted to the right by scale_bits modulo 32, as x86 does for TFLM
void tflm_signal_square_root(const tflm_signal_size_t *params, const uint8_t *input,
    const uint8_t *scale_bits, int32_t *output) {
    const uint32_t bits = load_u32(scale_bits) & 31;
    for (int32_t i = 0; i < params->size; i++) {
        const uint64_t x = load_u32(input + 8 * i) | (uint64_t)load_u32(input + 8 * i + 4) << 32;
        output[i] = (int32_t)(root_of(x) >> bits);
    }
}

// A table's value for n: between its points by a parabola.
static int16_t gain_of(const uint8_t *gains, uint32_t n) {
    if (n <= 2) {
        return tflm_load16(gains + 2 * n);
    }
    const int32_t bits = bits_of(n);
    const uint8_t *at = gains + 2 * (4 * bits - 6);
    const uint32_t part = (bits < 11 ? n << (11 - bits) : n >> (bits - 11)) & 0x3FF;
    int32_t value = (tflm_load16(at + 4) * (int32_t)part) >> 5;
    value += tflm_load16(at + 2) * (1 << 5);
    value = (int32_t)((uint32_t)value * part + (1u << 14)) >> 15;
    return (int16_t)(value + tflm_load16(at));
}

// input   uint32 [size]
// noise   uint32 [size]: estimates
// gains   int16 [125]: by noise
// output  uint32 [size]
// What prepare sees to: snr_bits is 0..31.
void tflm_signal_pcan(const tflm_signal_pcan_t *params, const uint8_t *input, const uint8_t *noise,
    const uint8_t *gains, int32_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const uint32_t gain = (uint32_t)gain_of(gains, load_u32(noise + 4 * i));
        const uint32_t ratio =
            (uint32_t)(((uint64_t)load_u32(input + 4 * i) * gain) >> params->snr_bits);
        output[i] = (int32_t)(ratio < 8192 ? (ratio * ratio) >> 20 : (ratio >> 6) - 64);
    }
}

// 65536 * (log2(1 + i / 128) - i / 128)
static const uint16_t log_table[] = {
    0, 224, 442, 654, 861, 1063, 1259, 1450, 1636, 1817, 1992, 2163, 2329, 2490, 2646, 2797,
    2944, 3087, 3224, 3358, 3487, 3611, 3732, 3848, 3960, 4068, 4172, 4272, 4368, 4460, 4549, 4633,
    4714, 4791, 4864, 4934, 5001, 5063, 5123, 5178, 5231, 5280, 5326, 5368, 5408, 5444, 5477, 5507,
    5533, 5557, 5578, 5595, 5610, 5622, 5631, 5637, 5640, 5641, 5638, 5633, 5626, 5615, 5602, 5586,
    5568, 5547, 5524, 5498, 5470, 5439, 5406, 5370, 5332, 5291, 5249, 5203, 5156, 5106, 5054, 5000,
    4944, 4885, 4825, 4762, 4697, 4630, 4561, 4490, 4416, 4341, 4264, 4184, 4103, 4020, 3935, 3848,
    3759, 3668, 3575, 3481, 3384, 3286, 3186, 3084, 2981, 2875, 2768, 2659, 2549, 2437, 2323, 2207,
    2090, 1971, 1851, 1729, 1605, 1480, 1353, 1224, 1094, 963, 830, 695, 559, 421, 282, 142,
    0, -143};

// The natural logarithm of x > 1, times 65536.
static uint32_t log_of(uint32_t x) {
    const int32_t whole = bits_of(x) - 1;
    const uint32_t rest = x - (1u << whole);
    const uint32_t part = whole < 16 ? rest << (16 - whole) : rest >> (whole - 16);
    const uint32_t at = part >> 9;
    const int32_t low = log_table[at], high = log_table[at + 1];
    const int32_t between = ((high - low) * (int32_t)(part - (at << 9))) >> 16;
    const uint32_t log2 =
        ((uint32_t)whole << 16) + part + (uint32_t)low + (uint32_t)between;
    return (uint32_t)((45426 * (uint64_t)log2 + (1 << 15)) >> 16);
}

// input   uint32 [size]
// output  int16 [size]: logarithms of values that are shifted to the left by correction_bits
// What prepare sees to: correction_bits is 0..31, scale is not negative.
void tflm_signal_log(const tflm_signal_log_t *params, const uint8_t *input, int16_t *output) {
    for (int32_t i = 0; i < params->size; i++) {
        const uint32_t x = load_u32(input + 4 * i) << params->correction_bits;
        const uint32_t log = x > 1 ? log_of(x) : 0;
        const uint32_t y = ((uint32_t)params->scale * log + (1u << 15)) >> 16;
        output[i] = (int16_t)(y < INT16_MAX ? y : INT16_MAX);
    }
}
