// Log-mel, MFCC and the MFE and MFCC blocks of Edge Impulse, by tables that a PC has made:
// host_tools/tflm_host/model/mel_file.py. PCM to lines of features, in integers only. Nothing here
// knows MicroPython.
//
//   samples --window, pre-emphasis--> int32 --shifted up--> transform of 16 or 32 bits --> energies
//           --weights--> sums of bands --> log2 --matrix, offsets--> values of a line
#ifndef TFLM_AUDIO_MEL_H
#define TFLM_AUDIO_MEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TFLM_MEL_MAGIC = 0x4D464C54,  // "TFLM"
    TFLM_MEL_VERSION = 1,
    TFLM_MEL_LONGEST = 4096,  // points of a transform
    TFLM_MEL_NORMAL_MOST = 511,  // lines that a normalised value looks at
    TFLM_MEL_FACTOR_MOST = (1 << 18) - 1,
};

// The start of the tables: little-endian words. Places are bytes from the start.
typedef struct {
    uint32_t magic, checksum;
    int32_t version, size;  // of all tables, in bytes
    int32_t bits;  // of the transform, 16 or 32
    int32_t samples;  // that a line is made of
    int32_t lag;  // of them come before the window, for the pre-emphasis
    int32_t before;  // the factor of a sample `lag` before, which is subtracted
    int32_t top;  // bits of the largest number that enters the transform, of 31
    int32_t step;  // samples from a line to the next
    int32_t bands, values;  // sums, and what a line holds
    int32_t columns;  // of the matrix: bands, or 1 where value i comes of band i
    int32_t shift;  // of its products, at least 8
    int32_t silence, least;  // log2 of a sum of 0, and the smallest one, of 16 bits behind the point
    int32_t low, high;  // what a value saturates at
    int32_t value_size;  // 1 or 2 bytes
    int32_t normal_window;  // lines that a normalised value looks at, odd; 0: is not normalised
    int32_t normal_factor, normal_zero;  // of what normalising gives, of 8 bits
    int32_t window, transform, rows, weights, matrix, offsets;  // places
    int32_t weight_count;
    int32_t lines;  // that a model reads
    uint32_t scale;  // of values, or of normalised ones: the bits of a float
    int32_t zero_point;
    int32_t rate;  // samples a second
} tflm_mel_t;

// The start of a state of so many bytes as tflm_mel_state_size() says, all 0 at first. Two areas of
// the transform follow, then the samples.
typedef struct {
    uint32_t is_busy;  // set and tested in one step by who calls these functions
    int32_t count, skipped;  // samples that are there, and that are to be dropped first
} tflm_mel_state_t;

// Returns the bytes of a state, or 0 where the tables, of `size` bytes, are none. They are at an
// address that is a multiple of 4.
size_t tflm_mel_state_size(const tflm_mel_t *mel, size_t size);

static inline bool tflm_mel_is_sound(const tflm_mel_t *mel, const tflm_mel_state_t *state) {
    return state->count >= 0 && state->count < mel->samples && state->skipped >= 0;
}

// Takes samples, `count` of them at any alignment, up to the one that makes a line complete. Returns
// how many it took, and whether `line`, at any alignment, was written, as 2 * taken + written.
int32_t tflm_mel_feed(const tflm_mel_t *mel, tflm_mel_state_t *state, const uint8_t *samples,
    int32_t count, uint8_t *line);

// Subtracts from each value of `count` lines of int16 the mean of the normal_window lines around it,
// then divides by the standard deviation of what that gives. Lines go on in a mirror at both ends.
// `work` has two words for each line. Writes int8.
void tflm_mel_normalize(
    const tflm_mel_t *mel, const uint8_t *lines, int32_t count, int32_t *work, uint8_t *output);

#endif
