// See loops.h. Sums are rounded half up, along a row first.
#include "image/loops.h"

enum { CODES = 256, HALF = 1 << 13, BITS = 14 };

static inline uint8_t grey_of(const uint32_t *sums, const uint8_t *pixel) {
    return (uint8_t)((sums[pixel[0]] + sums[CODES + pixel[1]]) >> 16);
}

void tflm_image_greys(const uint32_t *sums, const uint8_t *row, int32_t count, uint8_t *to) {
    const uint8_t *end = to + count;
    if (count & 1) {
        *to++ = grey_of(sums, row);
        row += 2;
    }
    for (; to < end; to += 2, row += 4) {
        to[0] = grey_of(sums, row);
        to[1] = grey_of(sums, row + 2);
    }
}

void tflm_image_pick(
    const uint32_t *sums, const uint8_t *row, const uint16_t *at, int32_t count, uint8_t *to) {
    const uint8_t *end = to + count;
    if (count & 1) {
        *to++ = grey_of(sums, row + *at++);
    }
    for (; to < end; to += 2, at += 2) {
        to[0] = grey_of(sums, row + at[0]);
        to[1] = grey_of(sums, row + at[1]);
    }
}

static inline uint8_t mixed(int32_t a, int32_t b, int32_t weight) {
    return (uint8_t)(a + (((b - a) * weight + 128) >> 8));
}

static inline void mix(const uint8_t *line, const uint16_t *columns, int32_t count,
    int32_t channels, uint8_t *to) {
    for (const uint16_t *end = columns + 2 * count; columns < end; columns += 2) {
        const uint8_t *from = line + columns[0];
        *to = mixed(from[0], from[channels], columns[1]);
        to += channels;
    }
}

void tflm_image_mix(const uint8_t *line, const uint16_t *columns, int32_t count, int32_t channels,
    uint8_t *to) {
    if (channels == 1) {
        mix(line, columns, count, 1, to);
    } else {
        for (int32_t c = 0; c < 3; c++) {
            mix(line + c, columns, count, 3, to + c);
        }
    }
}

// Two bytes of a word at a time: their products with 256 fit its halves.
static inline uint32_t blended(uint32_t a, uint32_t b, uint32_t weight) {
    return a * (CODES - weight) + b * weight + 0x00800080u;
}

void tflm_image_blend(const uint8_t *a, const uint8_t *b, uint32_t weight, int32_t count,
    uint32_t flip, uint8_t *to) {
    const uint32_t even = 0x00FF00FFu;
    const uint8_t *end = to + count;
    if ((uintptr_t)to % sizeof(uint32_t) == 0) {
        const uint32_t *first = (const uint32_t *)(const void *)a;
        const uint32_t *second = (const uint32_t *)(const void *)b;
        const uint32_t flips = flip * 0x01010101u;
        for (; end - to >= 4; to += 4) {
            const uint32_t x = *first++, y = *second++;
            const uint32_t low = blended(x & even, y & even, weight) >> 8 & even;
            const uint32_t high = blended(x >> 8 & even, y >> 8 & even, weight) & ~even;
            *(uint32_t *)(void *)to = (low | high) ^ flips;
        }
        a = (const uint8_t *)first;
        b = (const uint8_t *)second;
    }
    while (to < end) {
        *to++ = (uint8_t)(mixed(*a++, *b++, (int32_t)weight) ^ flip);
    }
}

void tflm_image_sum_columns(const uint8_t *line, const uint16_t *columns, int32_t most,
    int32_t count, int32_t channels, uint8_t *to) {
    for (int32_t x = 0; x < count; x++, columns += 2 + most) {
        const uint8_t *from = line + columns[0];
        const uint16_t *last = columns + 2 + columns[1];
        for (int32_t c = 0; c < channels; c++, from++) {
            const uint8_t *pixel = from;
            uint32_t sum = HALF;
            for (const uint16_t *weight = columns + 2; weight < last; weight++) {
                sum += *weight * *pixel;
                pixel += channels;
            }
            *to++ = (uint8_t)(sum >> BITS);
        }
    }
}

void tflm_image_sum_rows(const uint8_t *rows, const int32_t *slots, const uint16_t *weights,
    int32_t taps, int32_t count, uint32_t flip, uint8_t *to) {
    for (int32_t x = 0; x < count; x++, rows++) {
        uint32_t sum = HALF;
        for (int32_t k = 0; k < taps; k++) {
            sum += (uint32_t)weights[k] * rows[slots[k]];
        }
        *to++ = (uint8_t)((sum >> BITS) ^ flip);
    }
}
