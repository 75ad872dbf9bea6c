// A slice of a node is its kernel on a copy of its parameters, whose parameters and tagged offsets are those of
// some batches, rows, columns or elements of the output. Kernels write outputs in order, so slices
// in order read and write what the whole node does, in that order, and the memory plan's gaps
// hold. Between two slices nothing is kept but how many outputs are done.
//
// What a kernel makes once a call, such as channels' constants, it makes once a slice. Slices of
// convolutions have so many positions that this is little of them.
#include "slices.h"
#include "groups_tensors.h"

enum {
    WORDS = 48,        // of the longest operator parameters that are cut
    SPREAD = 1 << 16,  // budget / SPREAD positions of a convolution are the least that are run
    MOVED = 3,         // arguments that move on from slice to slice, at most
};

// How the outputs of a kernel are divided.
typedef enum { WHOLE, WINDOWS, POOLS, DENSE, ROWS, ELEMENTS, BROADCAST, MEAN, SVDF, LSTM } way_t;

typedef struct {
    uint8_t way;
    uint8_t words;          // of the parameters, without the array at their end
    uint8_t input, output;  // bytes of an element; SVDF: of input and state
    uint8_t target;         // which argument is the output; SVDF: the state
    uint8_t cost;           // the logarithm of how many products of CONV_2D one step is
} rule_t;

#define PARAMETERS(type) sizeof(type) / sizeof(int32_t)

#include "generated/slices.h"

typedef struct {
    const rule_t *rule;
    int32_t *words;   // tagged offsets, then parameters
    int32_t *params;
    int32_t refs, count;  // how many tagged offsets, and words in all
} record_t;

// Equal parts of an output, in order.
typedef struct {
    int32_t *count;    // a parameter
    int32_t products;  // of one
    struct {
        int32_t ref, step;  // an argument, and its bytes from one part to the next
    } moved[MOVED];
} parts_t;

// One axis of an image under a window.
typedef struct {
    int32_t *size, *outputs, *pad;  // parameters
    int32_t stride, dilation, taps;
} axis_t;

typedef struct {
    int32_t *batches;  // a parameter
    axis_t rows, columns;
    int32_t depth, output_depth;
    int32_t products;  // of one position
} image_t;

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// Of sizes whose product is that of a tensor.
static int32_t times(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

// Finds the operator parameters of a node, at most `room` words. Returns false if they are longer, or
// if its kernel is never cut.
static bool find_record(
    record_t *record, const tflm_spaces_t *spaces, const tflm_node_t *node, int32_t room) {
    const rule_t *rule = node->kernel < TFLM_KERNEL_COUNT ? &rules[node->kernel] : NULL;
    const int32_t count = rule != NULL ? node->refs + rule->words : 0;
    if (rule == NULL || rule->way == WHOLE || count > room) {
        return false;
    }
    int32_t *words = tflm_at(spaces, node->record);
    uint32_t more = 0;  // words behind the others
    if (rule->way == BROADCAST || rule->way == MEAN) {
        const uint32_t rank = (uint32_t)words[count - 1];
        const uint32_t kept = rule->way == MEAN ? (uint32_t)words[count - 2] : 0;
        if (rank > WORDS || kept > WORDS) {  // what is made of them must not wrap around
            return false;
        }
        more = rule->way == MEAN ? 2 * (rank + kept) : 3 * rank;
    } else if (rule->way == LSTM && rule->words == PARAMETERS(tflm_lstm_t)) {
        more = 16;
    }
    if (count + (int32_t)more > room) {
        return false;
    }
    *record = (record_t) {rule, words, words + node->refs, node->refs, count + (int32_t)more};
    return true;
}

_Static_assert(sizeof(tflm_conv_2d_t) == sizeof(tflm_depthwise_conv_2d_t)
    && offsetof(tflm_conv_2d_t, filter_depth)
        == offsetof(tflm_depthwise_conv_2d_t, depth_multiplier), "image_of() takes both");

// The parameters up to the paddings are those of int8.
_Static_assert(offsetof(tflm_conv_2d_t, pad_left) == offsetof(tflm_conv_2d_f32_t, pad_left)
    && offsetof(tflm_conv_2d_t, pad_left) == offsetof(tflm_conv_2d_s16_t, pad_left),
    "image_of() takes all");

static image_t image_of(const record_t *record, int32_t is_depthwise) {
    tflm_conv_2d_t *conv = (void *)record->params;
    tflm_pool_2d_t *pool = (void *)record->params;
    if (record->rule->way == WINDOWS) {
        const int32_t taps = times(conv->filter_height, conv->filter_width);
        const int32_t inputs = is_depthwise ? taps : times(taps, conv->filter_depth);
        return (image_t) {
            &conv->batches,
            {&conv->input_height, &conv->output_height, &conv->pad_top, conv->stride_height,
                conv->dilation_height, conv->filter_height},
            {&conv->input_width, &conv->output_width, &conv->pad_left, conv->stride_width,
                conv->dilation_width, conv->filter_width},
            conv->input_depth, conv->output_depth, times(inputs, conv->output_depth)};
    }
    const int32_t taps = times(smaller(pool->filter_height, pool->input_height),
        smaller(pool->filter_width, pool->input_width));
    return (image_t) {
        &pool->batches,
        {&pool->input_height, &pool->output_height, &pool->pad_top, pool->stride_height, 1,
            pool->filter_height},
        {&pool->input_width, &pool->output_width, &pool->pad_left, pool->stride_width, 1,
            pool->filter_width},
        pool->depth, pool->depth, times(taps, pool->depth)};
}

static parts_t parts_of(const record_t *record) {
    const rule_t *rule = record->rule;
    int32_t *const params = record->params, *const dims = params + rule->words;
    int32_t *count = params;  // the first parameter of most kernels
    int32_t outputs = 1, products = 1, input = rule->input, second = 0, rank;
    switch (rule->way) {
        case DENSE:
            products = times(params[1], params[2]);
            input *= params[1];
            outputs = params[2];
            break;
        case ROWS:
            products = outputs = params[1];
            input *= params[1];
            break;
        case BROADCAST:  // the outermost dimension
            rank = dims[-1];
            count = rank > 0 ? dims : NULL;
            for (int32_t i = 1; i < rank; i++) {
                outputs = times(outputs, dims[3 * i]);
            }
            products = outputs;
            input *= rank > 0 ? dims[1] : 0;
            second = rank > 0 ? dims[2] * rule->input : 0;
            break;
        case MEAN:  // the outermost of the dimensions that are kept
            rank = dims[-2];
            count = rank > 0 ? dims : NULL;
            for (int32_t i = 1; i < rank + dims[-1]; i++) {
                products = times(products, dims[2 * i]);
                outputs = i < rank ? products : outputs;
            }
            input *= rank > 0 ? dims[1] : 0;
            break;
        case SVDF:
            products = times(params[2], params[1] + params[3]);
            rank = larger(params[4], 1);  // which a file that nobody checked may say is 0
            return (parts_t) {count, products, {{0, input * params[1]},
                {4, params[2] * params[3] * rule->output}, {5, input * (params[2] / rank)}}};
        case LSTM:  // steps: rows are params[4] apart
            products = times(times(params[1], 4 * params[3]), params[2] + params[3]);
            input *= times(params[2], params[4]);
            outputs = times(params[3], params[4]);
            break;
        default:
            break;
    }
    outputs *= rule->output;
    const int32_t target = rule->way == LSTM ? record->refs - 1 : rule->target;
    return (parts_t) {count, products,
        {{0, input}, {rule->way == BROADCAST, second}, {target, outputs}}};
}

static void move(record_t *record, int32_t ref, int32_t bytes) {
    record->words[ref] += 2 * bytes;
}

// Leaves `count` outputs from `first` on of an axis; returns how many inputs before them are left
// out.
static int32_t cut(const axis_t *axis, int32_t first, int32_t count) {
    const int32_t start = first * axis->stride - *axis->pad;
    const int32_t before = start > 0 ? start : 0;
    const uint32_t reach = (uint32_t)axis->dilation;  // from one tap to the next
    const int64_t end =
        (int64_t)start + (count - 1) * axis->stride + (axis->taps - 1) * (int64_t)reach + 1;
    *axis->pad = before - start;
    *axis->size = (end < *axis->size ? (int32_t)end : *axis->size) - before;
    *axis->outputs = count;
    return before;
}

// Cuts operator parameters down to some columns of row y from x on, or, if x is 0, to rows or batches.
// Returns the number of positions.
static int32_t cut_image(record_t *record, const image_t *image, int32_t done, int32_t most) {
    const int32_t height = *image->rows.outputs, width = *image->columns.outputs;
    const int32_t plane = height * width, batch = done / plane;
    const int32_t y = done % plane / width, x = done % width;
    const int32_t line = *image->columns.size * image->depth;
    int32_t from = batch * *image->rows.size * line;
    int32_t count = most / plane;
    if (done % plane == 0 && count > 0) {
        *image->batches = smaller(count, *image->batches - batch);
        count = *image->batches * plane;
    } else {
        *image->batches = 1;
        count = most / width;
        if (x == 0 && count > 0) {
            // Some kernels compute two positions at once, so a slice has an even number of them.
            count = smaller(count > 1 ? count & ~1 : 1, height - y);
            from += cut(&image->rows, y, count) * line;
            count *= width;
        } else {
            count = smaller(most > 4 ? most & ~3 : most, width - x);
            from += cut(&image->rows, y, 1) * line;
            if (*image->rows.size == 1) {
                from += cut(&image->columns, x, count) * image->depth;
            } else {
                // An image of more rows keeps its width: the windows begin further to the right.
                *image->columns.pad -= x * image->columns.stride;
                *image->columns.outputs = count;
            }
        }
    }
    move(record, 0, from * record->rule->input);
    move(record, record->rule->target, done * image->output_depth * record->rule->output);
    return count;
}

// Cuts operator parameters down to `most` parts or less after the first `done`; returns how many.
static int32_t cut_parts(record_t *record, const parts_t *parts, int32_t done, int32_t most) {
    const int32_t count = smaller(most > 16 ? most & ~15 : most, *parts->count - done);
    *parts->count = count;
    for (int32_t i = 0; i < MOVED; i++) {
        move(record, parts->moved[i].ref, done * parts->moved[i].step);
    }
    return count;
}

// What a node is divided into.
typedef struct {
    image_t image;   // where it has windows; else
    parts_t parts;
    int32_t all;     // positions or parts
    int32_t count;   // of them in a slice
} division_t;

static bool has_windows(const record_t *record) {
    return record->rule->way == WINDOWS || record->rule->way == POOLS;
}

static bool is_depthwise(int32_t kernel) {
    switch (kernel) {
        case TFLM_DEPTHWISE_CONV_2D_S8:
        case TFLM_DEPTHWISE_CONV_2D_S16:
        case TFLM_DEPTHWISE_CONV_2D_S4:
        case TFLM_DEPTHWISE_CONV_2D_F32:
        case TFLM_DEPTHWISE_CONV_2D_HYBRID:
            return true;
        default:
            return false;
    }
}

// Returns false where the node is one slice.
static bool divide(const record_t *record, int32_t kernel, int32_t budget, division_t *division) {
    int32_t products, least = 1;
    budget >>= record->rule->cost;
    if (has_windows(record)) {
        const image_t *image = &division->image;
        division->image = image_of(record, is_depthwise(kernel));
        division->all = *image->batches * *image->rows.outputs * *image->columns.outputs;
        products = image->products;
        least = larger(record->rule->way == WINDOWS ? budget / SPREAD : 1, 1);
    } else {
        division->parts = parts_of(record);
        division->all = division->parts.count != NULL ? *division->parts.count : 1;
        products = division->parts.products;
    }
    if (division->all <= least || (int64_t)division->all * products <= budget) {
        return false;
    }
    division->count = larger(products > 0 ? budget / products : 0, least);
    return true;
}

// Runs the next stripes of a group. Returns 0 after the last, and for nodes that ran in an earlier one,
// a negative number if a row has to come first.
static int32_t run_strips(const tflm_spaces_t *spaces, const tflm_node_t *node, int32_t done) {
    const int32_t *record = tflm_at(spaces, node->record);
    int32_t *state = tflm_at(spaces, record[node->refs - 1]);
    if (state == NULL) {
        return 0;
    }
    if (done == 0 && !tflm_is_fed((const void *)(record + node->refs))) {
        state[0] = 0;  // whatever an interrupted run has left
    }
    tflm_call(spaces, record, node->refs, TFLM_ROW_GROUP);
    return state[0];
}

int32_t tflm_run_slice(
    const tflm_spaces_t *spaces, const tflm_node_t *node, int32_t done, int32_t budget) {
    int32_t words[WORDS];
    record_t record;
    division_t division;
    if (node->kernel == TFLM_ROW_GROUP && tflm_adapters[TFLM_ROW_GROUP] != NULL) {
        return run_strips(spaces, node, done);
    }
    if (!find_record(&record, spaces, node, WORDS) || tflm_adapters[node->kernel] == NULL) {
        return tflm_run_node(spaces, node) ? 0 : -1;
    }
    for (int32_t i = 0; i < record.count; i++) {
        words[i] = record.words[i];
    }
    record.words = words;
    record.params = words + record.refs;
    int32_t count = 0;
    if (!divide(&record, node->kernel, budget, &division)) {
        division.all = 0;
    } else if (has_windows(&record)) {
        count = cut_image(&record, &division.image, done, division.count);
    } else {
        count = cut_parts(&record, &division.parts, done, division.count);
    }
    tflm_call(spaces, words, record.refs, node->kernel);
    return done + count < division.all ? done + count : 0;
}

// Whole words from a tagged offset on to the end of its space, or WORDS where there are more.
static int32_t room_at(const tflm_sizes_t *sizes, int32_t ref) {
    const size_t offset = tflm_offset((uint32_t)ref);
    const uint32_t space = tflm_space((uint32_t)ref);
    const size_t size = space < TFLM_SPACES ? sizes->of[space] : 0;
    const size_t words = offset % 4 == 0 && offset < size ? (size - offset) / 4 : 0;
    return words < WORDS ? (int32_t)words : WORDS;
}

int32_t tflm_first_long(const tflm_spaces_t *spaces, const tflm_sizes_t *sizes,
    const tflm_node_t *nodes, int32_t count, int32_t budget) {
    record_t record;
    division_t division;
    int32_t i = 0;
    while (i < count && nodes[i].kernel != TFLM_ROW_GROUP
        && (!find_record(&record, spaces, &nodes[i], room_at(sizes, nodes[i].record))
            || !divide(&record, nodes[i].kernel, budget, &division))) {
        i++;
    }
    return i;
}
