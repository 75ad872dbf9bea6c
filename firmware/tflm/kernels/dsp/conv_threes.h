// Positions side by side inside the image, three at a time: filters of 8 bits.
#ifndef TFLM_DSP_CONV_THREES_H
#define TFLM_DSP_CONV_THREES_H

#include "conv_gather.h"
#include "convolution.h"

#ifndef TFLM_THREES
#define TFLM_THREES 1  // 0: they run two at a time, in 2 KB less code
#endif

// Which of the outputs, and where the first one's window begins.
typedef struct {
    const tflm_dsp_convolution_t *conv;
    const tflm_view_t *view;
    int32_t channels;  // of a group
    const int8_t *window;
    int8_t *output;    // of the first group's first channel in all
} tflm_dsp_line_t;

// How many of `count` positions run three at a time: a multiple of three that leaves no single one.
int32_t tflm_dsp_count_threes(const tflm_dsp_line_t *line, int32_t count);

// Runs as many.
void tflm_dsp_run_threes(const tflm_dsp_line_t *line, int32_t count);

#endif
