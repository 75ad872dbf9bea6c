#include "conv_winograd.h"

#include "../common/split.h"
#include "conv_winograd_sums.h"

enum { WIDTH = TFLM_TILES * 2 };  // outputs that are computed at once

// Fours first..last-1 of the stream, whose outputs begin at a channel.
static void run_fours(tflm_dsp_tiles_t tiles, int32_t first, int32_t last, int32_t channel) {
    tiles.stream += first * tflm_dsp_tiles_step(tiles.fours, tiles.form);
    tiles.channels = TFLM_TILE_CHANNELS * (last - first);
    for (int32_t i = 0; i < WIDTH; i++) {
        tiles.outputs[i] += channel;
    }
    tflm_dsp_tiles(&tiles);
}

// Fours first..last-1, which cores share.
static void run_share(const void *context, int32_t first, int32_t last) {
    run_fours(*(const tflm_dsp_tiles_t *)context, first, last, TFLM_TILE_CHANNELS * first);
}

// All channels at `count` neighbouring outputs, at most four. If channels are no multiple of four,
// the last four begin earlier, and some run twice.
static void run_tiles(tflm_dsp_tiles_t *tiles, const tflm_conv_2d_t *params, int8_t *output,
    int32_t count) {
    static const int8_t columns[WIDTH] = {0, 2, 1, 3};
    const int32_t channels = params->output_depth, fours = channels / TFLM_TILE_CHANNELS;
    for (int32_t i = 0; i < WIDTH; i++) {
        tiles->outputs[i] = output + (columns[i] < count ? columns[i] * channels : 0);
    }
    if (tflm_can_split(fours)) {
        tflm_split(run_share, tiles, fours);
    } else {
        run_share(tiles, 0, fours);
    }
    if (channels % TFLM_TILE_CHANNELS != 0) {
        run_fours(*tiles, fours, fours + 1, channels - TFLM_TILE_CHANNELS);
    }
    tflm_dsp_clamp(output, count * channels,
        (tflm_range_t) {params->output_offset, params->activation_min, params->activation_max});
}

void tflm_dsp_winograd(const tflm_conv_2d_t *params, const int8_t *input,
    const tflm_dsp_constants_t *prepared, int8_t *output, int32_t *scratch) {
    uint32_t *const terms = (void *)scratch;
    tflm_dsp_tiles_t tiles = {
        .terms = terms,
        .fours = 3 * params->input_depth / 4,
        .stream = (const void *)prepared->channels,
        .form = prepared->form & ~TFLM_WINOGRAD,
    };
    int8_t *const zeros = (void *)(terms + TFLM_FOUR_WORDS * tiles.fours);
    memset(zeros, -params->input_offset, (uint32_t)params->input_depth);
    tflm_window_t window = {.image = input};
    for (int32_t batch = 0; batch < params->batches; batch++) {
        for (int32_t y = 0; y < params->output_height; y++) {
            window.top = y - params->pad_top;
            for (int32_t x = 0; x < params->output_width; x += WIDTH) {
                const int32_t left = params->output_width - x;
                const int32_t count = left < WIDTH ? left : WIDTH;
                window.left = x - params->pad_left;
                tflm_dsp_terms(terms, params, &window, zeros);
                run_tiles(&tiles, params, output, count);
                output += count * params->output_depth;
            }
        }
        window.image += params->input_height * params->input_width * params->input_depth;
    }
}
