// The beginning of the operator parameters of a group: see groups.c.
#ifndef TFLM_GROUPS_TENSORS_H
#define TFLM_GROUPS_TENSORS_H

#include <stdbool.h>

#include "generated/layout.h"

enum { TFLM_FED = -2 };  // the maker of a tensor whose rows come from outside: the group's first

// A tensor that the group reads, makes, or keeps some rows of.
typedef struct {
    int32_t height;    // rows
    int32_t row;       // bytes of one; 0 where its maker writes it all at the end
    int32_t capacity;  // rows that its place holds
    int16_t maker;     // the child that makes it; -1: it is there before the group runs; TFLM_FED
    uint8_t first_reader, last_reader;  // children
} tflm_rows_t;

// Whether rows of a group come from outside: then its state lives on between two runs of the node.
static inline bool tflm_is_fed(const tflm_row_group_t *params) {
    return params->children > 0
        && ((const tflm_rows_t *)(const void *)params->parts)->maker == TFLM_FED;
}

#endif
