// Lends a second core to the kernels: see kernels/common/split.h. In builds with TFLM_CORES.
#ifndef TFLM_CORES_H
#define TFLM_CORES_H

#include "py/mpconfig.h"

// How many cores the graphs that run from now on use, 1 or 2; returns how many before.
int tflm_set_cores(int count);

typedef enum { TFLM_ONE_CORE, TFLM_LENT, TFLM_HAS_THREAD } tflm_lending_t;

// Starts the second core where it is wanted, not lent yet, and no thread's.
tflm_lending_t tflm_lend_core(void);
// Takes it back; to be called where the other returned TFLM_LENT, whatever happened since.
void tflm_return_core(void);
// Raises RuntimeError: after TFLM_HAS_THREAD, when the run has ended.
NORETURN void tflm_refuse_thread(void);

#endif
