// Tagged offsets: how operator parameters point into the address spaces of an inference.
//
// A tagged offset is offset << 1 | space, or negative when the argument is absent. Offsets count from the
// space's base, so an arena can be moved, saved and loaded elsewhere. They are less than 2^28, and so
// bit 29 of a tagged offset is free: it says that an arena's tail lies in a memory of its own. Sums
// with the offset of a row or a slice keep this bit.
#ifndef TFLM_SPACES_H
#define TFLM_SPACES_H

#include <stddef.h>
#include <stdint.h>

enum { TFLM_ARENA, TFLM_MODEL, TFLM_TAIL, TFLM_SPACES };

enum { TFLM_TAIL_OFFSET = 1 << 28 };  // which is part of the offsets into that memory
enum { TFLM_REF_MAX = 0x3FFFFFFF };  // of tagged offsets: bit 29 is their highest

typedef struct {
    uint8_t *base[TFLM_SPACES];  // the arena: 4-byte aligned; the model: read only, any alignment
                                 // unless it is prepared: then 4 bytes; the tail's memory:
                                 // what tflm_tail_base() returns
} tflm_spaces_t;

typedef struct {
    size_t of[TFLM_SPACES];  // bytes in each space
} tflm_sizes_t;

// The inputs of a kernel that takes any number of them, or its outputs.
typedef struct {
    const tflm_spaces_t *spaces;
    const int32_t *refs;
    int32_t count;
} tflm_args_t;

// Returns the base of the space of the tail's memory, from the address of that memory.
static inline uint8_t *tflm_tail_base(const void *tail) {
    return (uint8_t *)((uintptr_t)tail - TFLM_TAIL_OFFSET);
}

// Returns the start of the tail's memory.
static inline uint8_t *tflm_tail(const tflm_spaces_t *spaces) {
    return (uint8_t *)((uintptr_t)spaces->base[TFLM_TAIL] + TFLM_TAIL_OFFSET);
}

// Returns where in its memory a tagged offset points that is not negative.
static inline size_t tflm_offset(uint32_t ref) {
    return ref >> 1 & ~(uint32_t)TFLM_TAIL_OFFSET;
}

// Returns the space of a tagged offset that is not negative.
static inline uint32_t tflm_space(uint32_t ref) {
    return (ref & 1) | (ref >> 28 & 2);
}

// Returns the address that a tagged offset stands for, which is not negative: that of a node's parameters.
static inline void *tflm_record_at(const tflm_spaces_t *spaces, int32_t ref) {
    return (void *)((uintptr_t)spaces->base[tflm_space((uint32_t)ref)] + ((uint32_t)ref >> 1));
}

// Returns the address that a tagged offset stands for, or NULL for an absent argument.
static inline void *tflm_at(const tflm_spaces_t *spaces, int32_t ref) {
    return ref < 0 ? NULL : tflm_record_at(spaces, ref);
}

static inline const uint8_t *tflm_argument(const tflm_args_t *args, int32_t index) {
    return tflm_at(args->spaces, args->refs[index]);
}

static inline uint8_t *tflm_output(const tflm_args_t *args, int32_t index) {
    return tflm_at(args->spaces, args->refs[index]);
}

#endif
