#include "audio/microphone.h"

enum {
    FRACTION = 10,  // bits of the mean behind its point
    SLOW = 9,  // 2**SLOW samples are the time of the mean: a high-pass of 5 Hz
};

void tflm_ring_advance(tflm_ring_t *ring, uint32_t head, uint32_t elapsed) {
    const uint32_t size = ring->size, room = size - TFLM_RING_MARGIN;
    const uint32_t came = (head + size - ring->head) % size;
    uint32_t waiting = (ring->head + size - ring->at) % size + came;
    if (elapsed > came) {
        waiting += (elapsed - came + size / 2) / size * size;
    }
    ring->head = head;
    if (waiting > room) {
        ring->lost += waiting - room;
        ring->at = (head + TFLM_RING_MARGIN) % size;
    }
}

uint32_t tflm_ring_read(tflm_ring_t *ring, uint8_t *buffer, uint32_t count) {
    const uint16_t *samples = ring->samples;
    uint32_t done = 0;
    while (done < count && ring->at != ring->head) {
        const int32_t value = (samples[ring->at] & 0xFFF) << 4;
        if (ring->mean == TFLM_MEAN_UNKNOWN) {
            ring->mean = value << FRACTION;
        }
        tflm_put_sample(buffer + 2 * done, value - ((ring->mean + (1 << (FRACTION - 1))) >> FRACTION));
        ring->mean += ((value << FRACTION) - ring->mean) >> SLOW;
        ring->at = ring->at + 1 == ring->size ? 0 : ring->at + 1;
        done++;
    }
    return done;
}
