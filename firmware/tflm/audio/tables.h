// The constants of the audio front ends: see tflm_host/generate/audio_tables.py.
#ifndef TFLM_AUDIO_TABLES_H
#define TFLM_AUDIO_TABLES_H

#include <stdint.h>

// Of micro_speech. In the other front end value TFLM_AUDIO_PATCHED is one larger.
extern const int16_t tflm_audio_window[480];
enum { TFLM_AUDIO_PATCHED = 17 };

// Of the 41 slopes of the filter bank: how many bins each has, and the weight of each bin in the
// band below the slope, of 12 bits. In the band above, the weight is TFLM_AUDIO_ONE_... minus that.
extern const uint8_t tflm_audio_widths[41];
extern const uint16_t tflm_audio_weights_micro[236], tflm_audio_weights_micro_speech[236];
enum { TFLM_AUDIO_ONE_MICRO = 4096, TFLM_AUDIO_ONE_MICRO_SPEECH = 4095 };

// Cosine and sine, in one word each, the cosine low: of -2 * pi * i * k / 256 for i = 1, 2, 3 and each
// k from 1 to 63.
extern const uint32_t tflm_audio_turns[189];
// Of -pi * (k / 256 + 1 / 2), from k = 1 on.
extern const uint32_t tflm_audio_split_turns[128];

extern const int16_t tflm_audio_gains[125];
extern const uint16_t tflm_audio_logs[129];

#endif
