// See fit.h. Positions are exact quotients of integers, so that every core has the same taps.
#include "image/fit.h"

#include <string.h>

#include "image/pixels.h"
#include "image/loops.h"

enum { ONE = 1 << 14, SHIFT = 14 };

// Weights in proportion to `shares`, in place, that add up to ONE: what rounding leaves goes to
// the first of the largest.
static void normalize(uint16_t *shares, int32_t count) {
    uint32_t sum = 0;
    int32_t largest = 0;
    for (int32_t k = 0; k < count; k++) {
        sum += shares[k];
        largest = shares[k] > shares[largest] ? k : largest;
    }
    uint32_t left = ONE;
    for (int32_t k = 0; k < count; k++) {
        shares[k] = (uint16_t)((2 * ONE * shares[k] + sum) / (2 * sum));
        left -= shares[k];
    }
    shares[largest] = (uint16_t)(shares[largest] + left);
}

// The pixels k from *first on that make pixel i of `after`, of `before` ones, and their weights.
// Returns how many.
static int32_t taps_of(
    int32_t resize, int32_t before, int32_t after, int32_t i, int32_t *first, uint16_t *weights) {
    int32_t count = 0, k;
    if (resize == TFLM_NEAREST) {
        *first = (2 * i + 1) * before / (2 * after);
        return 1;
    }
    if (resize == TFLM_BILINEAR || resize == TFLM_EDGE) {
        const bool is_edge = resize == TFLM_EDGE;
        const int32_t one = is_edge ? ONE : 256;
        int32_t at = is_edge
            ? ONE / 2 + i * ((before << SHIFT) / after)
            : (int32_t)((uint32_t)((2 * i + 1) * before) * 128 / (uint32_t)after) - 128;
        at = at < 0 ? 0 : at > (before - 1) * one ? (before - 1) * one : at;
        weights[1] = (uint16_t)(at & (one - 1));
        weights[0] = (uint16_t)(one - weights[1]);
        *first = at / one;
        return weights[1] != 0 ? 2 : 1;
    }
    if (resize == TFLM_AREA) {
        *first = i * before / after;
        for (k = *first; k * after < (i + 1) * before; k++) {
            const int32_t low = k * after > i * before ? k * after : i * before;
            const int32_t high =
                (k + 1) * after < (i + 1) * before ? (k + 1) * after : (i + 1) * before;
            weights[count++] = (uint16_t)(high - low);
        }
    } else {  // a triangle around the middle, in units of 1 / (2 after)
        const int32_t middle = (2 * i + 1) * before, wide = 2 * (before > after ? before : after);
        k = middle < wide ? 0 : (middle - wide) / (2 * after);
        k += (2 * k + 1) * after <= middle - wide;
        for (*first = k; k < before && (2 * k + 1) * after < middle + wide; k++) {
            const int32_t far = (2 * k + 1) * after - middle;
            weights[count++] = (uint16_t)(wide - (far < 0 ? -far : far));
        }
    }
    normalize(weights, count);
    return count;
}

static int32_t most_taps(const tflm_picture_t *of) {
    int32_t most = 2;
    const int32_t before[] = {of->columns, of->rows}, after[] = {of->in_columns, of->in_rows};
    for (int32_t i = 0; i < 2; i++) {
        const int32_t taps = of->resize == TFLM_AREA ? before[i] / after[i] + 2
            : of->resize == TFLM_ANTIALIAS ? 2 * before[i] / after[i] + 2 : 2;
        most = taps > most ? taps : most;
    }
    return most;
}

static bool is_between(int32_t value, int32_t least, int32_t most) {
    return value >= least && value <= most;
}

// Whether `size` from `start` on lie in `whole`.
static bool is_part(int32_t start, int32_t size, int32_t whole) {
    return is_between(whole, 1, TFLM_IMAGE_MOST) && is_between(start, 0, whole)
        && is_between(size, 1, whole - start);
}

static bool is_possible(const tflm_picture_t *of) {
    const int32_t squares = of->format == TFLM_BAYER;
    const int32_t odd = squares ? of->width | of->height : of->format == TFLM_YUV422 ? of->width : 0;
    return is_between(of->format, 0, TFLM_FORMATS - 1)
        && is_between(of->order, 0, squares ? 3 : 1) && is_between(of->resize, 0, TFLM_RESIZES - 1)
        && is_between(of->turns, 0, 3) && (odd & 1) == 0
        && is_part(of->left, of->columns, of->width >> squares)
        && is_part(of->top, of->rows, of->height >> squares)
        && is_part(of->in_left, of->in_columns, of->in_width)
        && is_part(of->in_top, of->in_rows, of->in_height)
        && (of->channels == 1 || of->channels == 3) && (of->size == 1 || of->size == 4)
        && (of->flip == 0 || of->flip == 128)
        && (of->tables == of->channels || is_between(of->tables, 0, 1));
}

static int32_t placed(tflm_fit_t *fit, bool is_needed, int32_t nbytes) {
    const int32_t place = fit->nbytes;
    fit->nbytes += is_needed ? (nbytes + 3) & ~3 : 0;
    return is_needed ? place : 0;
}

static void set_steps(tflm_fit_t *fit) {
    const tflm_picture_t *of = &fit->of;
    const int32_t c = of->channels, is_aside = of->turns & 1;
    const int32_t row = c * (is_aside ? of->in_height : of->in_width);
    const int32_t last_x = of->in_width - 1, last_y = of->in_height - 1;
    fit->step_x = is_aside ? row : c;
    fit->step_y = is_aside ? c : row;
    fit->origin = 0;
    if (of->turns == 1 || of->turns == 2) {
        fit->origin += fit->step_y * last_y;
        fit->step_y = -fit->step_y;
    }
    if (of->turns >= 2) {
        fit->origin += fit->step_x * last_x;
        fit->step_x = -fit->step_x;
    }
}

// Sets all but the tables, and where the frame is.
static void plan(tflm_fit_t *fit, const tflm_picture_t *of) {
    static const uint8_t pixel_bytes[] = {2, 3, 1, 2, 1};
    const bool is_weighted = of->resize > TFLM_BILINEAR, is_nearest = of->resize == TFLM_NEAREST;
    const int32_t c = of->channels;
    fit->of = *of;
    fit->is_busy = 0;
    fit->row_bytes = of->width * pixel_bytes[of->format];
    fit->most = most_taps(of);
    fit->stride = (of->in_columns * c + 3) & ~3;
    set_steps(fit);
    fit->nbytes = sizeof(*fit);
    fit->table = placed(fit, of->tables != 0, of->tables * TFLM_IMAGE_CODES * of->size);
    fit->sums = placed(
        fit, of->format == TFLM_RGB565 && c == 1, 2 * TFLM_IMAGE_CODES * (int32_t)sizeof(uint32_t));
    fit->columns =
        placed(fit, true, 2 * of->in_columns * (is_weighted ? 2 + fit->most : is_nearest ? 1 : 2));
    fit->weights = placed(fit, true, 2 * fit->most);
    fit->slots = placed(fit, is_weighted, 4 * fit->most);
    fit->line = placed(fit, !is_nearest || fit->sums == 0, c * (of->columns + 1));
    // What is read behind the last row: see tflm_image_sum_rows().
    fit->mixed = placed(fit, !is_nearest, fit->stride * fit->most + (is_weighted ? 2 : 0));
    fit->kept = placed(fit, of->format == TFLM_BAYER, of->width);
    fit->row = placed(fit, of->turns != 0 || of->size != 1, of->in_width * c);
}

size_t tflm_fit_size(const tflm_picture_t *of) {
    tflm_fit_t fit;
    if (!is_possible(of)) {
        return 0;
    }
    plan(&fit, of);
    return (size_t)fit.nbytes;
}

void tflm_fit_make(tflm_fit_t *fit, const tflm_picture_t *of, const void *table) {
    plan(fit, of);
    if (fit->table != 0) {
        memcpy(tflm_image_at(fit, fit->table), table,
            (size_t)(of->tables * TFLM_IMAGE_CODES * of->size));
    }
    const bool is_picked = of->resize == TFLM_NEAREST && fit->sums != 0;
    if (fit->sums != 0) {
        tflm_image_sums(tflm_image_at(fit, fit->sums), of->order, is_picked ? of->flip : 0);
    }
    const int32_t pixel = is_picked ? 2 : of->channels;
    uint16_t *column = tflm_image_at(fit, fit->columns);
    uint16_t *weights = tflm_image_at(fit, fit->weights);
    for (int32_t x = 0; x < of->in_columns; x++) {
        int32_t first;
        const int32_t count =
            taps_of(of->resize, of->columns, of->in_columns, x, &first, weights);
        *column++ = (uint16_t)(pixel * first);
        if (of->resize == TFLM_BILINEAR) {
            *column++ = weights[1];
        } else if (of->resize != TFLM_NEAREST) {
            *column++ = (uint16_t)count;
            memcpy(column, weights, sizeof(*weights) * (size_t)count);
            column += fit->most;
        }
    }
    tflm_fit_begin(fit);
}

static bool has_picture(const tflm_fit_t *fit) {
    return fit->next_out >= fit->of.in_top && fit->next_out < fit->of.in_top + fit->of.in_rows;
}

static void find_taps(tflm_fit_t *fit) {
    const tflm_picture_t *of = &fit->of;
    if (!has_picture(fit)) {
        return;
    }
    fit->count = taps_of(of->resize, of->rows, of->in_rows, fit->next_out - of->in_top,
        &fit->first, tflm_image_at(fit, fit->weights));
    int32_t *slots = tflm_image_at(fit, fit->slots);
    for (int32_t k = 0; fit->slots != 0 && k < fit->count; k++) {
        slots[k] = (fit->first + k) % fit->most * fit->stride;
    }
}

void tflm_fit_begin(tflm_fit_t *fit) {
    fit->next_in = 0;
    fit->next_out = 0;
    fit->have = -1;
    fit->is_open = 0;
    find_taps(fit);
}

static uint8_t *mixed_row(tflm_fit_t *fit, int32_t number) {
    return (uint8_t *)tflm_image_at(fit, fit->mixed) + number % fit->most * fit->stride;
}

// Takes row next_in of the frame, as far as a row of the input needs it.
static void take(tflm_fit_t *fit, const uint8_t *row) {
    const tflm_picture_t *of = &fit->of;
    int32_t number = fit->next_in;
    if (of->format == TFLM_BAYER) {
        number >>= 1;
        if ((fit->next_in & 1) == 0) {
            memcpy(tflm_image_at(fit, fit->kept), row, (size_t)of->width);
            return;
        }
    }
    number -= of->top;
    if (!is_between(number, 0, of->rows - 1)) {
        return;
    }
    fit->have = number;
    if (fit->line == 0 || !has_picture(fit) || number < fit->first) {
        return;
    }
    tflm_image_line(fit, row);
    const uint8_t *line = tflm_image_at(fit, fit->line);
    const uint16_t *columns = tflm_image_at(fit, fit->columns);
    if (of->resize == TFLM_BILINEAR) {
        (of->channels == 1 ? tflm_image_mix : tflm_image_mix_colours)(
            line, columns, of->in_columns, mixed_row(fit, number));
    } else if (of->resize != TFLM_NEAREST) {
        (of->channels == 1 ? tflm_image_sum_columns : tflm_image_sum_colours)(
            line, columns, fit->most, of->in_columns, mixed_row(fit, number));
    }
}

// Whether the next row of the input has all that it needs.
static bool is_complete(const tflm_fit_t *fit) {
    return fit->next_out < fit->of.in_height
        && (!has_picture(fit) || fit->have >= fit->first + fit->count - 1);
}

static uint8_t *fill(const tflm_picture_t *of, int32_t pixels, uint8_t *to) {
    for (; pixels > 0; pixels--) {
        for (int32_t c = 0; c < of->channels; c++) {
            *to++ = (uint8_t)of->fill[c];
        }
    }
    return to;
}

static void write_picture(tflm_fit_t *fit, const uint8_t *row, uint8_t *to) {
    const tflm_picture_t *of = &fit->of;
    const uint16_t *columns = tflm_image_at(fit, fit->columns);
    const uint16_t *weights = tflm_image_at(fit, fit->weights);
    const int32_t count = of->in_columns * of->channels;
    const uint32_t flip = (uint32_t)of->flip;
    if (of->resize == TFLM_BILINEAR) {
        tflm_image_blend(mixed_row(fit, fit->first), mixed_row(fit, fit->first + 1),
            fit->count > 1 ? weights[1] : 0, count, flip, to);
    } else if (of->resize != TFLM_NEAREST) {
        tflm_image_sum_rows(tflm_image_at(fit, fit->mixed), tflm_image_at(fit, fit->slots), weights,
            fit->count, count, flip, to);
    } else if (fit->line == 0) {
        const uint32_t *sums = tflm_image_at(fit, fit->sums);
        tflm_image_pick(sums, sums + TFLM_IMAGE_CODES, row + 2 * of->left, columns, count, to);
    } else {
        const uint8_t *line = tflm_image_at(fit, fit->line);
        for (int32_t x = 0; x < of->in_columns; x++) {
            for (int32_t c = 0; c < of->channels; c++) {
                *to++ = (uint8_t)(line[columns[x] + c] ^ flip);
            }
        }
    }
}

// Writes bytes as values, by a table where there is one, `step` values from pixel to pixel.
static void write_values(tflm_fit_t *fit, const uint8_t *from, int32_t step, uint8_t *to) {
    const tflm_picture_t *of = &fit->of;
    const uint8_t *table = tflm_image_at(fit, fit->table);
    for (int32_t x = 0; x < of->in_width; x++, to += step * of->size) {
        for (int32_t c = 0; c < of->channels; c++) {
            const int32_t code = *from++ + (of->tables == 3 ? TFLM_IMAGE_CODES * c : 0);
            if (of->size == 1) {
                to[c] = fit->table != 0 ? table[code] : (uint8_t)code;
            } else {
                memcpy(to + 4 * c, table + 4 * code, 4);
            }
        }
    }
}

// Writes row next_out of the input; `row` is row next_in of the frame.
static void write_row(tflm_fit_t *fit, const uint8_t *row, bool is_row, uint8_t *out) {
    const tflm_picture_t *of = &fit->of;
    uint8_t *to = out + (is_row ? 0 : fit->origin + fit->next_out * fit->step_y) * of->size;
    uint8_t *bytes = fit->row != 0 ? tflm_image_at(fit, fit->row) : to;
    if (has_picture(fit)) {
        uint8_t *picture = fill(of, of->in_left, bytes);
        write_picture(fit, row, picture);
        fill(of, of->in_width - of->in_left - of->in_columns,
            picture + of->in_columns * of->channels);
    } else {
        fill(of, of->in_width, bytes);
    }
    if (fit->table != 0 || fit->row != 0) {
        write_values(fit, bytes, fit->step_x, to);
    }
}

int32_t tflm_fit_feed(tflm_fit_t *fit, const uint8_t *rows, int32_t count, int32_t start,
    bool is_row, uint8_t *out) {
    while (start < count) {
        const uint8_t *row = rows + start * fit->row_bytes;
        while (is_complete(fit)) {
            write_row(fit, row, is_row, out);
            fit->next_out++;
            find_taps(fit);
            if (is_row) {
                return 2 * start + 1;
            }
        }
        if (fit->is_open == 0) {
            take(fit, row);
            fit->is_open = 1;
            continue;
        }
        fit->is_open = 0;
        start++;
        if (++fit->next_in == fit->of.height) {
            tflm_fit_begin(fit);
        }
    }
    return 2 * start;
}
