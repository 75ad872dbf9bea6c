// A coverage-guided fuzzer of all C that reads a model before it is known to be sound: flatbuffer.c,
// describe.c, convolution.c and the checksum of a snapshot. `fuzz_reader.py` builds it with libFuzzer
// and the sanitizers. It walks a file as mp_modules/tflm/model.py does, and goes on where that
// would stop: every tensor and every operator is tried.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checksum.h"
#include "convolution.h"

enum { MOST_ITEMS = 1 << 12 };  // of all vectors, so that an input takes microseconds
enum { SUBGRAPHS = 2, BUFFERS = 4, MODEL_FIELDS = 7 };
enum { STRING = 5, VARIANT = 14 };  // types without a size
enum { TENSORS = 0, OPERATORS = 3, SUBGRAPH_FIELDS = 5 };

static void check(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_inside(tflm_flatbuffer_t buf, int32_t first, int64_t nbytes) {
    check(first >= 0 && nbytes >= 0 && first + nbytes <= (int64_t)buf.size);
}

// Sets first and count of the vector in a field; 0 of them where it is absent or not sound.
static bool read_vector(
    tflm_flatbuffer_t buf, int32_t field, int32_t item_size, int32_t *first, int32_t *count) {
    *first = *count = 0;
    if (field == 0) {
        return true;
    }
    if (!tflm_flatbuffer_vector(buf, field, item_size, first, count)) {
        *first = *count = 0;
        return false;
    }
    check_inside(buf, *first, (int64_t)*count * item_size);
    return true;
}

// Returns how many bytes of constant data there are at least: elements have half a byte or more.
static int32_t least_bytes(const tflm_tensor_t *tensor) {
    const bool is_without_size = tensor->type == STRING || tensor->type == VARIANT;
    return tensor->data == 0 || is_without_size ? 0 : (tensor->elements + 1) / 2;
}

static void read_tensors(tflm_flatbuffer_t buf, const tflm_places_t *places) {
    for (int32_t i = -1; i <= places->tensor_count; i++) {
        tflm_tensor_t tensor;
        if (!tflm_describe(buf, (tflm_tensors_t) {.places = places}, i, &tensor)) {
            continue;
        }
        check(i >= 0 && i < places->tensor_count && tensor.elements >= 0);
        check_inside(buf, tensor.data, least_bytes(&tensor));
        check_inside(buf, tensor.scales, 4 * (int64_t)tensor.scale_count);
        check_inside(buf, tensor.zero_points, tensor.zero_points ? 8 : 0);  // the first counts
    }
}

static void read_operators(tflm_flatbuffer_t buf, const tflm_places_t *places, int32_t first,
    int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t pos;
        if (!tflm_flatbuffer_follow(buf, first + 4 * i, &pos)) {
            continue;
        }
        for (int depthwise = 0; depthwise < 2; depthwise++) {
            tflm_convolution_t made;
            const tflm_tensors_t tensors = {.places = places};
            if (tflm_prepare_convolution(buf, tensors, pos, depthwise, &made)) {
                check_inside(buf, made.scales, 4 * (made.record.scale_step ? made.record.output_depth : 1));
                check(made.record.stride_height > 0 && made.record.stride_width > 0);
                check(made.record.output_depth > 0 && made.gap >= 0);
            }
        }
    }
}

static void read_subgraph(tflm_flatbuffer_t buf, int32_t pos, tflm_places_t places) {
    int32_t fields[SUBGRAPH_FIELDS], first, count;
    if (!tflm_flatbuffer_table(buf, pos, fields, SUBGRAPH_FIELDS)
        || !read_vector(buf, fields[TENSORS], 4, &places.tensors, &places.tensor_count)
        || !read_vector(buf, fields[OPERATORS], 4, &first, &count)
        || places.tensor_count > MOST_ITEMS || count > MOST_ITEMS) {
        return;
    }
    read_tensors(buf, &places);
    read_operators(buf, &places, first, count);
    const size_t size = (size_t)places.tensor_count * sizeof(int32_t);
    int32_t *data = malloc(size + !size), *sizes = malloc(size + !size);
    check(data != NULL && sizes != NULL);
    if (tflm_survey(buf, (tflm_tensors_t) {.places = &places}, data, sizes)
        == places.tensor_count) {
        const int32_t words = (int32_t)(buf.size / sizeof(int32_t));
        tflm_operators_t operators = {first, count, 4, places.tensor_count, data, words};
        const int32_t sound = tflm_survey_operators(buf, &operators);
        check(sound >= 0 && sound <= count && operators.left >= 0 && operators.left <= words);
    }
    free(data);
    free(sizes);
}

static void read_model(tflm_flatbuffer_t buf) {
    int32_t pos, fields[MODEL_FIELDS], first, count;
    tflm_places_t places = {0};
    if (!tflm_flatbuffer_follow(buf, 0, &pos)
        || !tflm_flatbuffer_table(buf, pos, fields, MODEL_FIELDS)
        || !read_vector(buf, fields[BUFFERS], 4, &places.buffers, &places.buffer_count)
        || !read_vector(buf, fields[SUBGRAPHS], 4, &first, &count) || count > 4) {
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        if (tflm_flatbuffer_follow(buf, first + 4 * i, &pos)) {
            read_subgraph(buf, pos, places);
        }
    }
}

// The sum of any words is what it is word by word.
static void sum_words(const uint8_t *data, size_t size) {
    const size_t count = size / sizeof(uint32_t);
    uint32_t *words = malloc(count * sizeof(uint32_t) + !count), sum = 0;
    check(words != NULL);
    memcpy(words, data, count * sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) {
        sum = tflm_add_word(sum, words[i]);
    }
    check(sum == tflm_checksum(words, count));
    free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const clock_t start = clock();  // of the processor: a busy machine is no finding
    // At each distance from a multiple of 4, the end of the file at the end of its block.
    const size_t shift = size % 4;
    uint8_t *copy = malloc(size + shift + !(size + shift));
    check(copy != NULL);
    memcpy(copy + shift, data, size);
    read_model((tflm_flatbuffer_t) {copy + shift, size});
    check(memcmp(copy + shift, data, size) == 0);
    free(copy);
    sum_words(data, size);
    check(clock() - start < SLOWEST_S * CLOCKS_PER_SEC);
    return 0;
}
