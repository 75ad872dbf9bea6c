#include "gather.h"

#include "pairs.h"

void tflm_m0_next(const tflm_m0_geometry_t *geometry, tflm_m0_place_t *place) {
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
    for (; count > 0; count--) {
        *window++ += ((uint32_t)*input++ - zero_point) << shift;
    }
}

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

void tflm_m0_gather(const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *first,
    const tflm_m0_place_t *second, int32_t depth, uint32_t *window) {
    const int32_t run = geometry->filter_width * geometry->filter_depth;
    const int32_t left0 = first->x * geometry->stride_width - geometry->pad_left;
    const int32_t left1 = second->x * geometry->stride_width - geometry->pad_left;
    const int32_t room = geometry->input_width - geometry->filter_width;
    const int32_t is_whole = left0 >= 0 && left0 <= room && left1 >= 0 && left1 <= room
        && is_run(geometry);
    for (int32_t i = 0; i < geometry->filter_height; i++, window += run) {
        const int8_t *row0 = row_of(geometry, first, i), *row1 = row_of(geometry, second, i);
        if (is_whole && row0 != NULL && row1 != NULL) {
            tflm_m0_pack(window, row0 + left0 * geometry->input_depth,
                row1 + left1 * geometry->input_depth, run);
            continue;
        }
        const uint32_t zero_point = (uint32_t)geometry->zero_point;
        fill(window, run, tflm_m0_packed(zero_point, zero_point));
        if (row0 != NULL) {
            add_row(geometry, window, row0, depth, left0, 0);
        }
        if (row1 != NULL) {
            add_row(geometry, window, row1, depth, left1, 16);
        }
    }
}
