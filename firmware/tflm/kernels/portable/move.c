// What moves elements and computes nothing: RESHAPE and the like, CONCATENATION, PAD, TRANSPOSE.
// Source: tensorflow/lite/kernels/internal/reference/concatenation.h, pad.h.
#include <string.h>

#include "generated/layout.h"

typedef struct {
    uint32_t words[4];
} block_t;  // moved by one load and one store of several registers

// The libraries of small cores move byte by byte. The bytes may overlap.
static void move_words(uint32_t *to, const uint32_t *from, size_t count) {
    const size_t blocks = count / 4;
    block_t *target = (void *)to;
    const block_t *source = (const void *)from;
    if ((uintptr_t)to < (uintptr_t)from) {
        for (size_t i = 0; i < blocks; i++) {
            const block_t block = source[i];
            target[i] = block;
        }
        for (size_t i = 4 * blocks; i < count; i++) {
            to[i] = from[i];
        }
    } else {
        for (size_t i = count; i > 4 * blocks; i--) {
            to[i - 1] = from[i - 1];
        }
        for (size_t i = blocks; i > 0; i--) {
            const block_t block = source[i - 1];
            target[i - 1] = block;
        }
    }
}

// input, output  nbytes bytes, at any places: they may overlap, or be the same, and then there is
//                nothing to do
void tflm_copy(const tflm_copy_t *params, const uint8_t *input, uint8_t *output) {
    const size_t nbytes = (size_t)params->nbytes;
    if (input == output) {
        return;
    }
    if (((uintptr_t)input | (uintptr_t)output | nbytes) % sizeof(uint32_t) == 0) {
        move_words((void *)output, (const void *)input, nbytes / sizeof(uint32_t));
    } else {
        memmove(output, input, nbytes);
    }
}

// inputs  count tensors [outer, sizes[i]] in bytes
// output  [outer, sum of sizes]; an input may already lie in its place
void tflm_concatenation(
    const tflm_concatenation_t *params, const tflm_args_t *inputs, uint8_t *output) {
    int32_t row = 0;
    for (int32_t i = 0; i < params->count; i++) {
        row += params->sizes[i];
    }
    for (int32_t i = 0; i < params->count; i++) {
        const int32_t size = params->sizes[i];
        const uint8_t *input = tflm_argument(inputs, i);
        for (int32_t r = 0; r < params->outer; r++) {
            memmove(output + r * row, input + r * size, (size_t)size);
        }
        output += size;
    }
}

// One dimension of PAD, as dims[] has them.
typedef struct {
    int32_t before;
    int32_t extent;  // of the input
    int32_t after;
} dim_t;

static int32_t padded(dim_t dim) {
    return dim.before + dim.extent + dim.after;
}

// Returns where element `index` of the input lies in the output.
static int32_t position_of(const dim_t *dims, int32_t rank, int32_t index) {
    int32_t position = 0;
    int32_t step = 1;
    for (int32_t i = rank - 1; i >= 0; i--) {
        position += (dims[i].before + index % dims[i].extent) * step;
        index /= dims[i].extent;
        step *= padded(dims[i]);
    }
    return position;
}

// What prepare sees to: before and after are 0 or more, pad_value is int8.
// input   [extents], outermost first
// output  [extents with padding]
void tflm_pad_s8(const tflm_pad_t *params, const int8_t *input, int8_t *output) {
    const dim_t *dims = (const void *)params->dims;
    int32_t total = 1;
    int32_t elements = 1;
    int32_t row = 1;  // elements of the last dimension
    for (int32_t i = 0; i < params->rank; i++) {
        total *= padded(dims[i]);
        row = dims[i].extent;
        elements *= row;
    }
    memset(output, params->pad_value, (size_t)total);
    for (int32_t i = 0; i < elements; i += row) {
        memcpy(output + position_of(dims, params->rank, i), input + i, (size_t)row);
    }
}

// Writes the output in order; dims are pairs (extent, step of the input in bytes).
static void gather(const uint8_t *input, uint8_t *output, size_t element, const int32_t *dims,
    int32_t rank) {
    const int32_t last = 2 * (rank - 1);
    int32_t rows = 1;
    for (int32_t i = 0; i < last; i += 2) {
        rows *= dims[i];
    }
    for (int32_t r = 0; r < rows; r++) {
        const uint8_t *from = input;
        for (int32_t i = last - 2, rest = r; i >= 0; i -= 2) {
            from += rest % dims[i] * dims[i + 1];
            rest /= dims[i];
        }
        for (int32_t i = 0; i < dims[last]; i++, from += dims[last + 1]) {
            if (element == 1) {
                *output = *from;
            } else {
                memcpy(output, from, element);
            }
            output += element;
        }
    }
}

// input   of elements of so many bytes each, one behind the other
// output  [extents of dims]
void tflm_transpose(const tflm_transpose_t *params, const uint8_t *input, uint8_t *output) {
    gather(input, output, (size_t)params->element, params->dims, params->rank);
}

// The same, from another element on; steps may be negative.
void tflm_strided_slice(
    const tflm_strided_slice_t *params, const uint8_t *input, uint8_t *output) {
    const size_t element = (size_t)params->element;
    gather(input + params->start, output, element, params->dims, params->rank);
}
