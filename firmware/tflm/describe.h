// Reading a model's tensors: the C counterpart of `_describe` in mp_modules/tflm/file/views.py.
#ifndef TFLM_DESCRIBE_H
#define TFLM_DESCRIBE_H

#include "flatbuffer.h"

// Where a model keeps what describes tensors: first items and counts of two vectors. Behind them
// lie the shapes that differ from the file's, of a model that was resized: tensor, rank, extents.
typedef struct {
    int32_t tensors;
    int32_t tensor_count;
    int32_t buffers;
    int32_t buffer_count;
} tflm_places_t;

typedef struct {
    const tflm_places_t *places;
    const int32_t *shapes;
    int32_t shape_words;
} tflm_tensors_t;

// A tensor; positions are 0 where there is nothing. Views.py names these words.
typedef struct {
    int32_t type;
    int32_t elements;
    int32_t data;  // position of the constant data
    int32_t is_variable;
    int32_t shape;  // position of the field; negative: ~ place of the rank behind the places
    int32_t name;   // position of the field
    int32_t scales;
    int32_t scale_count;
    int32_t zero_points;
    int32_t dimension;  // that the scales belong to
} tflm_tensor_t;

// Returns false where Python has to say what is wrong with the tensor.
bool tflm_describe(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t index, tflm_tensor_t *tensor);

// Returns the rank of a tensor, MAX_RANK at most, and sets its extents; -1 where it is not sound.
enum { TFLM_MAX_RANK = 8 };
int32_t tflm_extents(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t shape, int32_t *extents);

// In place of the position of constant data: that of a tensor without any, which may be read.
enum { TFLM_READABLE = -1 };

// Sets data[i] and sizes[i] of each tensor: the position of its constant data, TFLM_READABLE where
// it may be read before a node writes it, 0 of the rest; and its bytes, negative where it is a
// variable. Returns the index of the first one that is not sound, or count.
int32_t tflm_survey(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t *data, int32_t *sizes);

// The operators of a subgraph and what they may refer to.
typedef struct {
    int32_t first;  // item of the vector of operators
    int32_t count;
    int32_t opcode_count;
    int32_t tensor_count;
    int32_t *data;  // of each tensor, as above; outputs become TFLM_READABLE
    int32_t left;   // words of the file that these operators may take; here, what is left of them
} tflm_operators_t;

// Returns the index of the first operator whose indices or vectors are not all sound, or count.
int32_t tflm_survey_operators(tflm_flatbuffer_t buf, tflm_operators_t *operators);

// Sets the moments of first and last use of the tensors that the operators name: the n-th one runs
// at moment n, from 1 on. A `first` that is set already stays.
void tflm_find_lives(
    tflm_flatbuffer_t buf, const tflm_operators_t *operators, int32_t *first, int32_t *last);

#endif
