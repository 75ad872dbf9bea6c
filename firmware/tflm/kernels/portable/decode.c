// TFLM_DECODE: tensors that lie compressed in the model.
// Source: tensorflow/lite/micro/kernels/decode_state_lut.cc, _prune.cc and _huffman.cc.
//
// Bits are packed from the highest of each byte on. What poor data do not hold is zeros.
#include "generated/layout.h"
#include "../common/load.h"

enum { TABLE, WORDS, PRUNED, LONG_WORDS };  // see ops/decode.py

enum { HEADER = 16 };

typedef struct {
    int32_t kind, bits, elements, size, nbytes, table, run, channels, stride, zeros;
} part_t;

enum { FIELDS = sizeof(part_t) / sizeof(int32_t) };

// Writes an element, of size bytes.
static inline void put(uint8_t *to, const uint8_t *from, int32_t size) {
    for (int32_t k = 0; k < size; k++) {
        to[k] = from[k];
    }
}

// Writes a number as an element.
static inline void put_number(uint8_t *to, int32_t number, int32_t size) {
    for (int32_t k = 0; k < size; k++, number >>= 8) {
        to[k] = (uint8_t)number;
    }
}

// Channels take turns, each with `run` elements.
static inline int32_t next_channel(const part_t *part, int32_t channel, int32_t *left) {
    if (--*left > 0) {
        return channel;
    }
    *left = part->run;
    return channel + 1 < part->channels ? channel + 1 : 0;
}

// Where *pruned*, an index says whether the next entry of the table or a zero point follows.
static void look_up(const part_t *part, const int32_t *zeros, const uint8_t *encoded,
    const uint8_t *table, uint8_t *output) {
    const int32_t bits = part->bits, mask = (1 << bits) - 1, size = part->size;
    uint32_t held = 0;
    int32_t count = 0, channel = 0, left = part->run, taken = 0;
    for (int32_t i = 0; i < part->elements; i++, output += size) {
        if (count < bits) {
            held = held << 8 | *encoded++;
            count += 8;
        }
        count -= bits;
        const int32_t index = (int32_t)(held >> count) & mask;
        const int32_t at = part->kind == PRUNED ? taken : channel * part->stride + index;
        const int is_zero = part->kind == PRUNED && index == 0;
        taken += index;
        if (is_zero || at >= part->table) {
            put_number(output, is_zero ? zeros[part->zeros > 1 ? channel : 0] : 0, size);
        } else if (size == 1) {
            *output = table[at];
        } else {
            put(output, table + at * size, size);
        }
        channel = next_channel(part, channel, &left);
    }
}

// The next `count` bits, 1 to 16, from bit `at` on; zeros behind the end.
static uint32_t next_bits(const part_t *part, const uint8_t *encoded, int32_t at, int32_t count) {
    uint32_t held = 0;
    const int32_t first = at >> 3;
    for (int32_t k = first; k < first + 3; k++) {
        held = held << 8 | (k < part->nbytes ? encoded[k] : 0);
    }
    return held >> (24 - (at & 7) - count) & ((1u << count) - 1);
}

// An entry says that a symbol is found, how many bits it takes of the last look-up, and the symbol;
// or how many bits to look up next, less 1, and how far the entries for them are.
static void decode_words(const part_t *part, const uint8_t *encoded, const uint8_t *table,
    uint8_t *output) {
    const int is_long = part->kind == LONG_WORDS;
    const int32_t shift = is_long ? 27 : 11, size = part->size;
    const int64_t bits = (int64_t)part->nbytes * 8;
    int32_t at = 0;
    for (int32_t i = 0; i < part->elements; i++, output += size) {
        int32_t width = part->bits, place = 0;
        uint32_t entry = 0;
        for (int is_found = 0; !is_found;) {
            place += (int32_t)next_bits(part, encoded, at, width);
            if (place < 0 || place >= part->table || at >= bits) {
                entry = 0;
                break;
            }
            at += width;
            entry = is_long ? (uint32_t)tflm_load32(table + 4 * place)
                            : (uint16_t)tflm_load16(table + 2 * place);
            const int32_t count = (int32_t)(entry >> shift & 15);
            is_found = (int)(entry >> (shift + 4) & 1);
            if (is_found) {
                at -= width > count ? width - count : 0;
            } else {
                width = count + 1;
                place += (int32_t)(entry & ((1u << shift) - 1));
            }
        }
        put_number(output, (int32_t)entry, size);
    }
}

// encoded  of the first output
// rest     its ancillary data: 16 bytes, then the table; both of the other outputs; the outputs
void tflm_decode(
    const tflm_decode_t *params, const uint8_t *encoded, const tflm_args_t *rest) {
    const int32_t *words = params->parts;
    const int32_t count = params->count;
    for (int32_t i = 0; i < count; i++) {
        const part_t *part = (const part_t *)(const void *)words;
        const uint8_t *data = i == 0 ? encoded : tflm_output(rest, 2 * i - 1);
        const uint8_t *table = (const uint8_t *)tflm_output(rest, 2 * i) + HEADER;
        uint8_t *output = tflm_output(rest, 2 * count - 1 + i);
        if (part->kind == TABLE || part->kind == PRUNED) {
            look_up(part, words + FIELDS, data, table, output);
        } else {
            decode_words(part, data, table, output);
        }
        words += FIELDS + part->zeros;
    }
}
