// Which text the inner loops of this folder have.
#ifndef TFLM_ARMV6M_CORE_H
#define TFLM_ARMV6M_CORE_H

#if !defined(__thumb__)
#define TFLM_ASSEMBLY 0  // C
#elif !defined(__thumb2__)
#define TFLM_ASSEMBLY 6  // Cortex-M0 and M0+
#else
#define TFLM_ASSEMBLY 7  // Cortex-M3: the files *_m3.c, which are empty elsewhere
#endif

#endif
