// The walk of a convolution over its positions. Where two cores share it, each walks over all of them
// and computes some of the channels.
#ifndef TFLM_ARMV6M_CONV_WALK_H
#define TFLM_ARMV6M_CONV_WALK_H

#include "conv_gather.h"
#include "conv_pairs.h"

// A layer, and how far its outputs have come.
typedef struct {
    tflm_m0_pairs_t job;
    tflm_m0_constants_t made;
    const int8_t *filter;
    uint32_t *window;
    uint32_t *more;  // words for the third and fourth window
    int32_t output_depth;
    int32_t has_quads;
    int8_t *output;  // of places[0]
    tflm_member_t member;  // which of the cores walks here
    tflm_m0_place_t places[4];
    tflm_m0_geometry_t geometry;
} tflm_m0_walk_t;

// Sets the places of the next positions, `left` at most; returns how many run at once.
int32_t tflm_m0_walk_follow(tflm_m0_walk_t *walk, int32_t left);

// im2col of their windows, which the cores share, as soon as no core needs the last ones; returns
// when all are there. depth: the input's channel where a window's values begin.
void tflm_m0_walk_gather(tflm_m0_walk_t *walk, int32_t depth);

// Writes the member's share of `channels` of their outputs, from `first` on.
void tflm_m0_walk_run(tflm_m0_walk_t *walk, int32_t first, int32_t channels);

// Goes on behind `count` positions.
void tflm_m0_walk_leave(tflm_m0_walk_t *walk, int32_t count);

#endif
