// The table from a kernel's number to its code and to the form of its record.
#include "dispatch.h"

#include "generated/adapters.h"

// Returns the form of the record of this kernel, 0 where this build does not hold it.
int32_t tflm_form(int32_t kernel) {
    const bool is_here = (uint32_t)kernel < TFLM_KERNEL_COUNT && tflm_adapters[kernel] != NULL;
    return is_here ? forms[kernel] : 0;
}
