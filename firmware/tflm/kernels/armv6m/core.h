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

// Where the code lies that layers run through again and again. A board that reads its flash through
// a small cache defines TFLM_HOT_IN_RAM: there it does not push filters out of it, nor they it. At
// most 2 KB: the functions are those that take away most reads, see README.md.
#ifdef TFLM_HOT_IN_RAM
#define TFLM_HOT_SECTION(name) ".time_critical." name
#define TFLM_HOT __attribute__((section(TFLM_HOT_SECTION("tflm"))))
#else
#define TFLM_HOT_SECTION(name) ".text." name
#define TFLM_HOT
#endif

#endif
