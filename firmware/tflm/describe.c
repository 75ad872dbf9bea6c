// Source: tensorflow/lite/schema/schema.fbs, schema version 3.
#include "describe.h"

#include <string.h>

enum { MAX_BYTES = 1 << 28, TYPE_COUNT = 18, INT4 = 17 };
enum { SHAPE, TYPE, BUFFER, NAME, QUANTIZATION, IS_VARIABLE, SPARSITY, TENSOR_FIELDS };
enum { DATA, OFFSET, BUFFER_FIELDS };
enum { OPCODE, INPUTS, OUTPUTS, CUSTOM_OPTIONS = 5, INTERMEDIATES = 8, OPERATOR_FIELDS };
enum { OPERATOR_WORDS = 6 };  // of an operator's table and vectors at least, without their items
enum { SCALE = 2, ZERO_POINT = 3, DIMENSION = 6, QUANTIZATION_FIELDS };

static const uint8_t element_bytes[TYPE_COUNT] = {
    4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 4, 0, 4, 2, 1};

// The two below leave the value as it is where the field is absent.
static bool byte_field(tflm_flatbuffer_t buf, int32_t pos, int32_t *value) {
    uint8_t byte;
    if (pos == 0) {
        return true;
    }
    const bool is_there = tflm_flatbuffer_u8(buf, pos, &byte);
    *value = byte;
    return is_there;
}

static bool vector_field(
    tflm_flatbuffer_t buf, int32_t pos, int32_t item_size, int32_t *first, int32_t *count) {
    return pos == 0 || tflm_flatbuffer_vector(buf, pos, item_size, first, count);
}

// Sets *fields to those of the table that item `index` of a vector of tables points to.
static bool item_table(
    tflm_flatbuffer_t buf, int32_t first, int32_t index, int32_t *fields, size_t count) {
    int32_t pos;
    return tflm_flatbuffer_follow(buf, first + 4 * index, &pos)
           && tflm_flatbuffer_table(buf, pos, fields, count);
}

// Returns what tflm_tensor_t holds of the shape of tensor `index`, whose field is at pos.
static int32_t find_shape(tflm_tensors_t tensors, int32_t index, int32_t pos) {
    for (int32_t i = 0; i + 1 < tensors.shape_words;) {
        const int32_t rank = tensors.shapes[i + 1];
        if (rank < 0 || rank > TFLM_MAX_RANK || i + 2 + rank > tensors.shape_words) {
            break;
        }
        if (tensors.shapes[i] == index) {
            return ~(i + 1);
        }
        i += 2 + rank;
    }
    return pos;
}

int32_t tflm_extents(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t shape, int32_t *extents) {
    int32_t first = 0, rank = 0;
    if (shape < 0) {
        rank = tensors.shapes[~shape];
        memcpy(extents, tensors.shapes + ~shape + 1, (size_t)rank * sizeof(*extents));
        return rank;
    }
    if (!vector_field(buf, shape, 4, &first, &rank) || rank > TFLM_MAX_RANK) {
        return -1;
    }
    memcpy(extents, buf.data + first, (size_t)rank * sizeof(*extents));
    return rank;
}

static bool count_elements(tflm_flatbuffer_t buf, tflm_tensors_t tensors, tflm_tensor_t *tensor) {
    int32_t extents[TFLM_MAX_RANK];
    const int32_t rank = tflm_extents(buf, tensors, tensor->shape, extents);
    int32_t elements = 1;  // below 2^28
    for (int32_t i = 0; i < rank; i++) {
        const uint64_t next = (uint64_t)(uint32_t)elements * (uint32_t)extents[i];
        if (extents[i] < 0 || next >= MAX_BYTES) {
            return false;
        }
        elements = (int32_t)next;
    }
    tensor->elements = elements;
    return rank >= 0;
}

static bool find_data(tflm_flatbuffer_t buf, const tflm_places_t *places, int32_t field,
    tflm_tensor_t *tensor) {
    int32_t index = 0, fields[BUFFER_FIELDS], offset = 0, stored = 0;
    if ((field != 0 && !tflm_flatbuffer_i32(buf, field, &index)) || index < 0
        || index >= places->buffer_count
        || !item_table(buf, places->buffers, index, fields, BUFFER_FIELDS)
        || (fields[OFFSET] != 0 && !tflm_flatbuffer_i32(buf, fields[OFFSET], &offset))
        || offset > 1
        || !vector_field(buf, fields[DATA], 1, &tensor->data, &stored)) {
        return false;
    }
    if (stored == 0) {
        tensor->data = 0;
        return true;
    }
    if (tensor->is_variable) {
        return false;
    }
    const bool is_packed = tensor->type == INT4;
    const int64_t elements = is_packed ? (tensor->elements + 1) / 2 : tensor->elements;
    return stored >= elements * element_bytes[tensor->type];
}

static bool find_scales(tflm_flatbuffer_t buf, int32_t field, tflm_tensor_t *tensor) {
    int32_t pos, fields[QUANTIZATION_FIELDS], points = 0;
    if (field == 0) {
        return true;
    }
    if (!tflm_flatbuffer_follow(buf, field, &pos)
        || !tflm_flatbuffer_table(buf, pos, fields, QUANTIZATION_FIELDS)
        || !vector_field(buf, fields[SCALE], 4, &tensor->scales, &tensor->scale_count)
        || !vector_field(buf, fields[ZERO_POINT], 8, &tensor->zero_points, &points)) {
        return false;
    }
    if (points == 0) {
        tensor->scale_count = 0;
    }
    if (tensor->scale_count == 0) {
        tensor->zero_points = 0;
    }
    return fields[DIMENSION] == 0
           || tflm_flatbuffer_i32(buf, fields[DIMENSION], &tensor->dimension);
}

bool tflm_describe(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t index, tflm_tensor_t *tensor) {
    const tflm_places_t *places = tensors.places;
    int32_t fields[TENSOR_FIELDS], first, count;
    *tensor = (tflm_tensor_t) {0};
    if (index < 0 || index >= places->tensor_count
        || !item_table(buf, places->tensors, index, fields, TENSOR_FIELDS)) {
        return false;
    }
    tensor->shape = find_shape(tensors, index, fields[SHAPE]);
    tensor->name = fields[NAME];
    return fields[SPARSITY] == 0 && byte_field(buf, fields[TYPE], &tensor->type)
           && tensor->type < TYPE_COUNT
           && byte_field(buf, fields[IS_VARIABLE], &tensor->is_variable)
           && vector_field(buf, fields[NAME], 1, &first, &count)
           && count_elements(buf, tensors, tensor)
           && find_data(buf, places, fields[BUFFER], tensor)
           && find_scales(buf, fields[QUANTIZATION], tensor);
}

int32_t tflm_survey(
    tflm_flatbuffer_t buf, tflm_tensors_t tensors, int32_t *data, int32_t *sizes) {
    const int32_t tensor_count = tensors.places->tensor_count;
    for (int32_t i = 0; i < tensor_count; i++) {
        tflm_tensor_t tensor;
        if (!tflm_describe(buf, tensors, i, &tensor)) {
            return i;
        }
        const int64_t size = (int64_t)tensor.elements * element_bytes[tensor.type];
        if (size > INT32_MAX) {
            return i;
        }
        const bool is_readable = tensor.is_variable || tensor.elements == 0;
        data[i] = tensor.data == 0 && is_readable ? TFLM_READABLE : tensor.data;
        sizes[i] = tensor.is_variable ? -(int32_t)size : (int32_t)size;
    }
    return tensor_count;
}

// Returns whether the field holds inputs that may be read; charges for them.
static bool check_inputs(tflm_flatbuffer_t buf, int32_t field, tflm_operators_t *operators) {
    int32_t first = 0, count = 0;
    if (!vector_field(buf, field, 4, &first, &count)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t index = -2;
        tflm_flatbuffer_i32(buf, first + 4 * i, &index);
        if (index < -1 || index >= operators->tensor_count
            || (index >= 0 && operators->data[index] == 0)) {
            return false;
        }
    }
    operators->left -= count;
    return true;
}

// Returns whether the field holds outputs that may be written, which they are then; charges for
// them.
static bool check_outputs(tflm_flatbuffer_t buf, int32_t field, tflm_operators_t *operators) {
    int32_t first = 0, count = 0;
    if (!vector_field(buf, field, 4, &first, &count)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t index = -1;
        tflm_flatbuffer_i32(buf, first + 4 * i, &index);
        if (index < 0 || index >= operators->tensor_count || operators->data[index] > 0) {
            return false;
        }
        operators->data[index] = TFLM_READABLE;
    }
    operators->left -= count;
    return true;
}

// Returns whether the fields hold vectors; charges for them.
static bool check_options(
    tflm_flatbuffer_t buf, int32_t custom, int32_t intermediates, tflm_operators_t *operators) {
    int32_t first, bytes = 0, count = 0;
    if (!vector_field(buf, custom, 1, &first, &bytes)
        || !vector_field(buf, intermediates, 4, &first, &count)) {
        return false;
    }
    operators->left -= bytes / 4 + count;
    return true;
}

int32_t tflm_survey_operators(tflm_flatbuffer_t buf, tflm_operators_t *operators) {
    for (int32_t i = 0; i < operators->count; i++) {
        const int32_t left = operators->left;
        int32_t fields[OPERATOR_FIELDS], opcode = 0;
        operators->left -= OPERATOR_WORDS;
        if (!item_table(buf, operators->first, i, fields, OPERATOR_FIELDS)
            || (fields[OPCODE] != 0 && !tflm_flatbuffer_i32(buf, fields[OPCODE], &opcode))
            || opcode < 0 || opcode >= operators->opcode_count
            || !check_options(buf, fields[CUSTOM_OPTIONS], fields[INTERMEDIATES], operators)
            || !check_inputs(buf, fields[INPUTS], operators)
            || !check_outputs(buf, fields[OUTPUTS], operators) || operators->left < 0) {
            operators->left = left;
            return i;
        }
    }
    return operators->count;
}

void tflm_find_lives(
    tflm_flatbuffer_t buf, const tflm_operators_t *operators, int32_t *first, int32_t *last) {
    for (int32_t i = 0; i < operators->count; i++) {
        int32_t fields[OUTPUTS + 1];
        if (!item_table(buf, operators->first, i, fields, OUTPUTS + 1)) {
            continue;
        }
        for (int32_t side = INPUTS; side <= OUTPUTS; side++) {
            int32_t item = 0, count = 0;
            vector_field(buf, fields[side], 4, &item, &count);
            for (int32_t k = 0; k < count; k++) {
                int32_t index = -1;
                tflm_flatbuffer_i32(buf, item + 4 * k, &index);
                if (index < 0 || index >= operators->tensor_count) {
                    continue;
                }
                last[index] = i + 1;
                if (side == OUTPUTS && first[index] < 0) {
                    first[index] = i + 1;
                }
            }
        }
    }
}
