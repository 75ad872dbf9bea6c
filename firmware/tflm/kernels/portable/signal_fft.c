// Fourier transforms of real int16 rows. Source: kiss_fft.c, tools/kiss_fftr.c of kissfft 130.
//
// A row of `length` real numbers is taken for length / 2 complex ones, transformed, and the
// transforms of its even and of its odd numbers are told apart. Before each pass its numbers are
// divided by the radix, rounded; sums wrap.
#include "generated/layout.h"
#include "../load.h"

typedef struct {
    int16_t re, im;
} complex_t;

// A transform of `count` complex numbers.
typedef struct {
    const uint8_t *turns;
    int32_t count, inverse;
} transform_t;

enum { LEVELS = 16 };  // 2^LEVELS numbers at most

static int16_t rounded(uint32_t product) {
    return (int16_t)((int32_t)(product + (1u << 14)) >> 15);
}

static int16_t times_s16(int16_t a, int16_t b) {
    return rounded((uint32_t)(a * b));
}

static complex_t times(complex_t a, complex_t b) {
    return (complex_t){rounded((uint32_t)(a.re * b.re) - (uint32_t)(a.im * b.im)),
        rounded((uint32_t)(a.re * b.im) + (uint32_t)(a.im * b.re))};
}

static complex_t plus(complex_t a, complex_t b) {
    return (complex_t){(int16_t)(a.re + b.re), (int16_t)(a.im + b.im)};
}

static complex_t minus(complex_t a, complex_t b) {
    return (complex_t){(int16_t)(a.re - b.re), (int16_t)(a.im - b.im)};
}

static complex_t divided(complex_t a, int16_t radix) {
    const int16_t factor = (int16_t)(INT16_MAX / radix);
    return (complex_t){times_s16(a.re, factor), times_s16(a.im, factor)};
}

static complex_t turn(const transform_t *of, int32_t i) {
    const uint8_t *at = of->turns + 4 * i;
    return (complex_t){tflm_load16(at), tflm_load16(at + 2)};
}

// The passes of one block: `size` numbers of each part; `step` turns from one number to the next.
static void pass2(const transform_t *of, complex_t *x, int32_t step, int32_t size) {
    for (int32_t k = 0; k < size; k++) {
        const complex_t a = divided(x[k], 2);
        const complex_t b = times(divided(x[k + size], 2), turn(of, k * step));
        x[k] = plus(a, b);
        x[k + size] = minus(a, b);
    }
}

static void pass3(const transform_t *of, complex_t *x, int32_t step, int32_t size) {
    const int16_t third = turn(of, step * size).im;
    for (int32_t k = 0; k < size; k++) {
        const complex_t a = divided(x[k], 3);
        const complex_t b = times(divided(x[k + size], 3), turn(of, k * step));
        const complex_t c = times(divided(x[k + 2 * size], 3), turn(of, 2 * k * step));
        const complex_t sum = plus(b, c), difference = minus(b, c);
        const complex_t side = {times_s16(difference.re, third), times_s16(difference.im, third)};
        const complex_t half = {(int16_t)(sum.re >> 1), (int16_t)(sum.im >> 1)};
        const complex_t middle = minus(a, half);
        x[k] = plus(a, sum);
        x[k + size] = (complex_t){(int16_t)(middle.re - side.im), (int16_t)(middle.im + side.re)};
        x[k + 2 * size] =
            (complex_t){(int16_t)(middle.re + side.im), (int16_t)(middle.im - side.re)};
    }
}

static void pass4(const transform_t *of, complex_t *x, int32_t step, int32_t size) {
    for (int32_t k = 0; k < size; k++) {
        const complex_t a = divided(x[k], 4);
        const complex_t b = times(divided(x[k + size], 4), turn(of, k * step));
        const complex_t c = times(divided(x[k + 2 * size], 4), turn(of, 2 * k * step));
        const complex_t d = times(divided(x[k + 3 * size], 4), turn(of, 3 * k * step));
        const complex_t even = plus(a, c), odd = minus(a, c);
        const complex_t sum = plus(b, d), difference = minus(b, d);
        const complex_t right = {
            (int16_t)(odd.re + difference.im), (int16_t)(odd.im - difference.re)};
        const complex_t left = {
            (int16_t)(odd.re - difference.im), (int16_t)(odd.im + difference.re)};
        x[k] = plus(even, sum);
        x[k + 2 * size] = minus(even, sum);
        x[k + size] = of->inverse ? left : right;
        x[k + 3 * size] = of->inverse ? right : left;
    }
}

// Writes the radices, the outermost first; returns how many.
static int32_t radices(int32_t count, int32_t *levels) {
    static const int32_t known[] = {4, 2, 3};
    int32_t depth = 0;
    for (int32_t i = 0; i < 3; i++) {
        for (; count > 1 && count % known[i] == 0 && depth < LEVELS; count /= known[i]) {
            levels[depth++] = known[i];
        }
    }
    return depth;
}

// Number `index` of a row, which is followed by zeros.
static complex_t number(const uint8_t *row, int32_t length, int32_t index) {
    const int32_t i = 2 * index;
    return (complex_t){i < length ? tflm_load16(row + 2 * i) : 0,
        i + 1 < length ? tflm_load16(row + 2 * i + 2) : 0};
}

// Transforms a row of `length` real numbers, or half as many complex ones, into x.
static void transform(const transform_t *of, const uint8_t *row, int32_t length, complex_t *x) {
    int32_t levels[LEVELS], digits[LEVELS] = {0}, weights[LEVELS];
    const int32_t depth = radices(of->count, levels);
    int32_t weight = 1, from = 0;
    for (int32_t i = 0; i < depth; i++) {
        weights[i] = weight;
        weight *= levels[i];
    }
    for (int32_t to = 0; to < of->count; to++) {
        x[to] = number(row, length, from);
        for (int32_t i = depth - 1; i >= 0; i--) {  // the innermost digit changes first
            from += weights[i];
            if (++digits[i] < levels[i]) {
                break;
            }
            from -= digits[i] * weights[i];
            digits[i] = 0;
        }
    }
    int32_t size = 1;
    for (int32_t i = depth - 1; i >= 0; i--) {
        const int32_t block = size * levels[i];
        for (int32_t at = 0; at < of->count; at += block) {
            (levels[i] == 4 ? pass4 : levels[i] == 2 ? pass2 : pass3)(
                of, x + at, of->count / block, size);
        }
        size = block;
    }
}

static transform_t transform_of(const tflm_signal_rfft_t *params, int32_t inverse) {
    return (transform_t){(const void *)params->turns, params->length / 2, inverse};
}

static void store(int16_t *output, int32_t i, int32_t re, int32_t im) {
    output[2 * i] = (int16_t)re;
    output[2 * i + 1] = (int16_t)im;
}

// input    int16 [rows, input_length]; zeros follow up to `length`
// output   int16 [rows, length / 2 + 1, 2]: complex numbers
// scratch  int16 [length]
// What prepare sees to: length is even, its half a product of 2 and 3; input_length is at most
// length.
void tflm_signal_rfft_s16(const tflm_signal_rfft_t *params, const uint8_t *input, int16_t *output,
    int16_t *scratch) {
    const transform_t of = transform_of(params, 0);
    complex_t *x = (void *)scratch;
    for (int32_t r = 0; r < params->rows; r++) {
        transform(&of, input, params->input_length, x);
        const complex_t first = divided(x[0], 2);
        store(output, 0, first.re + first.im, 0);
        store(output, of.count, first.re - first.im, 0);
        for (int32_t k = 1; k <= of.count / 2; k++) {
            const complex_t a = divided(x[k], 2);
            const complex_t back = {x[of.count - k].re, (int16_t)-x[of.count - k].im};
            const complex_t b = divided(back, 2);
            const complex_t even = plus(a, b);
            const complex_t odd = times(minus(a, b), turn(&of, of.count + k - 1));
            store(output, k, (even.re + odd.re) >> 1, (even.im + odd.im) >> 1);
            store(output, of.count - k, (even.re - odd.re) >> 1, (odd.im - even.im) >> 1);
        }
        input += 2 * params->input_length;
        output += params->length + 2;
    }
}

// input    int16 [rows, length / 2 + 1, 2]: complex numbers
// output   int16 [rows, length]
// scratch  int16 [length]
void tflm_signal_irfft_s16(const tflm_signal_rfft_t *params, const uint8_t *input, int16_t *output,
    int16_t *scratch) {
    const transform_t of = transform_of(params, 1);
    complex_t *x = (void *)scratch;
    for (int32_t r = 0; r < params->rows; r++) {
        const int16_t low = tflm_load16(input), high = tflm_load16(input + 4 * of.count);
        x[0] = divided((complex_t){(int16_t)(low + high), (int16_t)(low - high)}, 2);
        for (int32_t k = 1; k <= of.count / 2; k++) {
            const uint8_t *at = input + 4 * k, *back = input + 4 * (of.count - k);
            const complex_t a = divided((complex_t){tflm_load16(at), tflm_load16(at + 2)}, 2);
            const complex_t b = divided(
                (complex_t){tflm_load16(back), (int16_t)-tflm_load16(back + 2)}, 2);
            const complex_t even = plus(a, b);
            const complex_t odd = times(minus(a, b), turn(&of, of.count + k - 1));
            const complex_t other = minus(even, odd);
            x[k] = plus(even, odd);
            x[of.count - k] = (complex_t){other.re, (int16_t)-other.im};
        }
        transform(&of, (const uint8_t *)scratch, params->length, (void *)output);
        input += 2 * params->input_length;
        output += params->length;
    }
}
