// SELECT_V2. Source: tensorflow/lite/kernels/internal/reference/select.h.
#include "generated/layout.h"

typedef struct {
    int32_t extent, which, yes, no;  // steps in bytes
} dim_t;

typedef struct {
    const uint8_t *which, *yes, *no;
} places_t;

static inline uint8_t *line(uint8_t *to, places_t at, const dim_t *dim, int32_t element) {
    for (int32_t i = 0; i < dim->extent; i++) {
        const uint8_t *from = *at.which ? at.yes : at.no;
        for (int32_t k = 0; k < element; k++) {
            to[k] = from[k];
        }
        to += element;
        at.which += dim->which;
        at.yes += dim->yes;
        at.no += dim->no;
    }
    return to;
}

static uint8_t *walk(
    uint8_t *to, places_t at, const dim_t *dims, int32_t rank, int32_t element) {
    if (rank > 1) {
        for (int32_t i = 0; i < dims->extent; i++) {
            to = walk(to, at, dims + 1, rank - 1, element);
            at.which += dims->which;
            at.yes += dims->yes;
            at.no += dims->no;
        }
        return to;
    }
    switch (element) {
        case 1:
            return line(to, at, dims, 1);
        case 4:
            return line(to, at, dims, 4);
        default:
            return line(to, at, dims, element);
    }
}

// which    bool
// yes, no  of elements of so many bytes; all three repeat themselves where their step is 0
// output   [extents of dims], written in order
void tflm_select(const tflm_select_t *params, const uint8_t *which, const uint8_t *yes,
    const uint8_t *no, uint8_t *output) {
    const places_t at = {which, yes, no};
    walk(output, at, (const void *)params->dims, params->rank, params->element);
}
