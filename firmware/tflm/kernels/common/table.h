// A table in the place of a function of one int8.
#ifndef TFLM_TABLE_H
#define TFLM_TABLE_H

#include <stdint.h>

// Writes table[input[i]] to output[i], in order; the table has 256 bytes, an int8 counts as its
// bits do.
void tflm_look_up(const uint8_t *table, const int8_t *input, int8_t *output, int32_t count);

// Writes what a function makes of each input, in order; output may be input.
typedef void (*tflm_function_t)(
    const void *params, const int8_t *input, int8_t *output, int32_t count);

// Calls the function for `count` elements, or, where they are many, for each int8 once.
void tflm_by_table(tflm_function_t function, const void *params, const int8_t *input,
    int8_t *output, int32_t count);

#endif
