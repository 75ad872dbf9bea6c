// The part of `_tflm` that reads models and prepares convolutions. Included once, after binding.h,
// by the two files that make a module.
#include "describe.h"
#include "fence.h"
#include "flatbuffer.h"

// A position in a file. One that no int32_t holds lies outside of all files, as -1 does.
static int32_t get_position(mp_obj_t obj) {
    const mp_int_t pos = get_int(obj);
    return pos == (int32_t)pos ? (int32_t)pos : -1;
}

// FlatBuffers. A field at position 0 is absent: follow() gives 0, vector() (0, 0), ints() (),
// i32() and u8() their default.

static tflm_flatbuffer_t get_flatbuffer(mp_obj_t obj) {
    mp_buffer_info_t buf;
    mp_get_buffer_raise(obj, &buf, MP_BUFFER_READ);
    return (tflm_flatbuffer_t) {buf.buf, buf.len};
}

// fence(buf, header): 0 where the snapshot whose header is at that byte is sound; see fence.h.
static mp_obj_t fence(mp_obj_t buf_in, mp_obj_t header) {
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    return MP_OBJ_NEW_SMALL_INT(tflm_fence(buf.data, buf.size, get_position(header)));
}
static MP_DEFINE_CONST_FUN_OBJ_2(fence_obj, fence);

enum { FIELDS_MAX = 16 };  // of any table that is read

static mp_obj_t new_tuple(const int32_t *words, size_t count) {
    mp_obj_tuple_t *tuple = MP_OBJ_TO_PTR(mp_obj_new_tuple(count, NULL));
    for (size_t i = 0; i < count; i++) {
        tuple->items[i] = mp_obj_new_int(words[i]);
    }
    return MP_OBJ_FROM_PTR(tuple);
}

// table(buf, pos, count): the positions of its first fields, as a tuple.
static mp_obj_t fb_table(mp_obj_t buf_in, mp_obj_t pos, mp_obj_t count_in) {
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    const size_t count = (size_t)get_index(count_in, 0, FIELDS_MAX, MP_ERROR_TEXT("count"));
    int32_t fields[FIELDS_MAX];
    if (!tflm_flatbuffer_table(buf, get_position(pos), fields, count)) {
        raise_outside(pos, buf.size);
    }
    return new_tuple(fields, count);
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_table_obj, fb_table);

static mp_obj_t fb_follow(mp_obj_t buf_in, mp_obj_t pos) {
    if (pos == MP_OBJ_NEW_SMALL_INT(0)) {
        return pos;
    }
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    int32_t target;
    if (!tflm_flatbuffer_follow(buf, get_position(pos), &target)) {
        raise_outside(pos, buf.size);
    }
    return MP_OBJ_NEW_SMALL_INT(target);
}
static MP_DEFINE_CONST_FUN_OBJ_2(fb_follow_obj, fb_follow);

static mp_obj_t fb_vector(mp_obj_t buf_in, mp_obj_t pos, mp_obj_t item_size) {
    int32_t first = 0, count = 0;
    if (pos != MP_OBJ_NEW_SMALL_INT(0)) {
        const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
        if (!tflm_flatbuffer_vector(
            buf, get_position(pos), get_int(item_size), &first, &count)) {
            raise_outside(pos, buf.size);
        }
    }
    mp_obj_t pair[] = {MP_OBJ_NEW_SMALL_INT(first), MP_OBJ_NEW_SMALL_INT(count)};
    return mp_obj_new_tuple(2, pair);
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_vector_obj, fb_vector);

static mp_obj_t fb_ints(mp_obj_t buf_in, mp_obj_t pos) {
    if (pos == MP_OBJ_NEW_SMALL_INT(0)) {
        return mp_const_empty_tuple;
    }
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    int32_t first, count;
    if (!tflm_flatbuffer_vector(buf, get_position(pos), sizeof(int32_t), &first, &count)) {
        raise_outside(pos, buf.size);
    }
    mp_obj_tuple_t *tuple = MP_OBJ_TO_PTR(mp_obj_new_tuple((size_t)count, NULL));
    for (int32_t i = 0; i < count; i++) {
        int32_t value = 0;
        tflm_flatbuffer_i32(buf, first + 4 * i, &value);
        tuple->items[i] = mp_obj_new_int(value);
    }
    return MP_OBJ_FROM_PTR(tuple);
}
static MP_DEFINE_CONST_FUN_OBJ_2(fb_ints_obj, fb_ints);

static mp_obj_t fb_i32(mp_obj_t buf_in, mp_obj_t pos, mp_obj_t absent) {
    if (pos == MP_OBJ_NEW_SMALL_INT(0)) {
        return absent;
    }
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    int32_t value;
    if (!tflm_flatbuffer_i32(buf, get_position(pos), &value)) {
        raise_outside(pos, buf.size);
    }
    return mp_obj_new_int(value);
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_i32_obj, fb_i32);

static mp_obj_t fb_u8(mp_obj_t buf_in, mp_obj_t pos, mp_obj_t absent) {
    if (pos == MP_OBJ_NEW_SMALL_INT(0)) {
        return absent;
    }
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    uint8_t value;
    if (!tflm_flatbuffer_u8(buf, get_position(pos), &value)) {
        raise_outside(pos, buf.size);
    }
    return MP_OBJ_NEW_SMALL_INT(value);
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_u8_obj, fb_u8);

// The words of SubGraph.places: those of tflm_places_t, then shapes.
static tflm_tensors_t get_tensors(mp_obj_t places_in) {
    mp_buffer_info_t places;
    mp_get_buffer_raise(places_in, &places, MP_BUFFER_READ);
    if (places.len < sizeof(tflm_places_t)) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    const tflm_places_t *first = places.buf;
    const size_t nbytes = places.len - sizeof(*first);
    return (tflm_tensors_t) {
        first, (const int32_t *)(first + 1), (int32_t)(nbytes / sizeof(int32_t))};
}

// describe(buf, places, index): the words of tflm_tensor_t as a tuple, None where the tensor is
// not sound.
static mp_obj_t fb_describe(mp_obj_t buf, mp_obj_t places, mp_obj_t index) {
    tflm_tensor_t tensor;
    if (!tflm_describe(get_flatbuffer(buf), get_tensors(places), get_position(index), &tensor)) {
        return mp_const_none;
    }
    return new_tuple(&tensor.type, sizeof(tensor) / sizeof(tensor.type));
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_describe_obj, fb_describe);

// survey(buf, places, data, sizes): sets both arrays; returns how many tensors are sound.
static mp_obj_t fb_survey(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    mp_buffer_info_t data, sizes;
    const tflm_tensors_t tensors = get_tensors(args[1]);
    mp_get_buffer_raise(args[2], &data, MP_BUFFER_WRITE);
    mp_get_buffer_raise(args[3], &sizes, MP_BUFFER_WRITE);
    if (data.len != sizes.len
        || data.len / sizeof(int32_t) != (size_t)tensors.places->tensor_count) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    return MP_OBJ_NEW_SMALL_INT(
        tflm_survey(get_flatbuffer(args[0]), tensors, data.buf, sizes.buf));
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(fb_survey_obj, 4, 4, fb_survey);

// survey_operators(buf, first, count, opcode_count, data, left): how many operators are sound,
// and how many words are left after them.
static mp_obj_t fb_survey_operators(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    mp_buffer_info_t data;
    mp_get_buffer_raise(args[4], &data, MP_BUFFER_WRITE);
    tflm_operators_t operators = {
        .first = get_int(args[1]),
        .count = get_int(args[2]),
        .opcode_count = get_int(args[3]),
        .tensor_count = (int32_t)(data.len / sizeof(int32_t)),
        .data = data.buf,
        .left = get_int(args[5]),
    };
    const int32_t sound = tflm_survey_operators(get_flatbuffer(args[0]), &operators);
    return new_tuple((int32_t[]) {sound, operators.left}, 2);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(fb_survey_operators_obj, 6, 6, fb_survey_operators);

// largest(buf, pos, count): of that many words at any alignment, taken as unsigned.
static mp_obj_t fb_largest(mp_obj_t buf_in, mp_obj_t pos, mp_obj_t count) {
    const tflm_flatbuffer_t buf = get_flatbuffer(buf_in);
    uint32_t largest = 0;
    int32_t at = get_position(pos);
    for (mp_int_t n = get_int(count); n > 0; n--, at += 4) {
        int32_t word;
        if (!tflm_flatbuffer_i32(buf, at, &word)) {
            raise_outside(pos, buf.size);
        }
        largest = (uint32_t)word > largest ? (uint32_t)word : largest;
    }
    return mp_obj_new_int_from_uint(largest);
}
static MP_DEFINE_CONST_FUN_OBJ_3(fb_largest_obj, fb_largest);

#if TFLM_HAS_LOADING
#include "convolution.h"

// convolution(buf, places, pos, is_depthwise, words): prepares the operator at pos; sets words,
// those of tflm_convolution_t. Returns whether the operator is sound.
static mp_obj_t fb_convolution(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    mp_buffer_info_t words;
    const tflm_tensors_t tensors = get_tensors(args[1]);
    mp_get_buffer_raise(args[4], &words, MP_BUFFER_WRITE);
    if (words.len < sizeof(tflm_convolution_t)) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    return mp_obj_new_bool(tflm_prepare_convolution(get_flatbuffer(args[0]), tensors,
        get_position(args[2]), get_int(args[3]), words.buf));
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(fb_convolution_obj, 5, 5, fb_convolution);
#endif
