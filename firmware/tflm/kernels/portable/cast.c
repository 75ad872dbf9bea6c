// CAST. Source: tensorflow/lite/micro/kernels/cast.cc; what does not fit an integer becomes its
// nearest end, and what is not a number 0.
#include "../common/bytes.h"
#include "../common/float32.h"
#include "../common/load.h"
#include "generated/layout.h"

// TensorType of TFLite's schema
enum { FLOAT32 = 0, INT32 = 2, INT64 = 4, BOOL = 6, INT16 = 7, INT8 = 9, UINT32 = 15 };
enum { BLOCK = 32 };  // elements at a time

typedef struct {
    float low, high;  // what is not between them becomes one of the ends
    int32_t least, most;
} range_t;

static range_t range_of(int32_t type) {
    switch (type) {
        case INT8:
            return (range_t){INT8_MIN, INT8_MAX, INT8_MIN, INT8_MAX};
        case INT16:
            return (range_t){INT16_MIN, INT16_MAX, INT16_MIN, INT16_MAX};
        default:
            return (range_t){-0x1p31f, 0x1p31f, INT32_MIN, INT32_MAX};
    }
}

static int32_t integer(float x, const range_t *range) {
    if (x >= range->high) {
        return range->most;
    }
    return x > range->low ? (int32_t)x : x <= range->low ? range->least : 0;
}

static int32_t unsigned_integer(float x) {
    if (x >= 0x1p32f) {
        return -1;
    }
    return x > 0 ? (int32_t)(uint32_t)x : 0;
}

static void load_floats(int32_t *words, const uint8_t *from, int32_t count, int32_t target) {
    const range_t range = range_of(target);
    for (int32_t i = 0; i < count; i++) {
        const float x = tflm_load_f32(from + 4 * i);
        if (target == BOOL) {
            words[i] = x != 0;
        } else {
            words[i] = target == UINT32 ? unsigned_integer(x) : integer(x, &range);
        }
    }
}

static void load(int32_t *words, const uint8_t *from, int32_t count, int32_t type) {
    for (int32_t i = 0; i < count; i++) {
        switch (type) {
            case INT8:
                words[i] = (int8_t)from[i];
                break;
            case BOOL:
                words[i] = from[i] != 0;
                break;
            case INT16:
                words[i] = tflm_load16(from + 2 * i);
                break;
            default:
                words[i] = tflm_load32(from + 4 * i);
        }
    }
}

static void store(uint8_t *to, const int32_t *words, int32_t count, int32_t type) {
    for (int32_t i = 0; i < count; i++) {
        switch (type) {
            case INT8:
                to[i] = (uint8_t)words[i];
                break;
            case BOOL:
                to[i] = words[i] != 0;
                break;
            case INT16:
                to[2 * i] = (uint8_t)words[i];
                to[2 * i + 1] = (uint8_t)(words[i] >> 8);
                break;
            default:
                tflm_store32(to + 4 * i, words[i]);
        }
    }
}

static int32_t size_of(int32_t type) {
    return type == INT8 || type == BOOL ? 1 : type == INT16 ? 2 : type == INT64 ? 8 : 4;
}

static int64_t wide_of_float(float x) {
    const int32_t bits = tflm_bits(x);
    const int32_t exponent = (bits >> 23 & 255) - 150;
    const int64_t mantissa = (bits & 0x7FFFFF) | 0x800000;
    if (!(x > -0x1p63f && x < 0x1p63f)) {
        return x != x ? 0 : x > 0 ? INT64_MAX : INT64_MIN;
    }
    const int64_t size = exponent >= 0 ? mantissa << exponent
        : exponent > -24               ? mantissa >> -exponent
                                       : 0;
    return x < 0 ? -size : size;
}

// To nearest, ties to even. Bits beyond 31 are shifted out; the last bit stays 1 if one of them was.
static float float_of_wide(int64_t x) {
    uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x;
    int32_t exponent = 0;
    for (; size >> 31; exponent++) {
        size = size >> 1 | (size & 1);
    }
    const float power = tflm_float((127 + exponent) << 23);
    return (float)(x < 0 ? -(int32_t)size : (int32_t)size) * power;
}

// One element, of which either type is int64.
static void cast_wide(const uint8_t *from, int32_t source, uint8_t *to, int32_t target) {
    int32_t word;
    int64_t value;
    if (source == FLOAT32) {
        value = wide_of_float(tflm_load_f32(from));
    } else if (source == INT64) {
        const uint32_t high = (uint32_t)tflm_load32(from + 4);
        value = (int64_t)((uint64_t)high << 32 | (uint32_t)tflm_load32(from));
    } else {
        load(&word, from, 1, source);
        value = source == UINT32 ? (int64_t)(uint32_t)word : word;
    }
    word = target == BOOL ? value != 0 : (int32_t)value;
    if (target == FLOAT32) {
        tflm_store_f32(to, float_of_wide(value));
    } else {
        store(to, &word, 1, target);
    }
    if (target == INT64) {
        tflm_store32(to + 4, (int32_t)(value >> 32));
    }
}

// input   [size] of type source
// output  [size] of type target; it may overlap the input if its elements are not larger
void tflm_cast(const tflm_cast_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t source = params->source;
    const int32_t target = params->target;
    int32_t words[BLOCK];
    if ((source == INT32 || source == UINT32) && (target == INT32 || target == UINT32)) {
        tflm_move(output, input, (size_t)params->size * sizeof(words[0]));
        return;
    }
    if (source == INT64 || target == INT64) {
        for (int32_t i = 0; i < params->size; i++) {
            cast_wide(input + i * size_of(source), source, output + i * size_of(target), target);
        }
        return;
    }
    for (int32_t done = 0; done < params->size; done += BLOCK) {
        const int32_t left = params->size - done;
        const int32_t count = left < BLOCK ? left : BLOCK;
        const uint8_t *from = input + done * size_of(source);
        uint8_t *to = output + done * size_of(target);
        if (source == FLOAT32) {
            load_floats(words, from, count, target);
        } else {
            load(words, from, count, source);
        }
        if (target == FLOAT32 && source == UINT32) {
            for (int32_t i = 0; i < count; i++) {
                tflm_store_f32(to + 4 * i, (float)(uint32_t)words[i]);
            }
        } else if (target == FLOAT32) {
            for (int32_t i = 0; i < count; i++) {
                tflm_store_f32(to + 4 * i, (float)words[i]);
            }
        } else {
            store(to, words, count, target);
        }
    }
}
