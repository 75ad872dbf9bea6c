// Fourier transforms of real rows. Source: kiss_fft.c, tools/kiss_fftr.c of kissfft 130.
//
// A row of `length` real numbers is transformed as length / 2 complex ones. The transforms of its
// even and of its odd numbers are then separated. Before each pass integers are
// divided by the radix, rounded; sums wrap.
//
// Included once by the file of each type, which defines before:
//   real_t                         the type
//   complex_t                      {real_t re, im}
//   load(p)                        a number at any alignment
//   add(a, b), sub(a, b)           which wrap
//   scaled(a, b), times(a, b)      products of reals and of complex numbers, rounded
//   divided(a, radix)              a complex number
//   NEGATIVE(a)                    which wraps
//   half_sum(a, b), half_difference(a, b)
#ifndef TFLM_FFT_H
#define TFLM_FFT_H

enum { LEVELS = 16, SIZE = sizeof(real_t) };  // 2^LEVELS numbers at most

static inline complex_t plus(complex_t a, complex_t b) {
    return (complex_t){add(a.re, b.re), add(a.im, b.im)};
}

static inline complex_t minus(complex_t a, complex_t b) {
    return (complex_t){sub(a.re, b.re), sub(a.im, b.im)};
}

// Of a number of these parts.
static inline complex_t conjugate(real_t re, real_t im) {
    return (complex_t){re, NEGATIVE(im)};
}

// A transform of `count` complex numbers.
typedef struct {
    const uint8_t *turns;
    int32_t count, inverse;
} transform_t;

static inline complex_t turn(const transform_t *of, int32_t i) {
    const uint8_t *at = of->turns + 2 * SIZE * i;
    return (complex_t){load(at), load(at + SIZE)};
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
    const real_t third = turn(of, step * size).im;
    for (int32_t k = 0; k < size; k++) {
        const complex_t a = divided(x[k], 3);
        const complex_t b = times(divided(x[k + size], 3), turn(of, k * step));
        const complex_t c = times(divided(x[k + 2 * size], 3), turn(of, 2 * k * step));
        const complex_t sum = plus(b, c), difference = minus(b, c);
        const complex_t side = {scaled(difference.re, third), scaled(difference.im, third)};
        const complex_t half = {half_sum(sum.re, 0), half_sum(sum.im, 0)};
        const complex_t middle = minus(a, half);
        x[k] = plus(a, sum);
        x[k + size] = (complex_t){sub(middle.re, side.im), add(middle.im, side.re)};
        x[k + 2 * size] =
            (complex_t){add(middle.re, side.im), sub(middle.im, side.re)};
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
            add(odd.re, difference.im), sub(odd.im, difference.re)};
        const complex_t left = {
            sub(odd.re, difference.im), add(odd.im, difference.re)};
        x[k] = plus(even, sum);
        x[k + 2 * size] = minus(even, sum);
        x[k + size] = of->inverse ? left : right;
        x[k + 3 * size] = of->inverse ? right : left;
    }
}

// a + b * u + c * v
static inline complex_t mixed(complex_t a, complex_t b, real_t u, complex_t c, real_t v) {
    return (complex_t){add(add(a.re, scaled(b.re, u)), scaled(c.re, v)),
        add(add(a.im, scaled(b.im, u)), scaled(c.im, v))};
}

static void pass5(const transform_t *of, complex_t *x, int32_t step, int32_t size) {
    const complex_t one = turn(of, step * size), two = turn(of, 2 * step * size);
    for (int32_t k = 0; k < size; k++) {
        const complex_t a = divided(x[k], 5);
        complex_t part[5];
        for (int32_t i = 1; i < 5; i++) {
            part[i] = times(divided(x[k + i * size], 5), turn(of, i * k * step));
        }
        const complex_t outer = plus(part[1], part[4]), inner = plus(part[2], part[3]);
        const complex_t wide = minus(part[1], part[4]), narrow = minus(part[2], part[3]);
        const complex_t first = mixed(a, outer, one.re, inner, two.re);
        const complex_t second = mixed(a, outer, two.re, inner, one.re);
        const complex_t side = {add(scaled(wide.im, one.im), scaled(narrow.im, two.im)),
            sub(NEGATIVE(scaled(wide.re, one.im)), scaled(narrow.re, two.im))};
        const complex_t other = {sub(scaled(narrow.im, one.im), scaled(wide.im, two.im)),
            sub(scaled(wide.re, two.im), scaled(narrow.re, one.im))};
        x[k] = plus(a, plus(outer, inner));
        x[k + size] = minus(first, side);
        x[k + 2 * size] = plus(second, other);
        x[k + 3 * size] = minus(second, other);
        x[k + 4 * size] = plus(first, side);
    }
}

// Writes the radices, the outermost first; returns how many.
static int32_t radices(int32_t count, int32_t *levels) {
    static const int32_t known[] = {4, 2, 3, 5};
    int32_t depth = 0;
    for (int32_t i = 0; i < 4; i++) {
        for (; count > 1 && count % known[i] == 0 && depth < LEVELS; count /= known[i]) {
            levels[depth++] = known[i];
        }
    }
    return depth;
}

// Number `index` of a row, which is followed by zeros.
static inline complex_t number(const uint8_t *row, int32_t length, int32_t index) {
    const int32_t i = 2 * index;
    const uint8_t *at = row + SIZE * i;
    return (complex_t){i < length ? load(at) : 0, i + 1 < length ? load(at + SIZE) : 0};
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
            (levels[i] == 4 ? pass4 : levels[i] == 2 ? pass2 : levels[i] == 3 ? pass3 : pass5)(
                of, x + at, of->count / block, size);
        }
        size = block;
    }
}

static inline void store(real_t *output, int32_t i, real_t re, real_t im) {
    output[2 * i] = re;
    output[2 * i + 1] = im;
}

static inline void rfft(
    const tflm_signal_rfft_t *params, const uint8_t *input, real_t *output, void *scratch) {
    const transform_t of = {(const void *)params->turns, params->length / 2, 0};
    complex_t *x = scratch;
    for (int32_t r = 0; r < params->rows; r++) {
        transform(&of, input, params->input_length, x);
        const complex_t first = divided(x[0], 2);
        store(output, 0, add(first.re, first.im), 0);
        store(output, of.count, sub(first.re, first.im), 0);
        for (int32_t k = 1; k <= of.count / 2; k++) {
            const complex_t a = divided(x[k], 2);
            const complex_t b = divided(conjugate(x[of.count - k].re, x[of.count - k].im), 2);
            const complex_t even = plus(a, b);
            const complex_t odd = times(minus(a, b), turn(&of, of.count + k - 1));
            store(output, k, half_sum(even.re, odd.re), half_sum(even.im, odd.im));
            store(output, of.count - k, half_difference(even.re, odd.re),
                half_difference(odd.im, even.im));
        }
        input += SIZE * params->input_length;
        output += params->length + 2;
    }
}

static inline void irfft(
    const tflm_signal_rfft_t *params, const uint8_t *input, real_t *output, void *scratch) {
    const transform_t of = {(const void *)params->turns, params->length / 2, 1};
    complex_t *x = scratch;
    for (int32_t r = 0; r < params->rows; r++) {
        const real_t low = load(input), high = load(input + 2 * SIZE * of.count);
        x[0] = divided((complex_t){add(low, high), sub(low, high)}, 2);
        for (int32_t k = 1; k <= of.count / 2; k++) {
            const uint8_t *at = input + 2 * SIZE * k, *back = input + 2 * SIZE * (of.count - k);
            const complex_t a = divided((complex_t){load(at), load(at + SIZE)}, 2);
            const complex_t b = divided(conjugate(load(back), load(back + SIZE)), 2);
            const complex_t even = plus(a, b);
            const complex_t odd = times(minus(a, b), turn(&of, of.count + k - 1));
            const complex_t other = minus(even, odd);
            x[k] = plus(even, odd);
            x[of.count - k] = conjugate(other.re, other.im);
        }
        transform(&of, scratch, params->length, (void *)output);
        input += SIZE * params->input_length;
        output += params->length;
    }
}

#endif
