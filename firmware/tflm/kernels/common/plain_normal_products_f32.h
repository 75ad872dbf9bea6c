// The kernels of portable/normal_products_f32.c. A file of an ISA that replaces it includes this one, too, and
// gives its functions other names.
#ifndef TFLM_PLAIN_NORMAL_PRODUCTS_F32_H
#define TFLM_PLAIN_NORMAL_PRODUCTS_F32_H

#include "normal_products_f32.h"

#include "float32.h"

enum {
    SIGN = 31,
    BEHIND = 7,      // bits behind a mantissa's last; its first is bit 30
    MOST = 27,       // places from which on nothing of a summand is seen
    LARGEST = 254,   // exponent, as a float32 has it
    NOTHING = -512,  // the exponent of a sum of 0: below that of all products
};

#define FIRST (1u << 30)

// (-1)^sign * mantissa * 2^(exponent - 127 - 30); the sign in its place in a word
typedef struct {
    uint32_t mantissa, sign;
    int32_t exponent;
} parts_t;

static int is_normal(int32_t exponent) {
    return (uint32_t)(exponent - 1) < LARGEST;
}

static int32_t exponent_of(uint32_t bits) {
    return (int32_t)(bits >> 23 & 0xFF);
}

// Rounds a mantissa to 24 bits, ties to even.
static inline void round_parts(parts_t *parts) {
    const uint32_t tie = (1u << (BEHIND - 1)) - 1 + (parts->mantissa >> BEHIND & 1);
    parts->mantissa = (parts->mantissa + tie) >> BEHIND << BEHIND;
    if (parts->mantissa >> SIGN) {
        parts->mantissa = FIRST;
        parts->exponent++;
    }
}

// Bits that are lost leave a 1 behind.
static inline uint32_t shift_right(uint32_t value, int32_t count) {
    if (count <= BEHIND) {  // a rounded mantissa loses nothing
        return value >> count;
    }
    const uint32_t rest = count < MOST ? value >> count : 0;
    return count < MOST && rest << count != value ? rest | 1 : rest;
}

static inline parts_t product_of(uint32_t a, uint32_t b) {
    const uint32_t hidden = 1u << 23;
    const uint64_t product =
        (uint64_t)((a & (hidden - 1)) | hidden) * ((b & (hidden - 1)) | hidden);
    const uint32_t lost = (uint32_t)product & 0xFFFF;
    parts_t parts = {(uint32_t)(product >> 16), (a ^ b) >> SIGN << SIGN,
        exponent_of(a) + exponent_of(b) - 127};
    if (parts.mantissa >> SIGN) {
        parts.mantissa = parts.mantissa >> 1 | (parts.mantissa & 1);
        parts.exponent++;
    }
    parts.mantissa |= lost != 0;
    round_parts(&parts);
    return parts;
}

static inline parts_t sum_of(parts_t a, parts_t b) {
    if (a.exponent < b.exponent) {
        const parts_t other = a;
        a = b;
        b = other;
    }
    b.mantissa = shift_right(b.mantissa, a.exponent - b.exponent);
    if (a.sign == b.sign) {
        a.mantissa += b.mantissa;
        if (a.mantissa >> SIGN) {
            a.mantissa = a.mantissa >> 1 | (a.mantissa & 1);
            a.exponent++;
        }
    } else {
        if (a.mantissa < b.mantissa) {
            a.mantissa = b.mantissa - a.mantissa;
            a.sign = b.sign;
        } else {
            a.mantissa -= b.mantissa;
        }
        if (a.mantissa == 0) {
            return (parts_t){0, 0, NOTHING};
        }
        for (; a.mantissa < FIRST; a.mantissa <<= 1) {
            a.exponent--;
        }
    }
    round_parts(&a);
    return a;
}

static uint32_t bits_of(parts_t parts) {
    const uint32_t fraction = parts.mantissa >> BEHIND & ((1u << 23) - 1);
    return parts.mantissa == 0 ? 0 : parts.sign | (uint32_t)parts.exponent << 23 | fraction;
}

// Whether the product of a and b is 0.
static int is_nothing(uint32_t a, uint32_t b) {
    return (a << 1 == 0 && exponent_of(b) <= LARGEST) || (b << 1 == 0 && exponent_of(a) <= LARGEST);
}

uint32_t tflm_add_normal_products(uint32_t sum, tflm_products_t *products) {
    parts_t total = {0, 0, NOTHING};
    if (sum != 0) {
        if (!is_normal(exponent_of(sum))) {
            return sum;
        }
        total = (parts_t){((sum << BEHIND) & (FIRST - 1)) | FIRST, sum >> SIGN << SIGN,
            exponent_of(sum)};
    }
    for (; products->x != products->end; products->x += products->next_x) {
        const uint32_t a = (uint32_t)tflm_load32(products->x);
        const uint32_t b = (uint32_t)tflm_load32(products->w);
        if (is_normal(exponent_of(a)) && is_normal(exponent_of(b))) {
            const parts_t product = product_of(a, b), next = sum_of(total, product);
            if (!is_normal(product.exponent)
                || (next.mantissa != 0 && !is_normal(next.exponent))) {
                break;
            }
            total = next;
        } else if (!is_nothing(a, b)) {
            break;
        }
        products->w += products->next_w;
    }
    return bits_of(total);
}

#endif
