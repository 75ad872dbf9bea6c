// Reading a model's tensors: the C twin of `_describe` in mp_modules/tflm/views.py.
#ifndef TFLM_DESCRIBE_H
#define TFLM_DESCRIBE_H

#include "flatbuffer.h"

// Where a model keeps what describes tensors: first items and counts of two vectors.
typedef struct {
    int32_t tensors;
    int32_t tensor_count;
    int32_t buffers;
    int32_t buffer_count;
} tflm_places_t;

// A tensor; positions are 0 where there is nothing. Views.py names these words.
typedef struct {
    int32_t type;
    int32_t elements;
    int32_t data;  // position of the constant data
    int32_t is_variable;
    int32_t shape;  // position of the field
    int32_t name;   // position of the field
    int32_t scales;
    int32_t scale_count;
    int32_t zero_points;
    int32_t dimension;  // that the scales belong to
} tflm_tensor_t;

// Returns false where Python has to say what is wrong with the tensor.
bool tflm_describe(
    tflm_flatbuffer_t buf, const tflm_places_t *places, int32_t index, tflm_tensor_t *tensor);

// Sets data[i] and sizes[i] of each tensor: the position of its constant data, and its bytes,
// negative where it is a variable. Returns the index of the first one that is not sound, or count.
int32_t tflm_survey(
    tflm_flatbuffer_t buf, const tflm_places_t *places, int32_t *data, int32_t *sizes);

// The operators of a subgraph and what they may refer to.
typedef struct {
    int32_t first;  // item of the vector of operators
    int32_t count;
    int32_t opcode_count;
    int32_t tensor_count;
    const int32_t *data;  // of each tensor, as above: outputs may not be constant
} tflm_operators_t;

// Returns the index of the first operator whose indices or vectors are not all sound, or count.
int32_t tflm_survey_operators(tflm_flatbuffer_t buf, const tflm_operators_t *operators);

#endif
