// The second fence before a prepared model, whose checksum anybody can forge: see fence.c.
#ifndef TFLM_FENCE_H
#define TFLM_FENCE_H

#include <stddef.h>
#include <stdint.h>

// What tflm_fence() returns; a positive number is one more than the first node that is not sound.
enum { TFLM_FENCE_SOUND = 0, TFLM_FENCE_TABLES = -1, TFLM_FENCE_KERNELS = -2 };

// Checks the snapshot whose header is at that byte of a file of `size` bytes.
int32_t tflm_fence(const uint8_t *file, size_t size, int32_t header);

#endif
