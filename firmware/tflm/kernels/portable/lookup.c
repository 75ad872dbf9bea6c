// Any function of one int8, as a table: what prepared models have in place of activations.
#include "../../layout.h"

// input   int8 [elements]
// table   256 bytes: the output for the input with that byte
// output  int8 [elements]
void tflm_lookup_s8(const tflm_lookup_t *params, const int8_t *input, const uint8_t *table,
    int8_t *output) {
    for (int32_t i = 0; i < params->elements; i++) {
        output[i] = (int8_t)table[(uint8_t)input[i]];
    }
}
