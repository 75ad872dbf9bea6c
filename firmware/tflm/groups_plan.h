// The words between the PC and groups_plan.c: prepare/groups.py has their order.
#ifndef TFLM_GROUPS_PLAN_H
#define TFLM_GROUPS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

// Simulates the group that `words` describe, and adds its needs. Returns false if it has more tensors
// than its parameters can number.
bool tflm_plan_rows(int32_t *words);

#endif
