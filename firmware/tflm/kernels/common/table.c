#include "table.h"

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

enum { VALUES = 256, MANY = 400 };  // a table saves more than it takes

void tflm_look_up(const uint8_t *table, const int8_t *input, int8_t *output, int32_t count) {
    const uint8_t *from = (const void *)input;
    uint8_t *to = (void *)output;
#if defined(__ARM_FEATURE_MVE)
    for (; count >= 16; count -= 16, from += 16, to += 16) {
        vstrbq_u8(to, vldrbq_gather_offset_u8(table, vldrbq_u8(from)));
    }
#else
    for (; count >= 4; count -= 4, from += 4, to += 4) {
        to[0] = table[from[0]];
        to[1] = table[from[1]];
        to[2] = table[from[2]];
        to[3] = table[from[3]];
    }
#endif
    for (; count > 0; count--) {
        *to++ = table[*from++];
    }
}

void tflm_by_table(tflm_function_t function, const void *params, const int8_t *input,
    int8_t *output, int32_t count) {
    if (count < MANY) {
        function(params, input, output, count);
        return;
    }
    int8_t values[VALUES];
    for (int32_t i = 0; i < VALUES; i++) {
        values[i] = (int8_t)(uint8_t)i;
    }
    function(params, values, values, VALUES);
    tflm_look_up((const void *)values, input, output, count);
}
