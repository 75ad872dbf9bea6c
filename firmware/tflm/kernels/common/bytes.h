// Bytes that are moved or filled, by words where they lie so. The libraries of small cores go byte
// by byte.
#ifndef TFLM_BYTES_H
#define TFLM_BYTES_H

#include <stddef.h>
#include <stdint.h>

// Moves nbytes bytes between any places; they may overlap.
void tflm_move(uint8_t *to, const uint8_t *from, size_t nbytes);

// Sets nbytes bytes to the low byte of value.
void tflm_fill(uint8_t *to, int32_t value, size_t nbytes);

// Sets `count` runs of `size` bytes, so many bytes apart.
void tflm_fill_rows(uint8_t *to, int32_t step, int32_t value, size_t size, int32_t count);

// Moves `count` runs of `size` bytes, so many bytes apart. No two runs share bytes, except one that
// lies in its place.
void tflm_move_rows(uint8_t *to, int32_t to_step, const uint8_t *from, int32_t from_step,
    size_t size, int32_t count);

// Writes an output of `rank` dimensions in order; dims are pairs (extent, step of the input in
// bytes), outermost first. An element has so many bytes. rank: 2 or more.
void tflm_gather(
    uint8_t *to, const uint8_t *from, size_t element, const int32_t *dims, int32_t rank);

#endif
