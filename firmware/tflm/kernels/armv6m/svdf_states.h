// The states of SVDF.
#ifndef TFLM_ARMV6M_SVDF_STATES_H
#define TFLM_ARMV6M_SVDF_STATES_H

#include <stdint.h>

// Filters run from the last to the first, so that dots may begin where the newest elements do.
typedef struct {
    int8_t *state;          // of the last filter
    const int8_t *weights;  // of the last filter
    int32_t memory;         // elements of a state, at least 1
    int32_t zero_point;
    const int8_t *newest;   // [count], before the zero point is added
    int32_t *dots;          // [count]
    int32_t count;          // of filters, at least 1
} tflm_m0_states_t;

// Moves each state one step towards its oldest element and adds the newest; writes the dots of
// states, less the zero point, and weights.
void tflm_m0_age(const tflm_m0_states_t *states);

#endif
