#include "elements.h"

size_t tflm_format_size(char format) {
    switch (format) {
        case 'b':
        case 'B':
            return 1;
        case 'h':
        case 'H':
            return 2;
        case 'i':
        case 'f':
            return 4;
        default:
            return 0;
    }
}

void tflm_limits(char format, int32_t *low, int32_t *high) {
    const uint32_t bits = 8 * (uint32_t)tflm_format_size(format);
    const bool is_signed = format >= 'a';
    *high = (int32_t)(UINT32_MAX >> (32 - bits + is_signed));
    *low = is_signed ? -*high - 1 : 0;
}

bool tflm_fits(const tflm_elements_t *from, char format) {
    if (format == 'f' || format == from->format) {
        return true;
    }
    int32_t low, high;
    tflm_limits(format, &low, &high);
    size_t i = 0;
    while (i < from->count && from->format != 'f') {
        const int32_t value = tflm_load(from, i);
        if (value < low || value > high) {
            break;
        }
        i++;
    }
    return i == from->count;
}

void tflm_copy_elements(const tflm_elements_t *from, const tflm_elements_t *to) {
    const size_t size = tflm_format_size(to->format);
    if (from->format == to->format) {
        memmove(to->data, from->data, from->count * size);
        return;
    }
    for (size_t i = 0; i < from->count; i++) {
        const int32_t value = tflm_load(from, i);
        tflm_store(to->data, size, i, to->format == 'f' ? tflm_as_bits(tflm_float_of(value)) : value);
    }
}

static float load_float(const tflm_elements_t *from, size_t i) {
    const int32_t value = tflm_load(from, i);
    return from->format == 'f' ? tflm_as_float(value) : tflm_float_of(value);
}

bool tflm_equal(const tflm_elements_t *a, const tflm_elements_t *b) {
    const bool is_float = a->format == 'f' || b->format == 'f';
    for (size_t i = 0; i < a->count; i++) {
        if (is_float ? load_float(a, i) != load_float(b, i) : tflm_load(a, i) != tflm_load(b, i)) {
            return false;
        }
    }
    return true;
}

static bool is_larger(const tflm_elements_t *of, size_t i, size_t best) {
    if (of->format != 'f') {
        return tflm_load(of, i) > tflm_load(of, best);
    }
    const float largest = load_float(of, best);
    return load_float(of, i) > largest || largest != largest;
}

size_t tflm_argmax(const tflm_elements_t *of) {
    size_t best = 0;
    for (size_t i = 1; i < of->count; i++) {
        if (is_larger(of, i, best)) {
            best = i;
        }
    }
    return best;
}
