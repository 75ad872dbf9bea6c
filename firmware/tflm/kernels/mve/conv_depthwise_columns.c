// Windows of at most three rows and four columns: a window's taps of one channel become sixteen
// bytes, which one instruction multiplies and adds, see windows.h.
#include "conv_depthwise_layer.h"
#include "windows.h"

enum { COLUMNS = 26 };  // in memory at once

static const int8_t NOTHING[TFLM_SIXTEEN];

// Columns side by side that are inside the image, from `left` on; rows: for the channel 0.
typedef struct {
    tflm_triple_t rows;
    int8_t *to;
    int32_t left, count;
} run_t;

// Windows side by side, of sixteen channels or fewer.
typedef struct {
    run_t runs[TFLM_WINDOW_COLUMNS];
    int32_t run_count;
    int32_t lanes[TFLM_WINDOW_COLUMNS];  // where the first window's columns lie
    int8_t columns[COLUMNS * TFLM_COLUMN];
} windows_t;

static tflm_triple_t outside(const int8_t *bytes) {
    return (tflm_triple_t) {{bytes, bytes, bytes}, {0, 0, 0}};
}

// Rows of windows at `top`, from column 0 on.
static tflm_triple_t rows_of(const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t top) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    tflm_triple_t rows = outside(layer->zeros);
    for (int32_t i = 0; i < params->filter_height; i++) {
        const uint32_t y = tflm_tap_row(params, top, i);
        if (y < (uint32_t)params->input_height) {
            rows.at[i] = input + (int32_t)y * params->input_width * params->input_depth;
            rows.step[i] = params->input_depth;
        }
    }
    return rows;
}

// Writes those of `count` columns from `left` on that are outside the image, and notes the others.
static void plan_columns(const tflm_mve_depthwise_t *layer, int32_t left, int32_t count,
    int8_t *to, windows_t *windows) {
    const int32_t width = layer->params->input_width, step = layer->params->stride_width;
    const tflm_triple_t zeros = outside(layer->zeros);
    while (count > 0) {
        int32_t n = count;
        if (left < width) {
            n = ((left < 0 ? 0 : width) - left + step - 1) / step;
            n = n < count ? n : count;
        }
        if (left < 0 || left >= width) {
            tflm_interleave(to, &zeros, 0, n, TFLM_SIXTEEN);
        } else {
            run_t *run = &windows->runs[windows->run_count++];
            run->to = to;
            run->left = left;
            run->count = n;
        }
        to += n * TFLM_COLUMN;
        left += n * step;
        count -= n;
    }
}

// The columns of n windows from `left` on, those of one tap side by side.
static void plan_windows(
    const tflm_mve_depthwise_t *layer, int32_t left, int32_t n, windows_t *windows) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t width = params->filter_width, dilation = params->dilation_width;
    const int32_t stride = dilation == 1 ? params->stride_width : width;
    int32_t at = 0;
    windows->run_count = 0;
    for (int32_t j = 0; j < TFLM_WINDOW_COLUMNS; j++) {
        if (j >= width) {
            windows->lanes[j] = 0;
        } else if (j >= stride) {
            windows->lanes[j] = windows->lanes[j - stride] + TFLM_COLUMN;
        } else {
            const int32_t count = n + (width - 1 - j) / stride;
            windows->lanes[j] = at;
            plan_columns(layer, left + j * dilation, count, windows->columns + at, windows);
            at += count * TFLM_COLUMN;
        }
    }
}

// Where the columns of such windows come from in these rows.
static void place_runs(windows_t *windows, const tflm_triple_t *rows, int32_t stride) {
    for (run_t *run = windows->runs; run != windows->runs + windows->run_count; run++) {
        for (int32_t i = 0; i < TFLM_COLUMN_ROWS; i++) {
            run->rows.at[i] = rows->at[i] + run->left * rows->step[i];
            run->rows.step[i] = rows->step[i] * stride;
        }
    }
}

// Where the weights of channel 0 lie.
static tflm_triple_t rows_of_filter(const tflm_mve_depthwise_t *layer) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    tflm_triple_t rows = outside(NOTHING);
    for (int32_t i = 0; i < params->filter_height; i++) {
        rows.at[i] = layer->filter + i * params->filter_width * params->output_depth;
        rows.step[i] = params->output_depth;
    }
    return rows;
}

// At most three channels.
static void run_few(
    tflm_walk_t *walk, const tflm_work_t *work, const tflm_fours_t *part, int32_t count) {
    int8_t few[4 * COLUMNS];
    int32_t words[12] = {0};
    for (int32_t c = 0; c < count; c++) {
        words[c] = part->words.start[c];
        words[4 + c] = part->words.multiplier[c];
        words[8 + c] = part->words.shift[c];
    }
    const tflm_fours_t four = {0, 1, {words, words + 4, words + 8}, few};
    tflm_work_t narrow = *work;
    narrow.step = 4;
    tflm_run_columns(walk, &narrow, &four);
    for (int32_t n = 0; n < work->count; n++) {
        for (int32_t c = 0; c < count; c++) {
            part->output[n * work->step + c] = few[4 * n + c];
        }
    }
}

// Channels whose columns are in memory: `count` of them, sixteen at most.
static void run_channels(
    tflm_walk_t *walk, const tflm_work_t *work, tflm_fours_t part, int32_t count) {
    if (count < 4) {
        run_few(walk, work, &part, count);
        return;
    }
    int32_t first = 0;
    do {
        // The last four start early where channels are no multiple of four: some run twice.
        const int32_t skip = tflm_channels_from(first, 4, count) - part.first;
        part.first += skip;
        part.words = tflm_lanes_from(part.words, skip);
        part.output += skip;
        part.fours = first + 4 <= count ? (count - first) / 4 : 1;
        if (work->across == 0) {
            tflm_run_columns(walk, work, &part);
        } else {
            tflm_run_side_by_side(walk, work, &part);
        }
        first += 4 * part.fours;
    } while (first < count);
}

int32_t tflm_mve_windows_at_once(const tflm_depthwise_conv_2d_t *params) {
    const int32_t width = params->filter_width;
    const int32_t apart =
        params->dilation_width == 1 && params->stride_width < width ? params->stride_width : width;
    const int32_t most = (COLUMNS - width + apart) / apart;
    const int32_t parts = (params->output_width + most - 1) / most;
    return (params->output_width + parts - 1) / parts;
}

// Sixteen channels of the windows in `work` from c on, or all if there are fewer.
static void run_sixteen(const tflm_mve_depthwise_t *layer, tflm_walk_t *walk,
    const tflm_work_t *work, const windows_t *windows, int32_t c, int8_t *output) {
    const int32_t depth = layer->params->output_depth;
    const int32_t count = depth < TFLM_SIXTEEN ? depth : TFLM_SIXTEEN;
    for (const run_t *run = windows->runs; run != windows->runs + windows->run_count; run++) {
        tflm_interleave(run->to, &run->rows, c, run->count, count);
    }
    const tflm_fours_t part = {
        .fours = count / 4,
        .words = tflm_lanes_from(layer->lanes, c),
        .output = output + c,
    };
    if (count % 4 == 0) {
        tflm_run_columns(walk, work, &part);
    } else {
        run_channels(walk, work, part, count);
    }
}

void tflm_mve_depthwise_columns(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, width = params->output_width;
    const int32_t count = depth < TFLM_SIXTEEN ? depth : TFLM_SIXTEEN;
    const tflm_triple_t filter = rows_of_filter(layer);
    int8_t taps[TFLM_WINDOW_COLUMNS * TFLM_COLUMN];
    windows_t windows;
    tflm_walk_t walk;
    tflm_work_t work = {
        .taps = taps,
        .windows = windows.columns,
        .lanes = windows.lanes,
        .is_in_order = layer->is_in_order,
        .range = layer->range,
        .step = depth,
    };
    tflm_fill_bytes(taps, 0, sizeof(taps));
    for (int32_t y = 0; y < params->output_height; y++) {
        const tflm_triple_t rows =
            rows_of(layer, input, y * params->stride_height - params->pad_top);
        for (int32_t x = 0; x < width; x += work.count, output += work.count * depth) {
            // Windows that are a whole row are those of the next row, too.
            if (work.count != width) {
                work.count = layer->at_once < width - x ? layer->at_once : width - x;
                plan_windows(
                    layer, x * params->stride_width - params->pad_left, work.count, &windows);
                walk = tflm_walk(&work);
            }
            place_runs(&windows, &rows, params->stride_width);
            for (int32_t channel = 0; channel < depth; channel += TFLM_SIXTEEN) {
                const int32_t c = tflm_channels_from(channel, TFLM_SIXTEEN, depth);
                tflm_interleave(taps, &filter, c, params->filter_width, count);
                run_sixteen(layer, &walk, &work, &windows, c, output);
            }
        }
    }
}

// Columns of an image of one channel, a word each: `count` of them from `left` on.
static void load_words(const tflm_mve_depthwise_t *layer, const tflm_triple_t *rows, int32_t left,
    int32_t count, int8_t *to) {
    const int32_t width = layer->params->input_width;
    while (count > 0) {
        const int32_t is_inside = left >= 0 && left < width;
        const int32_t room = (left < 0 ? 0 : width) - left;
        const int32_t n = left < width && room < count ? room : count;
        tflm_triple_t from = is_inside ? *rows : outside(layer->zeros);
        for (int32_t i = 0; is_inside && i < TFLM_COLUMN_ROWS; i++) {
            from.at[i] += rows->step[i] != 0 ? left : 0;
            from.step[i] = rows->step[i] != 0 ? TFLM_SIXTEEN : 0;
        }
        // Sixteen words at a time. Those too many are written again, or lie behind the last.
        const int32_t sixteens = n / TFLM_SIXTEEN, rest = n % TFLM_SIXTEEN;
        if (sixteens > 0) {
            tflm_interleave(to, &from, 0, sixteens, TFLM_SIXTEEN);
        }
        if (rest > 0) {
            tflm_interleave(
                to + sixteens * TFLM_COLUMN, &from, sixteens * TFLM_SIXTEEN, 1, rest);
        }
        to += 4 * n;
        left += n;
        count -= n;
    }
}

void tflm_mve_depthwise_spread_columns(
    const tflm_mve_depthwise_t *layer, const int8_t *input, int32_t y, int8_t *output) {
    const tflm_depthwise_conv_2d_t *params = layer->params;
    const int32_t depth = params->output_depth, stride = params->stride_width;
    const int32_t most = (TFLM_SIXTEEN * (COLUMNS - 1) - TFLM_WINDOW_COLUMNS) / stride + 1;
    const tflm_triple_t rows = rows_of(layer, input, y * params->stride_height - params->pad_top);
    const tflm_triple_t filter = rows_of_filter(layer);
    const int32_t count = depth < TFLM_SIXTEEN ? depth : TFLM_SIXTEEN;
    int8_t taps[TFLM_WINDOW_COLUMNS * TFLM_COLUMN], words[COLUMNS * TFLM_COLUMN];
    tflm_work_t work = {
        .taps = taps,
        .windows = words,
        .across = 4 * stride,
        .range = layer->range,
        .count = most,
        .step = depth,
    };
    tflm_fill_bytes(taps, 0, sizeof(taps));
    for (int32_t x = 0; x < params->output_width; x += work.count, output += work.count * depth) {
        const int32_t left = params->output_width - x;
        work.count = most < left ? most : left;
        load_words(layer, &rows, x * stride - params->pad_left,
            (work.count - 1) * stride + TFLM_WINDOW_COLUMNS, words);
        tflm_walk_t walk = tflm_walk(&work);
        for (int32_t channel = 0; channel < depth; channel += TFLM_SIXTEEN) {
            const int32_t c = tflm_channels_from(channel, TFLM_SIXTEEN, depth);
            tflm_interleave(taps, &filter, c, params->filter_width, count);
            const tflm_fours_t part = {
                .words = tflm_lanes_from(layer->lanes, c),
                .output = output + c,
            };
            run_channels(&walk, &work, part, count);
        }
    }
}
