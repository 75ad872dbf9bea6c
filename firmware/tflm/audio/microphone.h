// Samples of microphones that DMA writes to a ring: of a voltage, from an ADC; pdm.h has others.
//
// Nothing here knows MicroPython.
#ifndef TFLM_AUDIO_MICROPHONE_H
#define TFLM_AUDIO_MICROPHONE_H

#include <stdint.h>

enum {
    TFLM_RING_MARGIN = 16,  // samples that DMA may write while the oldest ones are read
    TFLM_MEAN_UNKNOWN = -1,
};

// The ring, of `size` samples, and how far it was read. All numbers of samples are below `size`.
typedef struct {
    void *samples;  // of an ADC: uint16_t, 12 bits each
    uint32_t size, head, at;  // next one to write, as it was seen last; next one to read
    uint32_t lost;  // overwritten before they were read
    int32_t mean;  // of the voltage, in 2**-10 of a step of int16, or TFLM_MEAN_UNKNOWN
} tflm_ring_t;

// Notes that the next sample to write is `head` now. `elapsed` samples have come since the call before,
// as a clock says: it need only tell how often the head has passed the ring's end.
void tflm_ring_advance(tflm_ring_t *ring, uint32_t head, uint32_t elapsed);

// Writes what samples differ from their mean of the last 32 ms, as int16, to `buffer`, up to
// `count` of them. Returns how many there were.
uint32_t tflm_ring_read(tflm_ring_t *ring, uint8_t *buffer, uint32_t count);

// Writes the int16 nearest to `value`, at any alignment.
static inline void tflm_put_sample(uint8_t *buffer, int32_t value) {
    if (value != (int16_t)value) {
        value = value < 0 ? INT16_MIN : INT16_MAX;
    }
    buffer[0] = (uint8_t)value;
    buffer[1] = (uint8_t)(value >> 8);
}

#endif
