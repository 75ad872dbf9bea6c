// im2col: windows of a convolution, in the order of conv_pairs.h.
#ifndef TFLM_ARMV6M_CONV_GATHER_H
#define TFLM_ARMV6M_CONV_GATHER_H

#include <stdint.h>

// Extents and steps as in the parameters of both convolutions.
typedef struct {
    int32_t input_height, input_width, input_depth;
    int32_t filter_height, filter_width;
    int32_t filter_depth;  // values of a pixel that a window takes
    int32_t output_height, output_width;
    int32_t stride_height, stride_width;
    int32_t dilation_height, dilation_width;
    int32_t pad_top, pad_left;
    int32_t zero_point;  // of the input: what lies outside the image
    int32_t first_row, end_row;  // of a window: those that are filled
} tflm_m0_geometry_t;

// An output's position.
typedef struct {
    const int8_t *image;  // the batch's first value
    int32_t y, x;
} tflm_m0_place_t;

static inline int32_t tflm_m0_smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

void tflm_m0_next(const tflm_m0_geometry_t *geometry, tflm_m0_place_t *place);

// Fills places[1] to places[3] with the positions after places[0]: `count` (1, 2 or 4) are meant,
// the others repeat one.
void tflm_m0_follow(
    const tflm_m0_geometry_t *geometry, tflm_m0_place_t places[4], int32_t count);

// Fills one word for each tap of the rows. depth: of the input, where the windows' values begin.
void tflm_m0_gather(const tflm_m0_geometry_t *geometry, const tflm_m0_place_t *first,
    const tflm_m0_place_t *second, int32_t depth, uint32_t *window);

#define TFLM_M0_GEOMETRY(params, depth) \
    { \
        (params)->input_height, (params)->input_width, (params)->input_depth, \
        (params)->filter_height, (params)->filter_width, (depth), \
        (params)->output_height, (params)->output_width, \
        (params)->stride_height, (params)->stride_width, \
        (params)->dilation_height, (params)->dilation_width, \
        (params)->pad_top, (params)->pad_left, \
        tflm_wrapping_sub(0, (params)->input_offset), \
        0, (params)->filter_height, \
    }

#endif
