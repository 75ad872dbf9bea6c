// Runs nodes where a sanitizer can see every byte that they touch: see checked.c.
#ifndef TFLM_CHECKED_H
#define TFLM_CHECKED_H

#include "runner.h"

typedef struct {
    size_t of[TFLM_SPACES];  // bytes in each space
} tflm_sizes_t;

int32_t tflm_run_checked(const tflm_spaces_t *spaces, const tflm_sizes_t *sizes, int32_t table,
    int32_t first, int32_t last);

#endif
