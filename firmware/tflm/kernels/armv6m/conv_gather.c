#include "conv_gather.h"

#include "conv_pairs.h"
#include "core.h"

TFLM_HOT void tflm_m0_next(const tflm_m0_geometry_t *geometry, tflm_m0_place_t *place) {
    if (++place->x < geometry->output_width) {
        return;
    }
    place->x = 0;
    if (++place->y < geometry->output_height) {
        return;
    }
    place->y = 0;
    place->image += geometry->input_height * geometry->input_width * geometry->input_depth;
}

TFLM_HOT void tflm_m0_follow(
    const tflm_m0_geometry_t *geometry, tflm_m0_place_t places[4], int32_t count) {
    for (int32_t i = 1; i < 4; i++) {
        places[i] = places[i - 1];
        if (i < count) {
            tflm_m0_next(geometry, &places[i]);
        }
    }
}

// The row of the image that a window row takes its values from, or NULL.
static const int8_t *row_of(
    const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *place, int32_t i) {
    const uint32_t y = (uint32_t)(place->y * geometry->stride_height - geometry->pad_top)
        + (uint32_t)i * (uint32_t)geometry->dilation_height;
    if (y >= (uint32_t)geometry->input_height) {
        return NULL;
    }
    return place->image + y * (uint32_t)(geometry->input_width * geometry->input_depth);
}

static void fill(uint32_t *window, int32_t count, uint32_t word) {
    for (; count > 0; count--) {
        *window++ = word;
    }
}

// Replaces the zero point by inputs, in the low half of words or in the high one.
static void add_inputs(
    uint32_t *window, const int8_t *input, int32_t count, uint32_t zero_point, int32_t shift) {
    for (int32_t k = count - 1; k >= 0; k--) {
        window[k] += ((uint32_t)input[k] - zero_point) << shift;
    }
}

// Tells whether the values of a window row lie side by side.
static int32_t is_run(const tflm_m0_geometry_t *geometry) {
    return geometry->filter_depth == geometry->input_depth
        && (geometry->dilation_width == 1 || geometry->filter_width == 1);
}

// Adds the inputs of one window row that lie in the image. depth: where those of a pixel begin.
static void add_row(const tflm_m0_geometry_t *geometry, uint32_t *window, const int8_t *row,
    int32_t depth, int32_t left, int32_t shift) {
    const uint32_t zero_point = (uint32_t)geometry->zero_point;
    if (is_run(geometry)) {
        const int32_t room = geometry->input_width - left;
        const int32_t first = left < 0 ? -left : 0;
        const int32_t end = room < geometry->filter_width ? room : geometry->filter_width;
        add_inputs(window + first * geometry->input_depth,
            row + (left + first) * geometry->input_depth, (end - first) * geometry->input_depth,
            zero_point, shift);
        return;
    }
    uint32_t x = (uint32_t)left;
    for (int32_t j = 0; j < geometry->filter_width; j++, window += geometry->filter_depth) {
        if (x < (uint32_t)geometry->input_width) {
            add_inputs(window, row + x * (uint32_t)geometry->input_depth + depth,
                geometry->filter_depth, zero_point, shift);
        }
        x += (uint32_t)geometry->dilation_width;
    }
}

// One window row that the image clips, or whose taps lie apart.
static void gather_row(const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *places[2],
    int32_t i, int32_t depth, uint32_t *window) {
    const int32_t run = geometry->filter_width * geometry->filter_depth;
    const uint32_t zero_point = (uint32_t)geometry->zero_point;
    fill(window + i * run, run, tflm_m0_packed(zero_point, zero_point));
    for (int32_t p = 0; p < 2; p++) {
        const int8_t *row = row_of(geometry, places[p], i);
        if (row != NULL) {
            add_row(geometry, window + i * run, row, depth,
                places[p]->x * geometry->stride_width - geometry->pad_left, 16 * p);
        }
    }
}

TFLM_HOT void tflm_m0_gather(const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *first,
    const tflm_m0_place_t *second, int32_t depth, uint32_t *window) {
    const tflm_m0_place_t *places[] = {first, second};
    const int32_t run = geometry->filter_width * geometry->filter_depth;
    const int32_t height = geometry->filter_height;
    const int32_t left0 = first->x * geometry->stride_width - geometry->pad_left;
    const int32_t left1 = second->x * geometry->stride_width - geometry->pad_left;
    const int32_t room = geometry->input_width - geometry->filter_width;
    int32_t begin = geometry->first_row, end = begin;  // rows that are inside at both places
    if (left0 >= 0 && left0 <= room && left1 >= 0 && left1 <= room && is_run(geometry)
        && (geometry->dilation_height == 1 || height == 1)) {
        const int32_t top0 = first->y * geometry->stride_height - geometry->pad_top;
        const int32_t top1 = second->y * geometry->stride_height - geometry->pad_top;
        const int32_t top = tflm_m0_smaller(top0, top1);
        begin = begin < -top ? -top : begin;
        end = tflm_m0_smaller(geometry->end_row, geometry->input_height - top0 - top1 + top);
        if (begin < end) {
            const int32_t values = geometry->input_depth, step = geometry->input_width * values;
            tflm_m0_pack(window + begin * run,
                first->image + (top0 + begin) * step + left0 * values,
                second->image + (top1 + begin) * step + left1 * values, run, end - begin, step);
        }
    }
    for (int32_t i = geometry->first_row; i < geometry->end_row; i++) {
        if (i < begin || i >= end) {
            gather_row(geometry, places, i, depth, window);
        }
    }
}
