// A filter that exceeds the flash cache, in channel blocks: some channels for a block of positions,
// then the next channels for these positions. See README.md.
#ifndef TFLM_ARMV6M_CONV_SLABS_H
#define TFLM_ARMV6M_CONV_SLABS_H

#include <stdbool.h>

#include "conv_walk.h"

// Where flash lies behind such a cache; and in C, for tests.
#if TFLM_ASSEMBLY == 0 || defined(TFLM_HOT_IN_RAM)
#define TFLM_M0_HAS_SLABS 1
#else
#define TFLM_M0_HAS_SLABS 0
#endif

// Bytes of the cache, and of a channel block: code has room beside it.
enum { TFLM_M0_CACHE = 16384, TFLM_M0_SLAB = 10240 };

// The bytes that the channels read through the cache. is_prepared: constants, too.
static inline int32_t tflm_m0_slabs_size(
    const tflm_m0_walk_t *walk, int32_t channels, bool is_prepared) {
    return channels * (walk->job.taps + (is_prepared ? (int32_t)sizeof(tflm_m0_linear_t) : 0));
}

// Returns whether a layer of one group has channel blocks. The code for two positions lies in flash, the
// code for four does not. Beside the former, a filter larger than one way of the cache has misses.
static inline bool tflm_m0_has_slabs(const tflm_m0_walk_t *walk, bool is_prepared) {
    const int32_t size = tflm_m0_slabs_size(walk, walk->output_depth, is_prepared);
    return TFLM_M0_HAS_SLABS && size > (walk->has_quads ? TFLM_M0_CACHE : TFLM_M0_CACHE / 2);
}

// Runs the `left` positions of such a layer. input_end: behind the last batch.
void tflm_m0_walk_slabs(
    tflm_m0_walk_t *walk, const int8_t *input_end, int32_t left, bool is_prepared);

#endif
