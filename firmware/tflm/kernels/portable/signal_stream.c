// What keeps samples from one invoke to the next: noise estimates, frames, stacks, delays, overlaps.
// Source: signal/src/filter_bank_spectral_subtraction.cc, circular_buffer.cc, overlap_add.cc and
// signal/micro/kernels of tflite-micro. A state is all zeros after a reset.
#include <string.h>

#include "generated/layout.h"
#include "../common/fixed_point.h"
#include "../common/float32.h"

// input     uint32 [size]
// output    uint32 [size]: without the noise
// noise     uint32 [size]: estimates, after this input
// state     uint32 [size]: the same
// What prepare sees to: shifts are 0..31.
void tflm_signal_subtract(const tflm_signal_subtract_t *params, const uint8_t *input,
    int32_t *output, int32_t *noise, int32_t *state) {
    for (int32_t i = 0; i < params->size; i++) {
        const uint32_t x = (uint32_t)tflm_load32(input + 4 * i);
        const uint32_t smoothing =
            (uint32_t)(i & 1 ? params->alternate_smoothing : params->smoothing);
        const uint32_t rest = (uint32_t)(i & 1 ? params->alternate_rest : params->rest);
        const uint32_t up = x << params->smoothing_bits;
        const uint64_t sum = (uint64_t)up * smoothing + (uint64_t)(uint32_t)state[i] * rest;
        uint32_t estimate = (uint32_t)(sum >> params->bits);
        const uint32_t taken = estimate < up ? estimate : up;
        if (params->clamping) {
            estimate = taken;
        }
        const uint32_t least =
            (uint32_t)(((uint64_t)x * (uint32_t)params->least) >> params->bits);
        const uint32_t left = (up - taken) >> params->smoothing_bits;
        output[i] = (int32_t)(left > least ? left : least);
        state[i] = noise[i] = (int32_t)estimate;
    }
}

static int32_t samples_of(int32_t size, int32_t step) {
    return (size + step - 1) / step * step;
}

// input   int16 [rows, length]
// output  int16 [rows, length / step, size]: overlapping frames; 0 where samples are missing
// valid   bool [1]: whether none are
// state   int32 [rows]: samples that are kept, less `kept`; then those of each row
// What prepare sees to: length is a multiple of step, `kept` zeros are there at first, fewer than
// size.
void tflm_signal_framer_s16(const tflm_signal_framer_t *params, const uint8_t *input,
    int16_t *output, uint8_t *valid, int32_t *state) {
    const int32_t size = params->size, step = params->step;
    int16_t *samples = (int16_t *)(state + params->rows);
    *valid = 1;
    for (int32_t r = 0; r < params->rows; r++, samples += samples_of(size, step)) {
        for (int32_t i = 0; i < params->length; i += step, output += size) {
            int32_t count = state[r] + params->kept;
            for (int32_t k = 0; k < step; k++, input += 2) {
                samples[count++] = tflm_load16(input);
            }
            if (count < size) {
                *valid = 0;
                memset(output, 0, 2 * (size_t)size);
            } else {
                memcpy(output, samples, 2 * (size_t)size);
                count -= step;
                memmove(samples, samples + step, 2 * (size_t)count);
            }
            state[r] = count - params->kept;
        }
    }
}

// input   int16 [channels]
// output  int16 [frames, channels]: the latest frames; 0 where some are missing
// valid   bool [1]: whether none are
// state   int32 [2]: whether there was a frame, how many are kept; then these
// What prepare sees to: left < frames, step is 1 to frames.
void tflm_signal_stacker_s16(const tflm_signal_stacker_t *params, const uint8_t *input,
    int16_t *output, uint8_t *valid, int32_t *state) {
    const int32_t channels = params->channels, frames = params->frames;
    int16_t *samples = (int16_t *)(state + 2);
    const int32_t copies = state[0] ? 1 : 1 + params->left;
    for (int32_t i = 0; i < copies; i++, state[1]++) {
        for (int32_t c = 0; c < channels; c++) {
            samples[state[1] * channels + c] = tflm_load16(input + 2 * c);
        }
    }
    state[0] = 1;
    *valid = state[1] == frames;
    if (!*valid) {
        memset(output, 0, 2 * (size_t)(frames * channels));
        return;
    }
    memcpy(output, samples, 2 * (size_t)(frames * channels));
    state[1] -= params->step;
    memmove(samples, samples + params->step * channels, 2 * (size_t)(state[1] * channels));
}

// input   int16 [rows, length]
// output  int16 [rows, length]: what came `delay` samples before
// state   int16 [rows, delay]
void tflm_signal_delay_s16(const tflm_signal_delay_t *params, const uint8_t *input,
    int16_t *output, int16_t *state) {
    const size_t length = (size_t)params->length, delay = (size_t)params->delay;
    const size_t old = delay < length ? delay : length, kept = delay - old;
    for (int32_t r = 0; r < params->rows; r++) {
        memcpy(output, state, 2 * old);
        memcpy(output + old, input, 2 * (length - old));
        memmove(state, state + old, 2 * kept);
        memcpy(state + kept, input + 2 * (length - old), 2 * old);
        input += 2 * length;
        output += length;
        state += delay;
    }
}

// input   int16 [rows, frames, size]
// output  int16 [rows, frames * step]: sums of what overlaps, saturated
// state   int16 [rows, size]
// What prepare sees to: step is 1 to size.
void tflm_signal_overlap_s16(const tflm_signal_overlap_t *params, const uint8_t *input,
    int16_t *output, int16_t *state) {
    const int32_t size = params->size, step = params->step;
    for (int32_t r = 0; r < params->rows; r++, state += size) {
        for (int32_t f = 0; f < params->frames; f++, output += step) {
            for (int32_t i = 0; i < size; i++, input += 2) {
                const int32_t sum = state[i] + tflm_load16(input);
                state[i] = (int16_t)tflm_clamp(sum, INT16_MIN, INT16_MAX);
            }
            memcpy(output, state, 2 * (size_t)step);
            memmove(state, state + step, 2 * (size_t)(size - step));
            memset(state + size - step, 0, 2 * (size_t)step);
        }
    }
}

// The same of float32, without saturation.
void tflm_signal_overlap_f32(const tflm_signal_overlap_t *params, const uint8_t *input,
    uint8_t *output, uint8_t *state) {
    const int32_t size = params->size, step = params->step;
    for (int32_t r = 0; r < params->rows; r++, state += 4 * size) {
        for (int32_t f = 0; f < params->frames; f++, output += 4 * step) {
            for (int32_t i = 0; i < size; i++, input += 4) {
                uint8_t *at = state + 4 * i;
                tflm_store_f32(at, tflm_load_f32(at) + tflm_load_f32(input));
            }
            memcpy(output, state, 4 * (size_t)step);
            memmove(state, state + 4 * step, 4 * (size_t)(size - step));
            memset(state + 4 * (size - step), 0, 4 * (size_t)step);
        }
    }
}
