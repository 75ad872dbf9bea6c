// See loops.h. Sums are rounded half up, along a row first.
#include "image/loops.h"

enum { CODES = 256, HALF = 1 << 13, BITS = 14 };

static inline uint8_t grey_of(
    const uint32_t *first, const uint32_t *second, const uint8_t *pixel) {
    return (uint8_t)((first[pixel[0]] + second[pixel[1]]) >> 16);
}

void tflm_image_greys(const uint32_t *sums, const uint32_t *second, const uint8_t *row,
    int32_t count, uint8_t *to) {
    for (; (count & 3) != 0; count--, row += 2) {
        *to++ = grey_of(sums, second, row);
    }
    for (const uint8_t *end = to + count; to != end; to += 4, row += 8) {
        to[0] = grey_of(sums, second, row);
        to[1] = grey_of(sums, second, row + 2);
        to[2] = grey_of(sums, second, row + 4);
        to[3] = grey_of(sums, second, row + 6);
    }
}

void tflm_image_pick(const uint32_t *sums, const uint32_t *second, const uint8_t *row,
    const uint16_t *at, int32_t count, uint8_t *to) {
    for (; (count & 3) != 0; count--) {
        *to++ = grey_of(sums, second, row + *at++);
    }
    for (const uint8_t *end = to + count; to != end; to += 4, at += 4) {
        to[0] = grey_of(sums, second, row + at[0]);
        to[1] = grey_of(sums, second, row + at[1]);
        to[2] = grey_of(sums, second, row + at[2]);
        to[3] = grey_of(sums, second, row + at[3]);
    }
}

static inline uint8_t mixed(int32_t a, int32_t b, int32_t weight) {
    return (uint8_t)(a + (((b - a) * weight + 128) >> 8));
}

static inline uint8_t mix(const uint8_t *line, const uint16_t *column) {
    const uint8_t *from = line + column[0];
    return mixed(from[0], from[1], column[1]);
}

void tflm_image_mix(const uint8_t *line, const uint16_t *columns, int32_t count, uint8_t *to) {
    for (; (count & 3) != 0; count--, columns += 2) {
        *to++ = mix(line, columns);
    }
    for (const uint8_t *end = to + count; to != end; to += 4, columns += 8) {
        to[0] = mix(line, columns);
        to[1] = mix(line, columns + 2);
        to[2] = mix(line, columns + 4);
        to[3] = mix(line, columns + 6);
    }
}

void tflm_image_mix_colours(
    const uint8_t *line, const uint16_t *columns, int32_t count, uint8_t *to) {
    for (const uint8_t *end = to + 3 * count; to != end; to += 3, columns += 2) {
        const uint8_t *from = line + columns[0];
        const int32_t weight = columns[1];
        to[0] = mixed(from[0], from[3], weight);
        to[1] = mixed(from[1], from[4], weight);
        to[2] = mixed(from[2], from[5], weight);
    }
}

// Two bytes of a word at a time: their products with 256 fit its halves, and what their difference
// borrows of each other is paid back.
static inline uint32_t blended(uint32_t a, uint32_t b, uint32_t weight) {
    return (a << 8) + (b - a) * weight + 0x00800080u;
}

void tflm_image_blend(const uint8_t *a, const uint8_t *b, uint32_t weight, int32_t count,
    uint32_t flip, uint8_t *to) {
    const uint32_t even = 0x00FF00FFu, flips = flip * 0x01010101u;
    const uint8_t *end = to + count;
    if ((uintptr_t)to % sizeof(uint32_t) == 0) {
        const uint32_t *first = (const uint32_t *)(const void *)a;
        const uint32_t *second = (const uint32_t *)(const void *)b;
        for (const uint8_t *last = to + (count & ~3); to != last; to += 4) {
            const uint32_t x = *first++, y = *second++;
            const uint32_t low = blended(x & even, y & even, weight) >> 8 & even;
            const uint32_t high = blended(x >> 8 & even, y >> 8 & even, weight) >> 8 & even;
            *(uint32_t *)(void *)to = (low | high << 8) ^ flips;
        }
        a = (const uint8_t *)first;
        b = (const uint8_t *)second;
    }
    while (to != end) {
        *to++ = (uint8_t)(mixed(*a++, *b++, (int32_t)weight) ^ flip);
    }
}

static inline uint8_t narrowed(uint32_t sum) {
    return (uint8_t)(sum >> BITS);
}

void tflm_image_sum_columns(const uint8_t *line, const uint16_t *columns, int32_t most,
    int32_t count, uint8_t *to) {
    for (const uint8_t *end = to + count; to != end; columns += 2 + most) {
        const uint8_t *from = line + columns[0];
        const uint16_t *weight = columns + 2;
        uint32_t sum = HALF;
        for (int32_t taps = columns[1]; taps > 0; taps--) {
            sum += (uint32_t)*weight++ * *from++;
        }
        *to++ = narrowed(sum);
    }
}

void tflm_image_sum_colours(const uint8_t *line, const uint16_t *columns, int32_t most,
    int32_t count, uint8_t *to) {
    for (const uint8_t *end = to + 3 * count; to != end; to += 3, columns += 2 + most) {
        const uint8_t *from = line + columns[0];
        const uint16_t *weight = columns + 2;
        uint32_t red = HALF, green = HALF, blue = HALF;
        for (int32_t taps = columns[1]; taps > 0; taps--, from += 3) {
            const uint32_t one = *weight++;
            red += one * from[0];
            green += one * from[1];
            blue += one * from[2];
        }
        to[0] = narrowed(red);
        to[1] = narrowed(green);
        to[2] = narrowed(blue);
    }
}

// One weight for three bytes of a row at a time.
void tflm_image_sum_rows(const uint8_t *rows, const int32_t *slots, const uint16_t *weights,
    int32_t taps, int32_t count, uint32_t flip, uint8_t *to) {
    for (; count > 0; count -= 3, rows += 3) {
        uint32_t sum = HALF, next = HALF, last = HALF;
        for (int32_t k = 0; k < taps; k++) {
            const uint8_t *from = rows + slots[k];
            const uint32_t weight = weights[k];
            sum += weight * from[0];
            next += weight * from[1];
            last += weight * from[2];
        }
        *to++ = (uint8_t)(narrowed(sum) ^ flip);
        if (count > 1) {
            *to++ = (uint8_t)(narrowed(next) ^ flip);
        }
        if (count > 2) {
            *to++ = (uint8_t)(narrowed(last) ^ flip);
        }
    }
}
