// The part of `_tflm` that mp_modules/tflm/run/tensor.py calls: elements.py in C. Included
// once, after binding.h, by the two files that make a module.
//
// No float crosses this file by value: MicroPython's ABI for native modules has none. Numbers come
// and go through the buffers of mp_binary_set_val_array() and its inverse.
#include "py/binary.h"

#include "quantization.h"

// What values are refused for; elements.py names these numbers.
enum { WRONG_SHAPE, WRONG_SIZE, UNEVEN, MISFIT, NOT_A_NUMBER };

enum { DEPTH_MAX = 8 };

// The base of Tensor: gives its bytes as a buffer of its own format.
typedef struct {
    mp_obj_base_t base;
    mp_obj_t data;
    mp_obj_t tensor;  // whose base this is
    char format;
    bool is_open;  // others have asked for its bytes, to write
} elements_obj_t;

// In `typecode` before this file asks for a tensor's own buffer: no other caller sets that, and flags do not
// come through to elements_get_buffer. The result overwrites it, so that no stack has it later.
enum { OURS = 0x746C666D };

// Elements(data, format, tensor). Of data that is misaligned, as constants may be, it keeps a copy.
static mp_obj_t elements_make_new(
    const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_arg_check_num(n_args, n_kw, 3, 3, false);
    elements_obj_t *self = mp_obj_malloc(elements_obj_t, type);
    const char *letter = mp_obj_str_get_str(args[1]);
    self->format = *letter;
    self->is_open = false;
    self->data = args[0];
    self->tensor = args[2];
    mp_buffer_info_t info;
    mp_get_buffer_raise(self->data, &info, MP_BUFFER_READ);
    if ((uintptr_t)info.buf % mp_binary_get_size('@', self->format, NULL) != 0) {
        self->data = mp_obj_new_bytes(info.buf, info.len);
    }
    return MP_OBJ_FROM_PTR(self);
}

static mp_int_t elements_get_buffer(mp_obj_t self_in, mp_buffer_info_t *info, mp_uint_t flags) {
    elements_obj_t *self = MP_OBJ_TO_PTR(self_in);
    const bool is_ours = info->typecode == OURS;
    info->typecode = 0;
    if (!is_ours) {
        mp_obj_t method[2];
        mp_load_method(self->tensor, MP_QSTR__check_buffer, method);
        mp_call_function_n_kw(method[0], 1, 0, &method[1]);
    }
    if (!mp_get_buffer(self->data, info, flags)) {
        return 1;
    }
    self->is_open |= (flags & MP_BUFFER_WRITE) != 0 && !is_ours;
    info->typecode = self->format;
    return 0;
}

static void elements_attr(mp_obj_t self_in, qstr attr, mp_obj_t *dest) {
    const elements_obj_t *self = MP_OBJ_TO_PTR(self_in);
    if (attr == MP_QSTR_is_open && dest[0] == MP_OBJ_NULL) {
        dest[0] = self->is_open ? mp_const_true : mp_const_false;
    }
}

// A buffer, of any letter of struct.
typedef struct {
    tflm_elements_t elements;
    size_t size;  // of an element
} buffer_t;

// typecode  OURS for the tensor that this file is called for, 0 for values, which are checked
static bool get_elements(mp_obj_t obj, mp_uint_t flags, int typecode, buffer_t *buffer) {
    mp_buffer_info_t info = {NULL, 0, typecode};
    const bool is_buffer = mp_get_buffer(obj, &info, flags);
    typecode = info.typecode;
    *(volatile int *)&info.typecode = 0;
    if (!is_buffer) {
        return false;
    }
    char format = (char)typecode;
    if (format == BYTEARRAY_TYPECODE) {
        format = 'B';
    }
    buffer->size = mp_binary_get_size('@', format, NULL);
    if (buffer->size == sizeof(int32_t) && (format == 'l' || format == 'L')) {
        format = format == 'l' ? 'i' : 'I';
    }
    buffer->elements = (tflm_elements_t) {info.buf, info.len / buffer->size, format};
    return true;
}

static bool get_bytes(mp_obj_t obj, buffer_t *buffer) {
    return get_elements(obj, MP_BUFFER_READ, 0, buffer) && buffer->elements.format == 'B';
}

static buffer_t get_target(mp_obj_t obj, mp_uint_t flags) {
    buffer_t target;
    if (!get_elements(obj, flags, OURS, &target)) {
        mp_raise_TypeError(MP_ERROR_TEXT("object with buffer protocol required"));
    }
    return target;
}

static bool is_list(mp_obj_t obj) {
    const mp_obj_type_t *type = mp_obj_get_type(obj);
    return type == &mp_type_list || type == &mp_type_tuple;
}

static bool is_str(mp_obj_t obj) {
    return mp_obj_get_type(obj) == &mp_type_str;
}

// Values on their way into elements, or compared with them. The first pass writes nothing.
typedef struct {
    buffer_t to;
    const tflm_scale_t *scale;  // NULL: the values are elements
    bool writes, compares;
    size_t done;
    size_t depth;  // of the values, and how many there are in each
    size_t extents[DEPTH_MAX];
    mp_obj_t refused;  // (reason, value), once one was
} fill_t;

static bool refuse(fill_t *fill, int reason, mp_obj_t value) {
    mp_obj_t pair[] = {MP_OBJ_NEW_SMALL_INT(reason), value};
    fill->refused = mp_obj_new_tuple(2, pair);
    return false;
}

static mp_obj_t object_at(const buffer_t *from, size_t i) {
    return mp_binary_get_val_array(from->elements.format, from->elements.data, i);
}

// Returns whether *value is an int that fits the elements of `to`; sets the word.
static bool get_word(const buffer_t *to, mp_obj_t value, uint64_t *word) {
    if (value == mp_const_true || value == mp_const_false) {
        value = MP_OBJ_NEW_SMALL_INT(value == mp_const_true);
    }
    if (!mp_obj_is_small_int(value)) {
        if (mp_obj_get_type(value) != &mp_type_int || to->size < sizeof(int32_t)) {
            return false;
        }
    }
    mp_binary_set_val_array(to->elements.format, word, 0, value);
    const mp_obj_t back = mp_binary_get_val_array(to->elements.format, word, 0);
    return back == value || mp_binary_op(MP_BINARY_OP_EQUAL, back, value) == mp_const_true;
}

static bool is_equal(const fill_t *fill, mp_obj_t value) {
    const buffer_t *to = &fill->to;
    if (to->elements.format != 'f') {
        return mp_binary_op(MP_BINARY_OP_EQUAL, object_at(to, fill->done), value) == mp_const_true;
    }
    int32_t bits;
    mp_binary_set_val_array('f', &bits, 0, value);
    const tflm_elements_t one = {(uint8_t *)&bits, 1, 'f'};
    const tflm_elements_t other = {to->elements.data + 4 * fill->done, 1, 'f'};
    return tflm_equal(&one, &other);
}

static bool fill_value(fill_t *fill, mp_obj_t value) {
    const buffer_t *to = &fill->to;
    if (fill->done >= to->elements.count) {
        return refuse(fill, UNEVEN, mp_const_none);
    }
    if (fill->compares) {
        return is_equal(fill, value) && ++fill->done;
    }
    uint64_t word = 0;
    uint32_t bits;
    if (fill->scale != NULL) {
        mp_binary_set_val_array('f', &bits, 0, value);
        if (tflm_is_nan(bits)) {
            return refuse(fill, NOT_A_NUMBER, value);
        }
        tflm_store((uint8_t *)&word, to->size, 0, tflm_quantize(fill->scale, bits));
    } else if (to->elements.format == 'f' || to->elements.format == 'd') {
        mp_binary_set_val_array(to->elements.format, &word, 0, value);
    } else if (!get_word(to, value, &word)) {
        return refuse(fill, MISFIT, value);
    }
    if (fill->writes) {
        memcpy(to->elements.data + to->size * fill->done, &word, to->size);
    }
    fill->done++;
    return true;
}

static bool fill_one_by_one(fill_t *fill, const buffer_t *from) {
    for (size_t i = 0; i < from->elements.count; i++) {
        if (!fill_value(fill, object_at(from, i))) {
            return false;
        }
    }
    return true;
}

static bool fill_buffer(fill_t *fill, const buffer_t *from) {
    const tflm_elements_t *values = &from->elements;
    tflm_elements_t to = fill->to.elements;
    if (values->count > to.count - fill->done) {
        return refuse(fill, UNEVEN, mp_const_none);
    }
    if (tflm_format_size(values->format) == 0 || tflm_format_size(to.format) == 0) {
        return fill_one_by_one(fill, from);
    }
    to.data += fill->to.size * fill->done;
    to.count = values->count;
    bool fits;
    if (fill->compares) {
        fits = tflm_equal(&to, values);
    } else if (fill->scale != NULL) {
        fits = values->format != 'f' || !tflm_has_nan(values);
    } else {
        fits = tflm_fits(values, to.format);
    }
    if (!fits) {
        return fill->compares ? false : fill_one_by_one(fill, from);
    }
    if (fill->writes && fill->scale != NULL) {
        tflm_quantize_all(fill->scale, values, &to);
    } else if (fill->writes) {
        tflm_copy_elements(values, &to);
    }
    fill->done += values->count;
    return true;
}

// Values may run Python code, which may change a list: each look at it is a new one.
static bool fill_values(fill_t *fill, mp_obj_t values, size_t depth) {
    const size_t extent = fill->extents[depth];
    const bool is_last = depth + 1 == fill->depth;
    if (!is_list(values)) {
        buffer_t buffer;
        if (get_elements(values, MP_BUFFER_READ, 0, &buffer) && is_last
            && buffer.elements.count == extent) {
            return fill_buffer(fill, &buffer);
        }
        return refuse(fill, UNEVEN, mp_const_none);
    }
    for (size_t i = 0;; i++) {
        size_t count;
        mp_obj_t *items;
        mp_obj_get_array(values, &count, &items);
        if (count != extent) {
            return refuse(fill, UNEVEN, mp_const_none);
        }
        if (i == count) {
            return true;
        }
        if (is_last ? !fill_value(fill, items[i]) : !fill_values(fill, items[i], depth + 1)) {
            return false;
        }
    }
}

// Finds out the shape of values from the first of each row. Returns false where they are neither
// a list nor a tuple nor a buffer.
static bool get_shape(fill_t *fill, mp_obj_t values) {
    buffer_t buffer;
    for (fill->depth = 0; fill->depth < DEPTH_MAX; fill->depth++) {
        size_t count;
        mp_obj_t *items;
        if (is_list(values)) {
            mp_obj_get_array(values, &count, &items);
            fill->extents[fill->depth] = count;
            if (count != 0) {
                values = items[0];
                continue;
            }
        } else if (!is_str(values) && get_elements(values, MP_BUFFER_READ, 0, &buffer)) {
            fill->extents[fill->depth] = buffer.elements.count;
        } else {
            break;
        }
        fill->depth++;
        break;
    }
    return fill->depth != 0;
}

// One row has any shape; others have this one, except dimensions of 1.
static bool has_shape(const fill_t *fill, mp_obj_t shape) {
    if (fill->depth == 1) {
        return fill->extents[0] == fill->to.elements.count;
    }
    size_t count, i = 0;
    mp_obj_t *items;
    mp_obj_get_array(shape, &count, &items);
    for (size_t depth = 0; depth < fill->depth; depth++) {
        if (fill->extents[depth] == 1) {
            continue;
        }
        while (i < count && items[i] == MP_OBJ_NEW_SMALL_INT(1)) {
            i++;
        }
        if (i == count || items[i++] != MP_OBJ_NEW_SMALL_INT(fill->extents[depth])) {
            return false;
        }
    }
    while (i < count && items[i] == MP_OBJ_NEW_SMALL_INT(1)) {
        i++;
    }
    return i == count;
}

static bool refuse_shape(fill_t *fill) {
    mp_obj_t extents[DEPTH_MAX];
    for (size_t i = 0; i < fill->depth; i++) {
        extents[i] = MP_OBJ_NEW_SMALL_INT(fill->extents[i]);
    }
    return refuse(fill, WRONG_SHAPE, mp_obj_new_tuple(fill->depth, extents));
}

// Whether a buffer that is converted on its way lies where it is written to.
static bool overlaps(const fill_t *fill, mp_obj_t values) {
    buffer_t from;
    if (is_list(values) || !get_elements(values, MP_BUFFER_READ, 0, &from)) {
        return false;
    }
    const tflm_elements_t *a = &fill->to.elements, *b = &from.elements;
    return (fill->scale != NULL || a->format != b->format)
        && a->data < b->data + b->count * from.size && b->data < a->data + a->count * fill->to.size;
}

// Returns None, or (reason, value) of what was refused: then nothing was written. False: this does
// not take such values, but a list of them.
static mp_obj_t fill_elements(fill_t *fill, mp_obj_t values, mp_obj_t shape) {
    if (!get_shape(fill, values) || overlaps(fill, values)) {
        return mp_const_false;
    }
    fill->refused = mp_const_none;
    if (!has_shape(fill, shape)) {
        refuse_shape(fill);
        return fill->refused;
    }
    fill->done = 0;
    if (fill_values(fill, values, 0)) {
        fill->done = 0;
        fill->writes = true;
        fill_values(fill, values, 0);
    }
    return fill->refused;
}

static buffer_t get_range(mp_obj_t obj, mp_obj_t first_in, mp_obj_t last_in, mp_uint_t flags) {
    buffer_t range = get_target(obj, flags);
    const mp_int_t last = get_index(last_in, 0, range.elements.count, MP_ERROR_TEXT("last"));
    const mp_int_t first = get_index(first_in, 0, (size_t)last, MP_ERROR_TEXT("first"));
    range.elements.data += (size_t)first * range.size;
    range.elements.count = (size_t)(last - first);
    return range;
}

// put(to, first, last, values, shape, is_raw): where is_raw, unsigned bytes are those of elements.
static mp_obj_t put(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    fill_t fill = {.to = get_range(args[0], args[1], args[2], MP_BUFFER_WRITE)};
    buffer_t raw;
    if (args[5] == mp_const_true && get_bytes(args[3], &raw)) {
        const size_t nbytes = fill.to.elements.count * fill.to.size;
        if (raw.elements.count != nbytes) {
            refuse(&fill, WRONG_SIZE, MP_OBJ_NEW_SMALL_INT(raw.elements.count));
            return fill.refused;
        }
        memmove(fill.to.elements.data, raw.elements.data, nbytes);
        return mp_const_none;
    }
    return fill_elements(&fill, args[3], args[4]);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(put_obj, 6, 6, put);

static uint32_t get_float_bits(mp_obj_t value) {
    uint32_t bits;
    mp_binary_set_val_array('f', &bits, 0, value);
    return bits;
}

// quantize(to, values, shape, scale, zero_point)
static mp_obj_t quantize(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    tflm_scale_t scale;
    fill_t fill = {.to = get_target(args[0], MP_BUFFER_WRITE), .scale = &scale};
    if (!tflm_set_scale(&scale, get_float_bits(args[3]), (int32_t)get_int(args[4]),
        fill.to.elements.format)) {
        mp_raise_ValueError(MP_ERROR_TEXT("scale"));
    }
    return fill_elements(&fill, args[1], args[2]);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(quantize_obj, 5, 5, quantize);

// equal(of, values, shape, is_raw): None where values have no shape.
static mp_obj_t equal(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    fill_t fill = {.to = get_target(args[0], MP_BUFFER_READ), .compares = true};
    buffer_t raw;
    if (args[3] == mp_const_true && get_bytes(args[1], &raw)) {
        fill.to.elements.count *= fill.to.size;
        fill.to.elements.format = 'B';
        return mp_obj_new_bool(raw.elements.count == fill.to.elements.count
            && tflm_equal(&raw.elements, &fill.to.elements));
    }
    if (!get_shape(&fill, args[1])) {
        return mp_const_none;
    }
    return mp_obj_new_bool(has_shape(&fill, args[2]) && fill_values(&fill, args[1], 0));
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(equal_obj, 4, 4, equal);

// dequantize(of, scale, zero_point, into): into a buffer of floats, or a list of as many items.
static mp_obj_t dequantize(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    const buffer_t of = get_target(args[0], MP_BUFFER_READ);
    const uint32_t scale = get_float_bits(args[1]);
    const int32_t zero_point = (int32_t)get_int(args[2]);
    buffer_t into;
    if (get_elements(args[3], MP_BUFFER_WRITE, 0, &into)) {
        if (into.elements.format != 'f' || into.elements.count != of.elements.count) {
            return mp_const_false;
        }
        tflm_dequantize_all(&of.elements, scale, zero_point, into.elements.data);
        return args[3];
    }
    size_t count;
    mp_obj_t *items;
    mp_obj_get_array(args[3], &count, &items);
    for (size_t i = 0; i < count && i < of.elements.count; i++) {
        uint8_t bits[4];
        const tflm_elements_t one = {of.elements.data + of.size * i, 1, of.elements.format};
        tflm_dequantize_all(&one, scale, zero_point, bits);
        items[i] = mp_binary_get_val_array('f', bits, 0);
    }
    return args[3];
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(dequantize_obj, 4, 4, dequantize);

// items(of, first, last): a list of elements.
static mp_obj_t items(mp_obj_t of_in, mp_obj_t first, mp_obj_t last) {
    const buffer_t of = get_range(of_in, first, last, MP_BUFFER_READ);
    mp_obj_t list = mp_obj_new_list(0, NULL);
    for (size_t i = 0; i < of.elements.count; i++) {
        mp_obj_list_append(list, object_at(&of, i));
    }
    return list;
}
static MP_DEFINE_CONST_FUN_OBJ_3(items_obj, items);

// argmax(of)
static mp_obj_t argmax(mp_obj_t of_in) {
    const buffer_t of = get_target(of_in, MP_BUFFER_READ);
    if (tflm_format_size(of.elements.format) != 0) {
        return MP_OBJ_NEW_SMALL_INT(tflm_argmax(&of.elements));
    }
    size_t best = 0;
    for (size_t i = 1; i < of.elements.count; i++) {
        const mp_obj_t largest = object_at(&of, best);
        if (mp_binary_op(MP_BINARY_OP_MORE, object_at(&of, i), largest) == mp_const_true
            || mp_binary_op(MP_BINARY_OP_EQUAL, largest, largest) != mp_const_true) {
            best = i;
        }
    }
    return MP_OBJ_NEW_SMALL_INT(best);
}
static MP_DEFINE_CONST_FUN_OBJ_1(argmax_obj, argmax);
