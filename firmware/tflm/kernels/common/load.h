// Words that lie at any alignment, as all data inside a model does.
//
// A Cortex-M0 faults on a misaligned word, so words are put together from bytes; a compiler for
// a core without that limit makes one load of it.
#ifndef TFLM_LOAD_H
#define TFLM_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int16_t tflm_load16(const uint8_t *p) {
    return (int16_t)(p[0] | p[1] << 8);
}

static inline int32_t tflm_load32(const uint8_t *p) {
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static inline void tflm_store32(uint8_t *p, int32_t word) {
#ifdef __ARM_FEATURE_UNALIGNED  // GCC makes ten instructions of four stores
    memcpy(p, &word, sizeof(word));
#else
    p[0] = (uint8_t)word;
    p[1] = (uint8_t)(word >> 8);
    p[2] = (uint8_t)(word >> 16);
    p[3] = (uint8_t)(word >> 24);
#endif
}

// Element i of an optional bias vector; 0 when the node has none.
static inline int32_t tflm_bias(const uint8_t *bias, int32_t i) {
    return bias == NULL ? 0 : tflm_load32(bias + 4 * i);
}

#endif
