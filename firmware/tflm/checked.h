// Runs nodes where a sanitizer can see every byte that they touch: see checked.c.
#ifndef TFLM_CHECKED_H
#define TFLM_CHECKED_H

#include "runner.h"

bool tflm_run_checked(const tflm_spaces_t *spaces, const tflm_sizes_t *sizes, int32_t table,
    tflm_place_t *place, int32_t last, int32_t slices, int32_t budget);

#endif
