// Bits of a microphone with pulse density modulation (PDM), which DMA writes to a ring, as samples.
//
// A sample is the share of ones among 64 bits and the bits around them. Filters in integers leave
// out what is too high in pitch: a CIC filter of order 4, which gives a value for 32 bits; three
// taps that undo what it takes from high pitches; and a half-band filter with 31 taps. With 16,000
// samples a second the gain varies by 0.22 dB up to 6,500 Hz. What would be heard as another pitch
// is at least 56 dB lower from 9.5 to 22 kHz, 43 dB up to 42 kHz, and 72 dB above.
//
// Nothing here knows MicroPython.
#ifndef TFLM_AUDIO_PDM_H
#define TFLM_AUDIO_PDM_H

#include <stdint.h>

#include "audio/microphone.h"

enum {
    TFLM_PDM_BYTES = 8,  // of bits, a sample; the first bit is the lowest one
    TFLM_PDM_TAPS = 31,
    TFLM_PDM_CHUNK = 64,  // samples that are made at a time
    TFLM_PDM_SETTLE = 20,  // samples after which nothing is left of a filter's first state
    TFLM_PDM_MOST_GAIN = 64,
};

// What a byte adds to four sums, 16 bits each: to the first ones in `high`.
typedef struct {
    uint32_t low, high;
} tflm_pdm_part_t;

typedef struct {
    tflm_pdm_part_t parts[256][2];  // of a byte that is the first or the second one of two
    uint32_t sums[4];  // modulo 2**32, as the differences below are
    uint32_t before[4];  // values that the differences are taken from
    int32_t value, step;  // the latest value, and what it differs from the one before
    int32_t line[TFLM_PDM_TAPS - 2 + 2 * TFLM_PDM_CHUNK];  // values after three taps, 2 a sample
    int32_t mean;  // of the last 512 samples, in 2**-12 of a step without gain; INT32_MIN: unknown
    uint32_t gain;  // 1 to TFLM_PDM_MOST_GAIN
    uint32_t settle;  // samples that are to be left out
} tflm_pdm_t;

// Begins with *gain*, and leaves out the first `settle` samples, at least TFLM_PDM_SETTLE.
void tflm_pdm_begin(tflm_pdm_t *pdm, uint32_t gain, uint32_t settle);

// Writes the next samples of the ring, of which one is TFLM_PDM_BYTES bytes, as int16 to `buffer`,
// up to `count` of them, less their mean. Returns how many there were. With a count of 0 it still
// leaves out those that are to be left out.
uint32_t tflm_pdm_read(tflm_pdm_t *pdm, tflm_ring_t *ring, uint8_t *buffer, uint32_t count);

#endif
