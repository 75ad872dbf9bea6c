// Reading FlatBuffers in place, every position checked: the C counterpart of mp_modules/tflm/file/flatbuffer.py.
#ifndef TFLM_FLATBUFFER_H
#define TFLM_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A FlatBuffer at any alignment; shorter than 2^31 bytes.
typedef struct {
    const uint8_t *data;
    size_t size;
} tflm_flatbuffer_t;

// Positions are bytes from the start. Each function returns false, and sets nothing that may be
// used, where what it reads would leave the buffer.
bool tflm_flatbuffer_i32(tflm_flatbuffer_t buf, int32_t pos, int32_t *value);
bool tflm_flatbuffer_u8(tflm_flatbuffer_t buf, int32_t pos, uint8_t *value);
bool tflm_flatbuffer_follow(tflm_flatbuffer_t buf, int32_t pos, int32_t *target);
bool tflm_flatbuffer_vector(
    tflm_flatbuffer_t buf, int32_t pos, int32_t item_size, int32_t *first, int32_t *count);

// Sets fields[0 .. count-1] to the positions of the first fields of the table at pos, 0 where a
// field is absent.
bool tflm_flatbuffer_table(tflm_flatbuffer_t buf, int32_t pos, int32_t *fields, size_t count);

#endif
