// Windows of samples to lines: what is the same on all cores. Source: TFLM's audio_preprocessor, and
// the C front end of pymicro-features 2.0.2.
#include "audio/front.h"

#include <string.h>

#include "audio/tables.h"

enum {
    NOISE_BITS = 14,
    NOISE_EVEN = 409,  // 0.025
    NOISE_ODD = 983,  // 0.06
    FLOOR = 819,  // 0.05
    SIGNAL_BITS = 10,
    LN_2 = 45426,  // of 16 bits
    LOG_SCALE = 64,
    LOG_SEGMENT = 9,  // bits of a fraction between two values of the table
    HIGHEST = 664,  // the value that an int8 of 127 stands for, from which on it saturates
    OF_333 = 25191,  // 2^23 / 333
};

// x * factor / 2^shift, for a factor of less than 2^16 and a shift of at most 16.
static inline uint32_t scaled(uint32_t x, uint32_t factor, int32_t shift) {
    return ((x >> 16) * factor << (16 - shift)) + ((x & 0xFFFF) * factor >> shift);
}

// The new estimate of a band's noise.
static inline uint32_t follow(uint32_t noise, uint32_t signal, uint32_t weight) {
    const uint32_t rest = (1 << NOISE_BITS) - weight;
    const uint32_t high = (signal >> 16) * weight + (noise >> 16) * rest;
    const uint32_t low = (signal & 0xFFFF) * weight + (noise & 0xFFFF) * rest;
    return (high << (16 - NOISE_BITS)) + (low >> NOISE_BITS);
}

// A parabola between two powers of two.
static inline int32_t gain(uint32_t noise) {
    if (noise <= 2) {
        return tflm_audio_gains[noise];
    }
    const int32_t bits = tflm_audio_bits(noise);
    const int16_t *at = tflm_audio_gains + 4 * bits - 6;
    const uint32_t moved = bits < 11 ? noise << (11 - bits) : noise >> (bits - 11);
    const int32_t part = (int32_t)(moved & 1023);
    const int32_t sum = (((at[2] * part) >> 5) + at[1] * 32) * part;
    return (int16_t)(((sum + (1 << 14)) >> 15) + at[0]);
}

static inline uint32_t logarithm(uint32_t x) {
    if (x <= 1) {
        return 0;
    }
    const int32_t whole = tflm_audio_bits(x) - 1;
    const uint32_t rest = x - (1u << whole);
    const uint32_t fraction = whole < 16 ? rest << (16 - whole) : rest >> (whole - 16);
    const uint16_t *at = tflm_audio_logs + (fraction >> LOG_SEGMENT);
    const int32_t within = (int32_t)(fraction & ((1 << LOG_SEGMENT) - 1));
    const int32_t bend = at[0] + (((at[1] - at[0]) * within) >> 16);
    const uint32_t log2 = ((uint32_t)whole << 16) + fraction + (uint32_t)bend;
    const uint32_t ln = LN_2 * (log2 >> 16) + ((LN_2 * (log2 & 0xFFFF) + (1 << 15)) >> 16);
    return (ln * LOG_SCALE + (1 << 15)) >> 16;
}

// The loudness of band `i`, whose root is `signal`.
static inline uint32_t loudness(uint32_t signal, uint32_t *noise, int32_t i) {
    const uint32_t up = signal << SIGNAL_BITS;
    *noise = follow(*noise, up, i % 2 ? NOISE_ODD : NOISE_EVEN);
    const uint32_t above = (up - (*noise < up ? *noise : up)) >> SIGNAL_BITS;
    const uint32_t floor = scaled(signal, FLOOR, 14);
    signal = above > floor ? above : floor;
    const uint32_t ratio = scaled(signal, (uint32_t)gain(*noise), 6);
    signal = ratio < 8192 ? ratio * ratio >> 20 : (ratio >> 6) - 64;
    return logarithm(signal << 3);
}

static void put(uint8_t *line, int32_t i, int32_t value, int32_t output) {
    if (output == TFLM_AUDIO_RAW) {
        line[2 * i] = (uint8_t)value;
        line[2 * i + 1] = (uint8_t)(value >> 8);
    } else if (output == TFLM_AUDIO_ESPHOME) {
        // (value * 256 + 333) / 666, saturated, without a division: exact up to HIGHEST.
        const uint32_t doubled = 128 * (uint32_t)(value > HIGHEST ? HIGHEST : value) + 166;
        line[i] = (uint8_t)(((doubled * OF_333 + OF_333 / 2) >> 23) - 128);
    } else {  // does not saturate
        line[i] = (uint8_t)((value * 2550 + 3328) / 6656 - 128);
    }
}

static void make_line(tflm_audio_front_t *front, uint8_t *line) {
    const bool is_micro = front->front == TFLM_AUDIO_MICRO;
    uint32_t *roots = (uint32_t *)front->work;
    const int32_t shift = tflm_audio_spectrum(front->samples, is_micro, front->work);
    tflm_audio_bands(is_micro, shift, roots);
    for (int32_t i = 0; i < TFLM_AUDIO_BANDS; i++) {
        const uint32_t value = loudness(roots[i], front->noise + i, i);
        put(line, i, (int32_t)value, front->output);
    }
}

int32_t tflm_audio_feed(
    tflm_audio_front_t *front, const uint8_t *samples, int32_t count, uint8_t *line) {
    const int32_t missing = TFLM_AUDIO_WINDOW - front->count;
    if (count > missing) {
        count = missing;
    }
    memcpy(front->samples + front->count, samples, sizeof(int16_t) * (size_t)count);
    front->count = (uint16_t)(front->count + count);
    if (count < missing) {
        return 2 * count;
    }
    make_line(front, line);
    front->count = (uint16_t)(TFLM_AUDIO_WINDOW - front->step);
    memmove(front->samples, front->samples + front->step, sizeof(int16_t) * front->count);
    return 2 * count + 1;
}
