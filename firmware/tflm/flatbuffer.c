// Source of the format: the FlatBuffers internals document.
#include "flatbuffer.h"

static bool inside(tflm_flatbuffer_t buf, int64_t pos, int64_t nbytes) {
    return pos >= 0 && pos + nbytes <= (int64_t)buf.size;
}

// The caller has checked that both bytes are inside.
static uint32_t u16(tflm_flatbuffer_t buf, int32_t pos) {
    return buf.data[pos] | (uint32_t)buf.data[pos + 1] << 8;
}

static uint32_t u32(tflm_flatbuffer_t buf, int32_t pos) {
    return u16(buf, pos) | u16(buf, pos + 2) << 16;
}

bool tflm_flatbuffer_i32(tflm_flatbuffer_t buf, int32_t pos, int32_t *value) {
    if (!inside(buf, pos, 4)) {
        return false;
    }
    *value = (int32_t)u32(buf, pos);
    return true;
}

bool tflm_flatbuffer_u8(tflm_flatbuffer_t buf, int32_t pos, uint8_t *value) {
    if (!inside(buf, pos, 1)) {
        return false;
    }
    *value = buf.data[pos];
    return true;
}

bool tflm_flatbuffer_follow(tflm_flatbuffer_t buf, int32_t pos, int32_t *target) {
    if (!inside(buf, pos, 4)) {
        return false;
    }
    const uint32_t offset = u32(buf, pos);
    if (offset < 4 || !inside(buf, (int64_t)pos + offset, 4)) {
        return false;
    }
    *target = pos + (int32_t)offset;
    return true;
}

bool tflm_flatbuffer_vector(
    tflm_flatbuffer_t buf, int32_t pos, int32_t item_size, int32_t *first, int32_t *count) {
    int32_t start;
    if (!tflm_flatbuffer_follow(buf, pos, &start)) {
        return false;
    }
    const int64_t items = u32(buf, start);
    if (!inside(buf, (int64_t)start + 4, items * item_size)) {
        return false;
    }
    *first = start + 4;
    *count = (int32_t)items;
    return true;
}

bool tflm_flatbuffer_table(tflm_flatbuffer_t buf, int32_t pos, int32_t *fields, size_t count) {
    if (!inside(buf, pos, 4)) {
        return false;
    }
    const int64_t at = (int64_t)pos - (int32_t)u32(buf, pos);
    if (!inside(buf, at, 4)) {
        return false;
    }
    const int32_t vtable = (int32_t)at;
    const uint32_t vtable_size = u16(buf, vtable);
    const uint32_t size = u16(buf, vtable + 2);
    if (vtable_size < 4 || vtable_size % 2 != 0 || size < 4 || !inside(buf, vtable, vtable_size) || !inside(buf, pos, size)) {
        return false;
    }
    const size_t slots = (vtable_size - 4) / 2;
    for (size_t i = 0; i < count; i++) {
        const uint32_t offset = i < slots ? u16(buf, vtable + 4 + 2 * (int32_t)i) : 0;
        if (offset != 0 && (offset < 4 || offset >= size)) {
            return false;
        }
        fields[i] = offset == 0 ? 0 : pos + (int32_t)offset;
    }
    return true;
}
