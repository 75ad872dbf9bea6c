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

// Fills `count` words; a pixel outside the image is NULL.
static void pack_clipped(uint32_t *window, const int8_t *first, const int8_t *second, int32_t count,
    uint32_t zero_point) {
    for (int32_t k = 0; k < count; k++) {
        window[k] = tflm_m0_packed(first == NULL ? zero_point : (uint32_t)first[k],
            second == NULL ? zero_point : (uint32_t)second[k]);
    }
}

// The row of the image that a window row takes its values from, or NULL.
static const int8_t *row_of(
    const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *place, int32_t i, int32_t depth) {
    const uint32_t y = (uint32_t)(place->y * geometry->stride_height - geometry->pad_top)
        + (uint32_t)i * (uint32_t)geometry->dilation_height;
    if (y >= (uint32_t)geometry->input_height) {
        return NULL;
    }
    return place->image + y * (uint32_t)(geometry->input_width * geometry->input_depth) + depth;
}

static const int8_t *pixel_of(const tflm_m0_geometry_t *geometry, const int8_t *row, uint32_t x) {
    return row == NULL || x >= (uint32_t)geometry->input_width
        ? NULL
        : row + x * (uint32_t)geometry->input_depth;
}

void tflm_m0_gather(const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *first,
    const tflm_m0_place_t *second, int32_t depth, uint32_t *window) {
    const uint32_t left0 = (uint32_t)(first->x * geometry->stride_width - geometry->pad_left);
    const uint32_t left1 = (uint32_t)(second->x * geometry->stride_width - geometry->pad_left);
    const int32_t run = geometry->filter_width * geometry->filter_depth;
    const int32_t room = geometry->input_width - geometry->filter_width;
    const int32_t is_whole = geometry->filter_depth == geometry->input_depth && room >= 0
        && (geometry->dilation_width == 1 || geometry->filter_width == 1)
        && left0 <= (uint32_t)room && left1 <= (uint32_t)room;
    for (int32_t i = 0; i < geometry->filter_height; i++) {
        const int8_t *row0 = row_of(geometry, first, i, depth);
        const int8_t *row1 = row_of(geometry, second, i, depth);
        if (is_whole && row0 != NULL && row1 != NULL) {
            tflm_m0_pack(window, row0 + left0 * (uint32_t)geometry->input_depth,
                row1 + left1 * (uint32_t)geometry->input_depth, run);
            window += run;
            continue;
        }
        for (int32_t j = 0; j < geometry->filter_width; j++, window += geometry->filter_depth) {
            const uint32_t skip = (uint32_t)j * (uint32_t)geometry->dilation_width;
            pack_clipped(window, pixel_of(geometry, row0, left0 + skip),
                pixel_of(geometry, row1, left1 + skip), geometry->filter_depth,
                (uint32_t)geometry->zero_point);
        }
    }
}
