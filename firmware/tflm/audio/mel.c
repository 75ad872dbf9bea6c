// See mel.h. Sums cannot overflow: a transform of N points divides by N, so that all energies
// together are at most the mean square of what enters it.
#include "audio/mel.h"

#include <string.h>

#include "audio/mel_log.h"
#include "generated/layout.h"

enum {
    SILENT = INT8_MIN,  // no shift
    WIDE = 32,
    DROPPED = 15,  // bits of energies of 32-bit numbers: sums of 16-bit weights have room then
    OFFSET_BITS = 8,
};

static inline const void *table_of(const tflm_mel_t *mel, int32_t place) {
    return (const uint8_t *)mel + place;
}

static inline int32_t length_of(const tflm_mel_t *mel) {
    return mel->samples - mel->lag;
}

static inline const tflm_signal_rfft_t *transform_of(const tflm_mel_t *mel) {
    return table_of(mel, mel->transform);
}

// The two areas of the transform, in words.
static int32_t words_of(const tflm_mel_t *mel) {
    const int32_t points = transform_of(mel)->length;
    return mel->bits == WIDE ? 2 * points + 2 : points + 1;
}

static inline int32_t product(const tflm_mel_t *mel, const int16_t *samples, int32_t i) {
    const int16_t *window = table_of(mel, mel->window);
    return samples[i + mel->lag] * window[i] - samples[i] * mel->before;
}

// Writes the products, shifted so that the largest has mel->top bits of 31, or their upper halves.
// Returns by how many bits up; SILENT where there is nothing to shift.
static int32_t fill(const tflm_mel_t *mel, const int16_t *samples, int32_t *x) {
    const int32_t length = length_of(mel);
    uint32_t sizes = 0;
    for (int32_t i = 0; i < length; i++) {
        const int32_t y = product(mel, samples, i);
        sizes |= (uint32_t)(y ^ (y >> 31));
    }
    if (sizes == 0) {
        return SILENT;
    }
    const int32_t shift = mel->top - tflm_mel_bits(sizes);
    int16_t *halves = (int16_t *)x;
    for (int32_t i = 0; i < length; i++) {
        const int32_t y = product(mel, samples, i);
        const int32_t moved = shift < 0 ? y >> 1 : (int32_t)((uint32_t)y << shift);
        if (mel->bits == WIDE) {
            x[i] = moved;
        } else {
            const int32_t half = ((moved >> 15) + 1) >> 1;
            halves[i] = (int16_t)(half > INT16_MAX ? INT16_MAX : half);
        }
    }
    return shift;
}

// Replaces complex numbers by energies: two words by two, or one word of two halves by one.
static void to_energies(bool is_wide, int32_t count, uint32_t *x) {
    for (int32_t i = 0; i < count; i++) {
        if (is_wide) {
            const int32_t re = (int32_t)x[2 * i], im = (int32_t)x[2 * i + 1];
            const uint64_t sum = (uint64_t)((int64_t)re * re) + (uint64_t)((int64_t)im * im);
            x[2 * i] = (uint32_t)(sum >> DROPPED);
            x[2 * i + 1] = (uint32_t)(sum >> DROPPED >> 32);
        } else {
            const int32_t re = (int16_t)x[i], im = (int32_t)x[i] >> 16;
            x[i] = (uint32_t)(re * re) + (uint32_t)(im * im);
        }
    }
}

// The weighted sum of `width` energies.
static uint64_t sum_of(bool is_wide, const uint32_t *x, const uint16_t *weights, int32_t width) {
    uint64_t low = 0, middle = 0;
    uint32_t high = 0;
    for (int32_t i = 0; i < width; i++) {
        const uint32_t weight = weights[i], energy = *x++;
        low += (energy & 0xFFFF) * weight;
        middle += (energy >> 16) * weight;
        if (is_wide) {
            high += *x++ * weight;
        }
    }
    return low + (middle << 16) + ((uint64_t)high << 32);
}

// Writes log2 of the bands' sums, less twice the shift. A row of the file that leads outside counts
// as one without bins.
static void to_logs(const tflm_mel_t *mel, const uint32_t *x, int32_t shift, int32_t *logs) {
    const bool is_wide = mel->bits == WIDE;
    const int32_t count = transform_of(mel)->length / 2 + 1;
    const uint16_t *rows = table_of(mel, mel->rows);
    const uint16_t *weights = table_of(mel, mel->weights);
    int32_t left = mel->weight_count;
    for (int32_t i = 0; i < mel->bands; i++, rows += 2) {
        const int32_t start = rows[0], width = rows[1];
        uint64_t sum = 0;
        if (shift != SILENT && start + width <= count && width <= left) {
            sum = sum_of(is_wide, x + (is_wide ? 2 * start : start), weights, width);
            weights += width;
            left -= width;
        }
        const int32_t log = sum == 0 ? mel->silence : tflm_mel_log2(sum) - shift * (2 << 16);
        logs[i] = sum != 0 && log < mel->least ? mel->least : log;
    }
}

static void to_values(const tflm_mel_t *mel, const int32_t *logs, uint8_t *line) {
    const int16_t *factors = table_of(mel, mel->matrix);
    const int32_t *offsets = table_of(mel, mel->offsets);
    for (int32_t i = 0; i < mel->values; i++) {
        const int32_t *from = mel->columns == 1 ? logs + i : logs;
        int64_t sum = 0;
        for (int32_t j = 0; j < mel->columns; j++) {
            sum += (int64_t)from[j] * *factors++;
        }
        sum = (sum >> (mel->shift - OFFSET_BITS)) + offsets[i] + (1 << (OFFSET_BITS - 1));
        const int64_t whole = sum >> OFFSET_BITS;
        const int32_t value =
            whole < mel->low ? mel->low : whole > mel->high ? mel->high : (int32_t)whole;
        *line++ = (uint8_t)value;
        if (mel->value_size == 2) {
            *line++ = (uint8_t)(value >> 8);
        }
    }
}

static void make_line(
    const tflm_mel_t *mel, const int16_t *samples, int32_t *work, uint8_t *line) {
    const tflm_signal_rfft_t *transform = transform_of(mel);
    const bool is_wide = mel->bits == WIDE;
    int32_t *scratch = work + (is_wide ? transform->length + 2 : transform->length / 2 + 1);
    const int32_t shift = fill(mel, samples, work);
    if (shift != SILENT) {  // a transform has read all of its input before it writes
        if (is_wide) {
            tflm_signal_rfft_s32(transform, (const uint8_t *)work, work, scratch);
        } else {
            tflm_signal_rfft_s16(
                transform, (const uint8_t *)work, (int16_t *)work, (int16_t *)scratch);
        }
        to_energies(is_wide, transform->length / 2 + 1, (uint32_t *)work);
    }
    to_logs(mel, (const uint32_t *)work, shift, scratch);
    to_values(mel, scratch, line);
}

int32_t tflm_mel_feed(const tflm_mel_t *mel, tflm_mel_state_t *state, const uint8_t *samples,
    int32_t count, uint8_t *line) {
    int32_t *work = (int32_t *)(state + 1);
    int16_t *kept = (int16_t *)(work + words_of(mel));
    const int32_t dropped = count < state->skipped ? count : state->skipped;
    state->skipped -= dropped;
    count -= dropped;
    const int32_t missing = mel->samples - state->count;
    if (count > missing) {
        count = missing;
    }
    if (count > 0) {
        memcpy(kept + state->count, samples + 2 * dropped, sizeof(int16_t) * (size_t)count);
    }
    state->count += count;
    if (count < missing) {
        return 2 * (dropped + count);
    }
    make_line(mel, kept, work, line);
    const int32_t rest = mel->samples - mel->step;
    state->count = rest > 0 ? rest : 0;
    state->skipped = rest > 0 ? 0 : -rest;
    memmove(kept, kept + mel->samples - state->count, sizeof(int16_t) * (size_t)state->count);
    return 2 * (dropped + count) + 1;
}

static bool is_smooth(int32_t points) {
    static const int32_t radices[] = {2, 3, 5};
    for (int32_t i = 0; i < 3; i++) {
        while (points % radices[i] == 0) {
            points /= radices[i];
        }
    }
    return points == 1;
}

// Returns whether `count` items of `nbytes` each lie in the tables from `place` on, aligned.
static bool holds(const tflm_mel_t *mel, int32_t place, int32_t count, int32_t nbytes) {
    return place >= (int32_t)sizeof(*mel) && place % nbytes == 0 && place <= mel->size && count >= 0
        && count <= (mel->size - place) / nbytes;
}

static bool is_between(int32_t value, int32_t least, int32_t most) {
    return value >= least && value <= most;
}

static bool has_transform(const tflm_mel_t *mel) {
    if (!holds(mel, mel->transform, (int32_t)sizeof(tflm_signal_rfft_t) / 4, 4)) {
        return false;
    }
    const tflm_signal_rfft_t *transform = transform_of(mel);
    const int32_t points = transform->length;
    const int32_t words = points / 2 + points / 4;  // of turns, of 16 bits
    return transform->rows == 1 && is_between(points, 16, TFLM_MEL_LONGEST) && points % 4 == 0
        && is_smooth(points) && transform->input_length == length_of(mel)
        && is_between(length_of(mel), 1, points)
        && holds(mel, mel->transform + (int32_t)sizeof(*transform),
            mel->bits == WIDE ? 2 * words : words, 4);
}

static bool has_tables(const tflm_mel_t *mel) {
    return holds(mel, mel->window, length_of(mel), 2) && holds(mel, mel->rows, 2 * mel->bands, 2)
        && holds(mel, mel->weights, mel->weight_count, 2)
        && holds(mel, mel->matrix, mel->values * mel->columns, 2)
        && holds(mel, mel->offsets, mel->values, 4);
}

size_t tflm_mel_state_size(const tflm_mel_t *mel, size_t size) {
    if (size < sizeof(*mel) || mel->magic != TFLM_MEL_MAGIC || mel->version != TFLM_MEL_VERSION
        || mel->size < 0 || (size_t)mel->size != size || (mel->bits != 16 && mel->bits != WIDE)
        || !is_between(mel->lag, 0, TFLM_MEL_LONGEST)
        || !is_between(mel->samples, mel->lag + 1, mel->lag + TFLM_MEL_LONGEST)
        || !is_between(mel->before, 0, INT16_MAX) || !is_between(mel->top, 30, 31)
        || !is_between(mel->step, 1, INT32_MAX / 2) || !has_transform(mel)) {
        return 0;
    }
    if (!is_between(mel->bands, 1, transform_of(mel)->length / 2)
        || !is_between(mel->values, 1, mel->bands)
        || (mel->columns != 1 && mel->columns != mel->bands)
        || !is_between(mel->shift, OFFSET_BITS, 62) || !is_between(mel->value_size, 1, 2)
        || !is_between(mel->low, INT16_MIN, mel->high) || mel->high > INT16_MAX
        || !is_between(mel->normal_window, 0, TFLM_MEL_NORMAL_MOST)
        || (mel->normal_window != 0 && mel->normal_window % 2 == 0)
        || !is_between(mel->normal_factor, 0, TFLM_MEL_FACTOR_MOST)
        || !is_between(mel->normal_zero, INT8_MIN, INT8_MAX)
        || !is_between(mel->lines, 0, INT16_MAX) || !has_tables(mel)) {
        return 0;
    }
    const size_t words = sizeof(tflm_mel_state_t) / 4 + (size_t)words_of(mel);
    return 4 * words + sizeof(int16_t) * (size_t)mel->samples;
}
