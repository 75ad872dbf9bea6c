// FULLY_CONNECTED of an image that comes row by row.
#include "../common/dense_sums.h"
#include "../common/requantize.h"
#include "generated/layout.h"

// What prepare knows of an output channel.
typedef struct {
    int32_t bias;
    tflm_factor_t factor;
} channel_t;

// input     [rows, row], the rows of an image from `first` on
// filter    [output_depth, height, row]
// channels  bias, multiplier and shift of each
// output    [output_depth], written with the image's last row, once all of that was read
// sums      [output_depth], of the rows before
void tflm_rows_dense_s8(const tflm_rows_dense_t *params, const int8_t *input,
    const int8_t *filter, const int32_t *channels, int8_t *output, int32_t *sums) {
    const channel_t *const all = (const void *)channels;
    const int32_t depth = params->output_depth, row = params->row;
    if (params->first == 0) {
        for (int32_t c = 0; c < depth; c++) {
            sums[c] = all[c].bias;
        }
    }
    const tflm_dense_t dense = {input, filter + params->first * row, params->height * row,
        params->rows * row, params->input_offset};
    tflm_dense_sums(&dense, (uint32_t *)sums, depth);
    if (params->first + params->rows == params->height) {
        const tflm_range_t range = {
            params->output_offset, params->activation_min, params->activation_max};
        for (int32_t c = 0; c < depth; c++) {
            output[c] = tflm_requantize((uint32_t)sums[c], all[c].factor, range);
        }
    }
}
