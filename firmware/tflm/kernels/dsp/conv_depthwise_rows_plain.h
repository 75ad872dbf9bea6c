// conv_depthwise_rows.c without assembly: the same functions in C, which tests run on a PC.
#include <stddef.h>

typedef struct {
    uint32_t even, odd;
} value_t;

static value_t value_at(const int8_t *row, uint32_t offsets) {
    const uint32_t word = tflm_load4(row);
    return (value_t) {tflm_add_even(offsets, word), tflm_add_odd(offsets, word)};
}

// The halves of four channels side by side, one value after the other.
static void put(uint32_t *to, value_t low, value_t high) {
    to[0] = tflm_low_halves(low.even, high.even);
    to[TFLM_PLANE] = tflm_low_halves(low.odd, high.odd);
    to[2 * TFLM_PLANE] = tflm_high_halves(low.even, high.even);
    to[3 * TFLM_PLANE] = tflm_high_halves(low.odd, high.odd);
}

// Channels 0 and 2, 1 and 3 of four taps, doubled.
typedef struct {
    uint32_t even, odd;
} taps_t;

static taps_t taps_at(const int8_t *filter) {
    const uint32_t word = tflm_load4(filter);
    const uint32_t even = tflm_even(word), odd = tflm_odd(word);
    return (taps_t) {tflm_add16(even, even), tflm_add16(odd, odd)};
}

static void make_lanes(tflm_lane_t *to, const int8_t *filter, int32_t depth,
    const tflm_dsp_channel_t *channels) {
    taps_t before = {0, 0};
    for (int32_t i = 0; i < 3; i++, filter += depth) {
        const taps_t first = taps_at(filter), second = taps_at(filter + 3 * depth);
        const taps_t last = taps_at(filter + 6 * depth);
        to[0].pairs[i] = tflm_low_halves(first.even, second.even);
        to[1].pairs[i] = tflm_low_halves(first.odd, second.odd);
        to[2].pairs[i] = tflm_high_halves(first.even, second.even);
        to[3].pairs[i] = tflm_high_halves(first.odd, second.odd);
        if (i > 0) {
            to[0].last[i - 1] = tflm_low_halves(before.even, last.even);
            to[1].last[i - 1] = tflm_low_halves(before.odd, last.odd);
            to[2].last[i - 1] = tflm_high_halves(before.even, last.even);
            to[3].last[i - 1] = tflm_high_halves(before.odd, last.odd);
        }
        before = last;
    }
    for (int32_t i = 0; i < TFLM_LANES; i++) {
        to[i].start = channels[i].start;
    }
}

// The same byte four times.
static value_t spread(const int8_t *byte, uint32_t offsets) {
    const uint32_t both = tflm_add16(tflm_both(*byte), offsets);
    return (value_t) {both, both};
}

typedef value_t (*widen_t)(const int8_t *bytes, uint32_t offsets);

static void widen(const tflm_dsp_fours_t *fours, widen_t value_at) {
    const int8_t *x = fours->input;
    const value_t nothing = {0, 0};
    for (uint32_t *to = fours->planes; to != fours->whole + TFLM_PAIR * fours->odd;
         to += TFLM_PAIR) {
        value_t last[2] = {nothing, nothing};
        for (int32_t i = 0; i < 2; i++) {
            if (i == 1 && to == fours->whole) {
                put(to + i, nothing, nothing);
                continue;
            }
            put(to + i, value_at(x, fours->offsets), value_at(x + fours->second, fours->offsets));
            last[i] = value_at(x + fours->third, fours->offsets);
            x += fours->step;
        }
        put(to + 2, last[0], last[1]);
    }
}

// What a pair of columns adds to the window that begins `at` columns from it.
static uint32_t add(uint32_t sum, const uint32_t *x, const tflm_lane_t *lane, int32_t at) {
    switch (at) {
        case -2:
            return tflm_smlabb(x[2], lane->last[1] >> 16, tflm_smlad(x[0], lane->pairs[2], sum));
        case -1:
            sum = tflm_smlad(x[1], lane->pairs[2], tflm_smlad(x[0], lane->pairs[1], sum));
            return tflm_smlad(x[2], lane->last[1], sum);
        case 0:
            sum = tflm_smlad(x[1], lane->pairs[1], tflm_smlad(x[0], lane->pairs[0], sum));
            return tflm_smlad(x[2], lane->last[0], sum);
        default:
            return tflm_smlabb(x[2] >> 16, lane->last[0], tflm_smlad(x[1], lane->pairs[0], sum));
    }
}

static void sum_up(const tflm_dsp_fours_t *fours, uint32_t *plane, const tflm_lane_t *lane) {
    const int32_t last = fours->way == TFLM_BY_ONE ? 2 : 1;
    const int32_t first = fours->way == TFLM_BY_TWO_ODD ? -1 : -2;
    uint32_t sums[2] = {(uint32_t)lane->start, (uint32_t)lane->start};
    uint32_t *to = plane - TFLM_BEFORE;
    for (const uint32_t *x = plane; x != plane + TFLM_PAIR * fours->pairs; x += TFLM_PAIR) {
        const uint32_t words[TFLM_PAIR] = {x[0], x[1], x[2]};
        for (int32_t i = 0; i < last; i++) {
            *to++ = add(sums[i], words, lane, first + i);
            sums[i] = add((uint32_t)lane->start, words, lane, first + 2 + i);
        }
    }
    for (int32_t i = 0; i < last; i++) {
        to[i] = sums[i];
    }
}

static void finish(const tflm_dsp_fours_t *fours, int32_t lane) {
    const int32_t *factors = fours->factors;
    const tflm_dsp_channel_t *exact = (const tflm_dsp_channel_t *)factors + lane;
    int8_t *output = fours->output + lane;
    for (const uint32_t *sum = fours->sums; sum != fours->sums_end; sum++) {
        const uint32_t x = sum[lane * TFLM_PLANE];
        *output = fours->form == TFLM_EXACT ? tflm_dsp_output(x, exact)
            : tflm_dsp_linear(x, factors[lane], factors[TFLM_LANES + lane], TFLM_LINEAR_8);
        output += fours->depth;
    }
}

static void keep_inside(tflm_dsp_fours_t *fours) {
    for (int32_t i = 0; i < TFLM_LANES; i++, fours->source++) {
        tflm_lane_t lane = *fours->source;
        for (int32_t k = 0; k < 3; k++) {
            lane.pairs[k] &= fours->pairs_inside;
        }
        lane.last[0] &= fours->last_inside;
        lane.last[1] &= fours->last_inside;
        fours->room[i] = lane;
    }
    fours->source = (const void *)((const char *)fours->source + fours->source_step);
}

void tflm_dsp_spread(const tflm_dsp_fours_t *fours) {
    widen(fours, spread);
}

void tflm_dsp_fours(tflm_dsp_fours_t *fours) {
    for (; fours->groups > 0; fours->groups--) {
        if (fours->filter != NULL) {
            make_lanes(fours->room, fours->filter, fours->depth, (const void *)fours->factors);
            fours->filter += TFLM_LANES;
        }
        if (fours->source != NULL) {
            keep_inside(fours);
        }
        widen(fours, value_at);
        for (int32_t lane = 0; lane < TFLM_LANES; lane++) {
            sum_up(fours, fours->planes + lane * TFLM_PLANE, &fours->lanes[lane]);
            finish(fours, lane);
        }
        fours->input += TFLM_LANES;
        fours->output += TFLM_LANES;
        fours->lanes = (const void *)((const char *)fours->lanes + fours->lanes_step);
        fours->factors += fours->factors_step / (int32_t)sizeof(*fours->factors);
    }
}
