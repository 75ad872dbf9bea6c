#include "bytes.h"

#include <stdbool.h>
#include <string.h>

#include "load.h"
#include "vector_bytes.h"

#define WORD sizeof(uint32_t)
#define SHORT 16  // bytes that are not worth a call

typedef struct {
    uint32_t words[4];
} block_t;  // moved by one load and one store of several registers

typedef struct {
    block_t low, high;
} pair_t;  // of blocks, so that a loop has less to do than to move

// Both lie at words and share no byte, or `to` comes first by a pair's bytes or more.
static inline void move_pairs(void *to, const void *from, size_t count) {
    pair_t *target = to;
    const pair_t *source = from;
    for (const pair_t *const end = source + count; source != end; target++, source++) {
        *target = *source;
    }
}

#if defined(__ARM_FEATURE_MVE)
// Four vectors at a time, from any place to any; `to` may lie before `from` and both overlap.
static inline void move_vectors(uint8_t *to, const uint8_t *from, size_t nbytes) {
    __asm__ volatile("wls lr, %[fours], 2f\n"
            "1:\n\t"
            "vldrb.8 q0, [%[from]], #64\n\t"
            "vldrb.8 q1, [%[from], #-48]\n\t"
            "vldrb.8 q2, [%[from], #-32]\n\t"
            "vldrb.8 q3, [%[from], #-16]\n\t"
            "vstrb.8 q0, [%[to]], #64\n\t"
            "vstrb.8 q1, [%[to], #-48]\n\t"
            "vstrb.8 q2, [%[to], #-32]\n\t"
            "vstrb.8 q3, [%[to], #-16]\n\t"
            "le lr, 1b\n"
            "2:\n\t"
            "wlstp.8 lr, %[rest], 4f\n"
            "3:\n\t"
            "vldrb.8 q0, [%[from]], #16\n\t"
            "vstrb.8 q0, [%[to]], #16\n\t"
            "letp lr, 3b\n"
            "4:"
            : [from] "+r" (from), [to] "+r" (to)
            : [fours] "r" (nbytes / 64), [rest] "r" (nbytes % 64)
            : "q0", "q1", "q2", "q3", "lr", "cc", "memory");
}
#endif

// Both lie at words.
static void move_words_back(uint32_t *to, const uint32_t *from, size_t count) {
    const size_t blocks = count / 4;
    for (size_t i = count; i > 4 * blocks; i--) {
        to[i - 1] = from[i - 1];
    }
    for (size_t i = blocks; i > 0; i--) {
        const block_t block = ((const block_t *)(const void *)from)[i - 1];
        ((block_t *)(void *)to)[i - 1] = block;
    }
}

#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
static bool move_loose(uint8_t *to, const uint8_t *from, size_t blocks) {
    (void)to, (void)from, (void)blocks;
    return false;  // a word at an odd address faults
}
#else
// Moves so many blocks from any place to a word's.
static bool move_loose(uint8_t *to, const uint8_t *from, size_t blocks) {
    block_t *target = (void *)to;
    for (size_t i = 0; i < blocks; i++, from += sizeof(block_t)) {
        uint32_t a, b, c, d;
        memcpy(&a, from, WORD);
        memcpy(&b, from + WORD, WORD);
        memcpy(&c, from + 2 * WORD, WORD);
        memcpy(&d, from + 3 * WORD, WORD);
        target[i] = (block_t){{a, b, c, d}};
    }
    return true;
}
#endif

void tflm_move(uint8_t *to, const uint8_t *from, size_t nbytes) {
    if (to == from) {
        return;
    }
    if ((uintptr_t)to - (uintptr_t)from < nbytes) {
        if (((uintptr_t)from | (uintptr_t)to | nbytes) % WORD == 0) {
            move_words_back((void *)to, (const void *)from, nbytes / WORD);
        } else {
            memmove(to, from, nbytes);
        }
        return;
    }
#if defined(__ARM_FEATURE_MVE)
    if (nbytes >= 4 * SHORT) {
        move_vectors(to, from, nbytes);
        return;
    }
    if (nbytes >= SHORT) {
        tflm_copy_bytes((void *)to, (const void *)from, (int32_t)nbytes);
        return;
    }
#endif
    if (nbytes >= SHORT) {
        for (; (uintptr_t)to % WORD != 0; nbytes--) {
            *to++ = *from++;
        }
        const size_t blocks = nbytes / sizeof(pair_t) * 2;
        if ((uintptr_t)from % WORD == 0 && (uintptr_t)from - (uintptr_t)to >= sizeof(pair_t)) {
            move_pairs(to, from, blocks / 2);
        } else if (!move_loose(to, from, blocks)) {
            memmove(to, from, nbytes);
            return;
        }
        to += blocks * sizeof(block_t);
        from += blocks * sizeof(block_t);
        nbytes %= sizeof(pair_t);
    }
    if (((uintptr_t)from | (uintptr_t)to) % WORD == 0) {
        for (; nbytes >= WORD; nbytes -= WORD, to += WORD, from += WORD) {
            *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)from;
        }
    }
    for (; nbytes > 0; nbytes--) {
        *to++ = *from++;
    }
}

// Moves a run of words; its size is a multiple of 4.
static inline void move_words(uint8_t *to, const uint8_t *from, size_t size) {
#if defined(__ARM_FEATURE_MVE)
    if (size >= SHORT) {
        move_vectors(to, from, size);
        return;
    }
#endif
    const uint8_t *const end = from + size;
    const size_t pairs = size / sizeof(pair_t);
    if (pairs > 0 && to != from) {
        move_pairs(to, from, pairs);
    }
    to += pairs * sizeof(pair_t);
    from += pairs * sizeof(pair_t);
    for (; from != end; to += WORD, from += WORD) {
        *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)from;
    }
}

void tflm_move_rows(uint8_t *to, int32_t to_step, const uint8_t *from, int32_t from_step,
    size_t size, int32_t count) {
    const uintptr_t places = (uintptr_t)to | (uintptr_t)from | size;
    const bool aligned = (places | (uint32_t)to_step | (uint32_t)from_step) % WORD == 0;
    for (int32_t i = 0; i < count; i++, to += to_step, from += from_step) {
        if (aligned) {
            move_words(to, from, size);
        } else if (size < SHORT) {
            for (size_t k = 0; k < size; k++) {
                to[k] = from[k];
            }
        } else {
            tflm_move(to, from, size);
        }
    }
}

void tflm_fill(uint8_t *to, int32_t value, size_t nbytes) {
#if defined(__ARM_FEATURE_MVE)
    if (nbytes >= SHORT) {
        tflm_fill_bytes((void *)to, (int8_t)value, (int32_t)nbytes);
        return;
    }
#endif
    for (; nbytes > 0 && (uintptr_t)to % WORD != 0; nbytes--) {
        *to++ = (uint8_t)value;
    }
    const uint32_t word = (uint32_t)(value & 255) * 0x01010101u;
    const block_t block = {{word, word, word, word}};
    for (; nbytes >= sizeof(block); nbytes -= sizeof(block), to += sizeof(block)) {
        *(block_t *)(void *)to = block;
    }
    for (; nbytes > 0; nbytes--) {
        *to++ = (uint8_t)value;
    }
}

void tflm_fill_rows(uint8_t *to, int32_t step, int32_t value, size_t size, int32_t count) {
    for (int32_t i = 0; i < count; i++, to += step) {
        tflm_fill(to, value, size);
    }
}

// Moves runs of `size` bytes that all lie at words, `unit` bytes at a time: 4 or 16.
static inline uint8_t *words_plane(
    uint8_t *to, const uint8_t *from, const int32_t *dims, size_t size, size_t unit) {
    const int32_t step = dims[3];
    for (int32_t i = 0; i < dims[0]; i++, from += dims[1]) {
        const uint8_t *x = from;
        for (int32_t j = dims[2]; j > 0; j--, x += step) {
            const uint8_t *const end = x + size;
            const uint8_t *y = x;
            do {
                if (unit == WORD) {
                    *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)y;
                } else {
                    const block_t block = *(const block_t *)(const void *)y;
                    *(block_t *)(void *)to = block;
                }
                to += unit;
                y += unit;
            } while (size != unit && y != end);
        }
    }
    return to;
}

// Moves single bytes, four at a time: a loop takes as long as a byte.
static uint8_t *single_plane(uint8_t *to, const uint8_t *from, const int32_t *dims) {
    const int32_t step = dims[3];
    for (int32_t i = 0; i < dims[0]; i++, from += dims[1]) {
        const uint8_t *x = from;
        int32_t left = dims[2];
        for (; left >= 4; left -= 4, to += 4) {
            to[0] = *x;
            x += step;
            to[1] = *x;
            x += step;
            to[2] = *x;
            x += step;
            to[3] = *x;
            x += step;
        }
        for (; left > 0; left--, x += step) {
            *to++ = *x;
        }
    }
    return to;
}

// Moves runs of `size` bytes that lie anywhere.
static inline uint8_t *bytes_plane(
    uint8_t *to, const uint8_t *from, const int32_t *dims, size_t size) {
    const int32_t step = dims[3];
    for (int32_t i = 0; i < dims[0]; i++, from += dims[1]) {
        const uint8_t *x = from;
        for (int32_t j = dims[2]; j > 0; j--, x += step) {
            if (size >= SHORT) {
                tflm_move(to, x, size);
            } else {
                for (size_t k = 0; k < size; k++) {
                    to[k] = x[k];
                }
            }
            to += size;
        }
    }
    return to;
}

// What is the same in all dimensions.
typedef struct {
    size_t element;
    bool aligned;  // elements and all steps are words
} walk_t;

static uint8_t *plane(
    const walk_t *shape, uint8_t *to, const uint8_t *from, const int32_t *dims) {
    const size_t element = shape->element;
    if (shape->aligned) {
        if (element == WORD) {
            return words_plane(to, from, dims, WORD, WORD);
        }
        if (element == SHORT) {
            return words_plane(to, from, dims, SHORT, SHORT);
        }
        return element % SHORT == 0 ? words_plane(to, from, dims, element, SHORT)
                                    : words_plane(to, from, dims, element, WORD);
    }
    if (element == 1) {
        return single_plane(to, from, dims);
    }
    return element == 2 ? bytes_plane(to, from, dims, 2) : bytes_plane(to, from, dims, element);
}

static uint8_t *walk(
    const walk_t *shape, uint8_t *to, const uint8_t *from, const int32_t *dims, int32_t rank) {
    if (rank == 2) {
        return plane(shape, to, from, dims);
    }
    for (int32_t i = 0; i < dims[0]; i++, from += dims[1]) {
        to = walk(shape, to, from, dims + 2, rank - 1);
    }
    return to;
}

void tflm_gather(
    uint8_t *to, const uint8_t *from, size_t element, const int32_t *dims, int32_t rank) {
    uintptr_t bits = (uintptr_t)to | (uintptr_t)from | element;
    for (int32_t i = 0; i < rank; i++) {
        bits |= (uint32_t)dims[2 * i + 1];
    }
    walk(&(walk_t){element, bits % WORD == 0}, to, from, dims, rank);
}
