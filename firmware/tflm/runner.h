// Walks the node table of an arena: see runner.c.
#ifndef TFLM_RUNNER_H
#define TFLM_RUNNER_H

#include <stdbool.h>

#include "spaces.h"

int32_t tflm_run(const tflm_spaces_t *spaces, int32_t table, int32_t first, int32_t last);
bool tflm_has(int32_t kernel);

#endif
