#include "audio/pdm.h"

#include <string.h>

enum {
    KEPT = TFLM_PDM_TAPS - 2,  // values that the next sample needs, too
    TO_VALUE = 3,  // bits of the CIC filter that a value leaves out
    LOSS = 7,  // in 2**-5: what the three taps take from both neighbours
    MIDDLE = TFLM_PDM_TAPS / 2,
    TO_SAMPLE = 10,  // shift from a sum of taps to a sample with FINE more bits
    FINE = 4,  // bits of a sample below those of int16
    FRACTION = 8,  // bits of the mean below those of a sample
    SLOW = 9,  // 2**SLOW samples are the time of the mean
};

// Every other one of 31 symmetric taps, from the middle, in 2**-13; the middle is a half, the others
// are 0. They add up to 1.00, their absolute values to 1.57, and those of the three taps to 1.88.
// So a value of 0 to 2**17, which is at most 2**16 from the middle, gives at most
// 2**16 * (1.00 + 1.57 * 1.88) * 2**13, less than 2**31.
static const int32_t taps[] = { 2588, -812, 430, -255, 150, -88, 43, -27 };

// The CIC filter is h, four convolved boxes of 16 ones, on bits; then four boxes of 2 ones on pairs
// of bytes. Bit t of a pair meets h[15 - t + 16 k] in the value of k pairs later: with T_k for the
// sum of these, the first part is T_0 + q T_1 + q^2 T_2 + q^3 T_3, where q delays by a pair. In
// powers of q / (1 - q), the factors of chained sums, its coefficients are A_3 = T_0, A_2 = T_1 + 3 A_3,
// A_1 = T_2 + 2 A_2 - 3 A_3, and A_0, the sum of all T_k. A bit adds to them what stands here: A_1 in
// units of 256, A_0 in units of 4096.
static tflm_pdm_part_t part_of(uint32_t t) {
    const uint32_t third = 8 * t * t - 400 * t + 5168, fourth = (18 - t) * (17 - t) * (16 - t) / 6;
    return (tflm_pdm_part_t) {.low = third << 16 | fourth, .high = 1 << 16 | (33 - t)};
}

void tflm_pdm_begin(tflm_pdm_t *pdm, uint32_t gain, uint32_t settle) {
    memset(pdm, 0, sizeof(*pdm));
    pdm->mean = INT32_MIN;
    pdm->gain = gain;
    pdm->settle = settle;
    for (uint32_t t = 0; t < 16; t++) {
        const tflm_pdm_part_t part = part_of(t);
        const uint32_t bit = 1u << t % 8;
        for (uint32_t byte = bit; byte < 2 * bit; byte++) {
            tflm_pdm_part_t *to = &pdm->parts[byte][t / 8];
            *to = pdm->parts[byte - bit][t / 8];
            to->low += part.low;
            to->high += part.high;
        }
    }
}

// Adds `count` times 32 bits to the sums, and writes the last of them each time.
static void add_up(tflm_pdm_t *pdm, const uint8_t *bits, int32_t *line, uint32_t count) {
    uint32_t first = pdm->sums[0], second = pdm->sums[1], third = pdm->sums[2];
    uint32_t fourth = pdm->sums[3];
    for (const int32_t *end = line + count; line < end; line++) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++, bits += 2) {
            const tflm_pdm_part_t *one = &pdm->parts[bits[0]][0], *two = &pdm->parts[bits[1]][1];
            const uint32_t low = one->low + two->low, high = one->high + two->high;
            fourth += third + (low & 0xFFFF);
            third += (second << 8) + (low >> 16);
            second += (first << 4) + (high & 0xFFFF);
            first += high >> 16;
        }
        *line = (int32_t)fourth;
    }
    pdm->sums[0] = first;
    pdm->sums[1] = second;
    pdm->sums[2] = third;
    pdm->sums[3] = fourth;
}

// Replaces sums by their fourth differences, the CIC filter's values, and those by what the three
// taps make of them. All bits 1 are 32**4. Half of it stays in, as the mean takes it out.
static void subtract(tflm_pdm_t *pdm, int32_t *line, uint32_t count) {
    uint32_t first = pdm->before[0], second = pdm->before[1], third = pdm->before[2];
    uint32_t fourth = pdm->before[3];
    int32_t value = pdm->value, step = pdm->step;
    for (const int32_t *end = line + count; line < end; line++) {
        const uint32_t sum = (uint32_t)*line, one = sum - first, two = one - second, three = two - third;
        const int32_t next = (int32_t)((three - fourth) >> TO_VALUE);
        first = sum;
        second = one;
        third = two;
        fourth = three;
        *line = value - ((LOSS * (next - value - step)) >> 5);
        step = next - value;
        value = next;
    }
    pdm->before[0] = first;
    pdm->before[1] = second;
    pdm->before[2] = third;
    pdm->before[3] = fourth;
    pdm->value = value;
    pdm->step = step;
}

// Writes `count` samples from the line.
static void finish(tflm_pdm_t *pdm, uint8_t *buffer, uint32_t count) {
    const int32_t *line = pdm->line, *tap = taps;
    __asm__("" : "+r"(tap));  // or GCC makes shifts and sums of products, which take an M0+ longer
    const int32_t gain = (int32_t)pdm->gain;
    int32_t mean = pdm->mean;
    for (const uint8_t *end = buffer + 2 * count; buffer < end; buffer += 2, line += 2) {
        int32_t sum = line[MIDDLE] * (1 << 12);
#pragma GCC unroll 8
        for (int i = 0; i < (MIDDLE + 1) / 2; i++) {
            sum += tap[i] * (line[MIDDLE + 1 + 2 * i] + line[MIDDLE - 1 - 2 * i]);
        }
        const int32_t value = sum >> TO_SAMPLE;
        if (mean == INT32_MIN) {
            mean = value * (1 << FRACTION);
        }
        const int32_t sample = value - ((mean + (1 << (FRACTION - 1))) >> FRACTION);
        mean += (value * (1 << FRACTION) - mean) >> SLOW;
        tflm_put_sample(buffer, (sample * gain + (1 << (FINE - 1))) >> FINE);
    }
    pdm->mean = mean;
}

uint32_t tflm_pdm_read(tflm_pdm_t *pdm, tflm_ring_t *ring, uint8_t *buffer, uint32_t count) {
    uint32_t done = 0;
    while ((done < count || pdm->settle) && ring->at != ring->head) {
        const uint32_t last = ring->head > ring->at ? ring->head : ring->size;
        const uint32_t most = pdm->settle ? pdm->settle : count - done;
        uint32_t now = last - ring->at;
        now = now > most ? most : now;
        now = now > TFLM_PDM_CHUNK ? TFLM_PDM_CHUNK : now;
        const uint8_t *bits = (const uint8_t *)ring->samples + TFLM_PDM_BYTES * ring->at;
        add_up(pdm, bits, pdm->line + KEPT, 2 * now);
        subtract(pdm, pdm->line + KEPT, 2 * now);
        if (pdm->settle) {
            pdm->settle -= now;
        } else {
            finish(pdm, buffer + 2 * done, now);
            done += now;
        }
        memmove(pdm->line, pdm->line + 2 * now, KEPT * sizeof(*pdm->line));
        ring->at = ring->at + now == ring->size ? 0 : ring->at + now;
    }
    return done;
}
