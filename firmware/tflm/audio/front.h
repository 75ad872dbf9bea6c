// The audio front ends: PCM of 16 kHz to lines of 40 band loudnesses, one for each STEP samples.
//
// Two of them, which differ in window, filter bank and scale: that of TFLM's example
// micro_speech, and "micro", that of ESPHome and microWakeWord. A state has its own ring of samples
// and takes chunks of any size. Nothing here knows MicroPython.
#ifndef TFLM_AUDIO_FRONT_H
#define TFLM_AUDIO_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audio/steps.h"

// Which front end. mp_modules/tflm/audio.py has the same numbers.
enum { TFLM_AUDIO_MICRO_SPEECH, TFLM_AUDIO_MICRO };

// What a line holds: uint16 values, or int8 of them as ESPHome and TFLM or as pymicro-wakeword
// make them.
enum { TFLM_AUDIO_RAW, TFLM_AUDIO_ESPHOME, TFLM_AUDIO_PYMICRO };

// The state; audio.py makes one of so many zero bytes, and sets front, output and step. What is saved
// ends with the samples that are there.
typedef struct {
    uint32_t is_busy;  // set and tested in one step by who calls these functions
    uint8_t front, output;
    uint16_t count;  // of samples that are there
    uint16_t step, unused;  // from a line to the next
    uint32_t noise[TFLM_AUDIO_BANDS];
    int16_t samples[TFLM_AUDIO_WINDOW];
    int32_t work[TFLM_AUDIO_POINTS / 2 + 1];
} tflm_audio_front_t;

// Returns whether the state can be one, whoever wrote its bytes.
static inline bool tflm_audio_is_sound(const tflm_audio_front_t *front) {
    return front->front <= TFLM_AUDIO_MICRO && front->output <= TFLM_AUDIO_PYMICRO
        && front->count < TFLM_AUDIO_WINDOW && front->step - 1u < TFLM_AUDIO_WINDOW;
}

// Returns the bytes of a line.
static inline size_t tflm_audio_line_size(const tflm_audio_front_t *front) {
    return front->output == TFLM_AUDIO_RAW ? 2 * TFLM_AUDIO_BANDS : TFLM_AUDIO_BANDS;
}

// Takes samples, `count` of them at any alignment, up to the one that makes a line complete. Returns
// how many it took, and whether `line` was written, as 2 * taken + written.
int32_t tflm_audio_feed(
    tflm_audio_front_t *front, const uint8_t *samples, int32_t count, uint8_t *line);

#endif
