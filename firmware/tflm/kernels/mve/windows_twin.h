// windows.h in plain C, for machines without the vector extension.
#ifndef TFLM_MVE_WINDOWS_TWIN_H
#define TFLM_MVE_WINDOWS_TWIN_H

static inline void tflm_interleave(
    int8_t *to, const tflm_triple_t *rows, int32_t skip, int32_t count, int32_t lanes) {
    for (int32_t n = 0; n < count; n++, to += TFLM_COLUMN) {
        for (int32_t i = 0; i < TFLM_COLUMN; i++) {
            const int32_t row = i % 4;
            to[i] = 0;
            if (row < TFLM_COLUMN_ROWS && i / 4 < lanes) {
                const int32_t step = rows->step[row];
                to[i] = rows->at[row][n * step + (step != 0 ? skip : 0) + i / 4];
            }
        }
    }
}

// The sum of the sixteen products of channel c and its window number n.
static inline uint32_t tflm_sum_of_window(const tflm_work_t *work, int32_t c, int32_t n) {
    uint32_t sum = 0;
    for (int32_t j = 0; j < TFLM_WINDOW_COLUMNS; j++) {
        const int8_t *x = work->across != 0 ? work->windows + n * work->across + 4 * j
            : work->windows + work->lanes[j] + n * TFLM_COLUMN + 4 * c;
        sum += tflm_dot_one(x, work->taps + j * TFLM_COLUMN + 4 * c, 4);
    }
    return sum;
}

// What vectors.h's walk prepares is not needed here.
typedef int32_t tflm_walk_t;

static inline tflm_walk_t tflm_walk(const tflm_work_t *work) {
    return work->count;
}

static inline int8_t tflm_output_of_window(
    uint32_t sum, tflm_factor_t factor, tflm_range_t range) {
    if (!tflm_range_is_simple(range)) {
        return tflm_requantize(sum, factor, range);
    }
    return tflm_requantize_simply(sum, factor);
}

static inline void tflm_run_columns(
    tflm_walk_t *walk, const tflm_work_t *work, const tflm_fours_t *part) {
    for (int32_t c = 0; c < 4 * part->fours; c++) {
        const int32_t at = work->is_in_order ? c / 4 + 4 * (c % 4) : c;
        const tflm_factor_t factor = tflm_lane_factor(part->words, at);
        for (int32_t n = 0; n < work->count; n++) {
            const uint32_t dot = tflm_sum_of_window(work, part->first + c, n);
            part->output[n * work->step + c] = tflm_output_of_window(
                (uint32_t)part->words.start[at] + dot, factor, work->range);
        }
    }
    *walk = 0;
}

static inline void tflm_run_side_by_side(
    tflm_walk_t *walk, const tflm_work_t *work, const tflm_fours_t *part) {
    tflm_run_columns(walk, work, part);
}

// The first `channels` of four.
static inline void tflm_run_some(const int8_t *from, int32_t across, int32_t count,
    const int8_t *weights, int32_t taps, tflm_lanes_t words, int8_t *output, int32_t step,
    int32_t channels) {
    for (; count > 0; count--, from += across, output += step) {
        for (int32_t c = 0; c < channels; c++) {
            const uint32_t dot = tflm_dot_one(from, weights + c * taps, taps);
            output[c] = tflm_requantize_simply(
                (uint32_t)words.start[c] + dot, tflm_lane_factor(words, c));
        }
    }
}

static inline void tflm_run_short(const int8_t *from, int32_t across, int32_t count,
    const int8_t *weights, int32_t taps, tflm_lanes_t words, int8_t *output, int32_t step) {
    tflm_run_some(from, across, count, weights, taps, words, output, step, 4);
}

static inline void tflm_run_pairs(const int8_t *from, int32_t across, int32_t count,
    const int8_t *weights, int32_t taps, tflm_lanes_t words, int8_t *output, int32_t step) {
    tflm_run_some(from, across, count, weights, taps, words, output, step, 2);
}

#endif
