// The children in the parameters of a group: see groups.c.
#ifndef TFLM_GROUPS_RECORD_H
#define TFLM_GROUPS_RECORD_H

#include "groups_tensors.h"

enum {
    INPUTS = 2,
    NONE = 255,  // no tensor
    STACK = 0,   // extent of a child whose inputs lie below each other: tflm_rows_stack_t has them
    BESIDE = 1,  // way of a child with many inputs: behind the sizes of tflm_concatenation_t
    ONWARD = 2,  // way of a child whose word at pad_at grows with the row: see make()
    CHILD_WORDS = 48,  // of the longest parameters of a child
    PIECE = 8,   // words that are copied at once; behind the last parameters lie as many
};

// A node of the group. Each call patches its parameters at these positions. No position is 0, because
// a tagged offset lies there.
typedef struct {
    tflm_node_t node;
    uint8_t words;  // of its parameters
    uint8_t output, inputs[INPUTS];  // numbers of tensors
    uint8_t output_at, inputs_at[INPUTS];  // their tagged offsets
    uint8_t is_last;  // whether others than the group's children want the output
    uint8_t height_at, outputs_at, pad_at;  // of an image: rows of input and output, padding above
    uint8_t count_at;  // of rows of elements: how many these are; pad_at: how many came before
    int32_t count;     // in a row
    int32_t strip;     // rows of the output that one call makes; 1 of a stack
    // Row y reads the input's rows from (y * stride - pad) >> shift on, and none from
    // (y * stride - pad + extent) >> shift on.
    int32_t stride, pad;
    int16_t extent;
    uint8_t shift, way;
} child_t;
_Static_assert(sizeof(child_t) == 10 * sizeof(int32_t), "prepare/group_record.py writes it");

#endif
