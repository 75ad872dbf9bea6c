// The sum of a prepared model's snapshot: h = (rotl(h, 5) ^ word) * odd over its words.
#ifndef TFLM_CHECKSUM_H
#define TFLM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t tflm_add_word(uint32_t sum, uint32_t word) {
    return ((sum << 5 | sum >> 27) ^ word) * 0x9e3779b1u;
}

static inline uint32_t tflm_checksum(const uint32_t *word, size_t n) {
    uint32_t sum = 0;
    for (; n % 8 != 0; n--) {
        sum = tflm_add_word(sum, *word++);
    }
    for (; n != 0; n -= 8, word += 8) {
        sum = tflm_add_word(tflm_add_word(sum, word[0]), word[1]);
        sum = tflm_add_word(tflm_add_word(sum, word[2]), word[3]);
        sum = tflm_add_word(tflm_add_word(sum, word[4]), word[5]);
        sum = tflm_add_word(tflm_add_word(sum, word[6]), word[7]);
    }
    return sum;
}

#endif
