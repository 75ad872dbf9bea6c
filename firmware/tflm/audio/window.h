// The window in front of the transform, and the scale that its largest value decides.
#ifndef TFLM_AUDIO_WINDOW_H
#define TFLM_AUDIO_WINDOW_H

#include "audio/steps.h"
#include "audio/tables.h"

typedef struct {
    int32_t shift;  // by which the values are to be shifted up
    int32_t left;  // by how many bits of it they have not been
} tflm_audio_scale_t;

// Does what tflm_audio_apply_window() does, and finds the scale. Where the window lets -32768
// through, sizes overflow, and shifted values may: then they have been shifted here.
tflm_audio_scale_t tflm_audio_window_in(const int16_t *samples, bool is_micro, int32_t *work);

#endif
