// RESIZE_BILINEAR of float32. Source: tensorflow/lite/kernels/internal/reference/
// resize_bilinear.h.
#include "generated/layout.h"
#include "../common/float32.h"

// Between which two rows or columns an output lies, and how far from the first; before the first
// and behind the last pixel that may be less than 0 or more than 1.
typedef struct {
    int32_t low, high;
    float fraction;
} between_t;

static between_t between(
    const tflm_bilinear_f32_t *params, int32_t index, int32_t size, int32_t outputs) {
    float scale = (float)size / (float)outputs;
    if (params->is_by_corners && outputs > 1) {
        scale = (float)(size - 1) / (float)(outputs - 1);
    }
    const float place = params->is_half_pixel
        ? ((float)index + 0.5f) * scale - 0.5f : (float)index * scale;
    const int32_t whole = (int32_t)place;  // towards 0
    const int32_t floor = whole - ((float)whole > place), ceil = whole + ((float)whole < place);
    between_t result = {floor > 0 ? floor : 0, ceil < size - 1 ? ceil : size - 1, 0.0f};
    result.low = result.low < size - 1 ? result.low : size - 1;
    result.fraction = place - (float)result.low;
    return result;
}

// input   float32 [batches, input_height, input_width, depth]
// output  float32 [batches, output_height, output_width, depth]
// Products and sums are rounded one by one, in TFLM's order.
void tflm_resize_bilinear_f32(
    const tflm_bilinear_f32_t *params, const uint8_t *input, uint8_t *output) {
    const int32_t pixel = 4 * params->depth, line = params->input_width * pixel;
    for (int32_t b = 0; b < params->batches; b++, input += params->input_height * line) {
        for (int32_t y = 0; y < params->output_height; y++) {
            const between_t rows =
                between(params, y, params->input_height, params->output_height);
            const uint8_t *above = input + rows.low * line, *below = input + rows.high * line;
            const float dy = rows.fraction;
            for (int32_t x = 0; x < params->output_width; x++) {
                const between_t columns =
                    between(params, x, params->input_width, params->output_width);
                const int32_t left = columns.low * pixel, right = columns.high * pixel;
                const float dx = columns.fraction;
                for (int32_t c = 0; c < pixel; c += 4, output += 4) {
                    float sum = tflm_load_f32(above + left + c) * (1.0f - dy) * (1.0f - dx);
                    sum += tflm_load_f32(below + left + c) * dy * (1.0f - dx);
                    sum += tflm_load_f32(above + right + c) * (1.0f - dy) * dx;
                    sum += tflm_load_f32(below + right + c) * dy * dx;
                    tflm_store_f32(output, sum);
                }
            }
        }
    }
}
