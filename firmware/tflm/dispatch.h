// From a kernel's number to its code: see dispatch.c.
#ifndef TFLM_DISPATCH_H
#define TFLM_DISPATCH_H

#include <stdbool.h>

#include "generated/layout.h"

// A trampoline: calls one kernel with the addresses of its arguments. If the kernel takes any number
// of arguments, the trampoline finds them itself: their tagged offsets lie before the parameters.
typedef void (*tflm_adapter_t)(
    const int32_t *params, void *const *at, const tflm_spaces_t *spaces, int32_t refs);

// NULL where this build leaves the kernel out.
extern const tflm_adapter_t tflm_adapters[TFLM_KERNEL_COUNT];

// Runs a kernel of this build. `record` has `refs` tagged offsets, then the kernel's parameters.
void tflm_call(
    const tflm_spaces_t *spaces, const int32_t *record, int32_t refs, int32_t kernel);

int32_t tflm_form(int32_t kernel);

#endif
