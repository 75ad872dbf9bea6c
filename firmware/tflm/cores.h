// Lends a second core to the kernels: see kernels/common/split.h. In builds with TFLM_CORES.
#ifndef TFLM_CORES_H
#define TFLM_CORES_H

#include <stdbool.h>

// How many cores the graphs that run from now on use, 1 or 2; returns how many before.
int tflm_set_cores(int count);

// Starts the second core where it is wanted and not lent yet; returns whether it did. Raises
// RuntimeError where a thread has it.
bool tflm_lend_core(void);
// Takes it back; to be called where the other returned true, whatever happened since.
void tflm_return_core(void);

#endif
