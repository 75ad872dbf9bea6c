// From a kernel's number to its code: see dispatch.c.
#ifndef TFLM_DISPATCH_H
#define TFLM_DISPATCH_H

#include <stdbool.h>

#include "generated/layout.h"

// Runs one kernel on a record that starts with `refs` refs, its parameters after them.
typedef void (*tflm_adapter_t)(const tflm_spaces_t *spaces, const int32_t *record, int32_t refs);

// NULL where this build leaves the kernel out.
extern const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT];

int32_t tflm_form(int32_t kernel);

#endif
