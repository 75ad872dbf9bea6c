// What a PC asks of groups_plan.c, in words: prepare/groups.py has their order.
#ifndef TFLM_GROUPS_PLAN_H
#define TFLM_GROUPS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

// Acts out the group that `words` describe, and adds what it needs; returns false where it has more
// tensors than a record can number.
bool tflm_plan_rows(int32_t *words);

#endif
