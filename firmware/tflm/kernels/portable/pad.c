// PAD, PADV2, MIRROR_PAD. Source: tensorflow/lite/kernels/internal/reference/pad.h,
// tensorflow/lite/micro/kernels/mirror_pad.cc.
#include "../common/bytes.h"
#include "../common/fixed_point.h"
#include "generated/layout.h"

// One dimension, as dims[] has them.
typedef struct {
    int32_t before;
    int32_t extent;  // of the input
    int32_t after;
} dim_t;

// What PAD writes around its input, and how far it has come.
typedef struct {
    const uint8_t *value;  // an element
    size_t element;  // its bytes
    const uint8_t *from;
    uint8_t *to;
} pad_t;

static void fill(pad_t *pad, int32_t nbytes) {
    if (pad->element == 1) {
        tflm_fill(pad->to, *pad->value, (size_t)nbytes);
    } else {
        const int32_t dims[] = {1, 0, nbytes / (int32_t)pad->element, 0};
        tflm_gather(pad->to, pad->value, pad->element, dims, 2);
    }
    pad->to += nbytes;
}

// Writes `count` steps of a dimension, each of `run` bytes with padding. What lies between two runs
// is one piece: each is written at once, all runs first.
static void surround_runs(pad_t *pad, const dim_t *run, int32_t count) {
    const int32_t between = run->after + run->before, step = between + run->extent;
    fill(pad, run->before);
    tflm_move_rows(pad->to, step, pad->from, run->extent, (size_t)run->extent, count);
    pad->from += count * run->extent;
    pad->to += run->extent;
    if (pad->element == 1) {
        tflm_fill_rows(pad->to, step, *pad->value, (size_t)between, count - 1);
        pad->to += (count - 1) * step;
    } else {
        for (int32_t i = 1; i < count; i++) {
            fill(pad, between);
            pad->to += run->extent;
        }
    }
    fill(pad, run->after);
}

static void surround(pad_t *pad, const dim_t *dims, int32_t rank) {
    int32_t inner = 1;  // bytes of an output step in this dimension
    for (int32_t i = 1; i < rank; i++) {
        inner *= dims[i].before + dims[i].extent + dims[i].after;
    }
    fill(pad, dims->before * inner);
    if (rank == 1) {
        tflm_move(pad->to, pad->from, (size_t)dims->extent);
        pad->to += dims->extent;
        pad->from += dims->extent;
    } else if (rank == 2) {
        surround_runs(pad, &dims[1], dims->extent);
    } else {
        for (int32_t i = 0; i < dims->extent; i++) {
            surround(pad, dims + 1, rank - 1);
        }
    }
    fill(pad, dims->after * inner);
}

// What prepare sees to: before and after are 0 or more, extents more than 0.
// input   [extents], outermost first, of bytes
// output  [extents with padding]
void tflm_pad_s8(const tflm_pad_t *params, const int8_t *input, int8_t *output) {
    const uint8_t value = (uint8_t)params->pad_value;
    pad_t pad = {&value, 1, (const uint8_t *)input, (uint8_t *)output};
    surround(&pad, (const void *)params->dims, params->rank);
}

// What prepare sees to: as for pad_s8; rows of the image are `height`, 0 or less where the rows of
// the output are all above or below it.
// input   [height, a row]
// output  [outputs, a row with padding]
void tflm_rows_pad(const tflm_rows_pad_t *params, const uint8_t *input, uint8_t *output) {
    const uint8_t value = (uint8_t)params->pad_value;
    const dim_t *dims = (const void *)params->dims;
    pad_t pad = {&value, 1, input, output};
    int32_t row = 1;
    for (int32_t i = 0; i < params->rank; i++) {
        row *= dims[i].before + dims[i].extent + dims[i].after;
    }
    const int32_t above = tflm_clamp(params->pad, 0, params->outputs);
    const int32_t inside = tflm_clamp(params->height, 0, params->outputs - above);
    fill(&pad, above * row);
    for (int32_t i = 0; i < inside; i++) {
        surround(&pad, dims, params->rank);
    }
    fill(&pad, (params->outputs - above - inside) * row);
}

// The same as pad_s8; value: an element, which fills the padding.
void tflm_pad_any(
    const tflm_pad_any_t *params, const uint8_t *input, const uint8_t *value, uint8_t *output) {
    pad_t pad = {value, (size_t)params->element, input, output};
    surround(&pad, (const void *)params->dims, params->rank);
}

// Writes `rank` dimensions of the input, mirrored at their ends; returns where the output goes on.
static uint8_t *mirror(const tflm_mirror_pad_t *params, uint8_t *to, const uint8_t *from,
    const dim_t *dims, int32_t rank) {
    int32_t step = params->element;
    for (int32_t i = 1; i < rank; i++) {
        step *= dims[i].extent;
    }
    const int32_t first = -dims->before;
    const int32_t last = dims->extent - 1;
    for (int32_t i = first; i <= last + dims->after; i++) {
        int32_t source = i < 0 ? params->offset - 1 - i : i;
        source = source > last ? 2 * last + 1 - params->offset - source : source;
        if (rank > 1) {
            to = mirror(params, to, from + source * step, dims + 1, rank - 1);
        } else if (i == 0) {
            tflm_move(to, from, (size_t)(dims->extent * step));
            to += dims->extent * step;
            i = last;
        } else {
            for (int32_t k = 0; k < step; k++) {
                *to++ = from[source * step + k];
            }
        }
    }
    return to;
}

// What prepare sees to: no padding is wider than what it mirrors.
// input   [extents], outermost first, of elements of so many bytes
// output  [extents with padding]
void tflm_mirror_pad(const tflm_mirror_pad_t *params, const uint8_t *input, uint8_t *output) {
    mirror(params, output, input, (const void *)params->dims, params->rank);
}
