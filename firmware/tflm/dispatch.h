// The table from kernel index to code; dispatch.c is generated.
#ifndef TFLM_DISPATCH_H
#define TFLM_DISPATCH_H

#include "layout.h"

// Runs one kernel on a record that starts with `refs` refs, its parameters after them.
typedef void (*tflm_adapter_t)(const tflm_spaces_t *spaces, const int32_t *record, int32_t refs);

// NULL where this build leaves the kernel out.
extern const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT];

#endif
