// Caches before a chip's flash, and what they miss of the lines that a program reads: for blocks.c.
//
// xip_t  of an RP2040 or RP2350: 16 KB, 2 ways, lines of 8 bytes, for code and data
// art_t  of an STM32F4 (RM0090, 3.5.2): 64 lines of 16 bytes for code, 8 of them for data, and a
//        prefetch of the line behind the one that runs

#ifndef TFLM_MEASURE_FLASH_H
#define TFLM_MEASURE_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { XIP_LINE = 8, XIP_WAYS = 2, XIP_SETS = 16 * 1024 / (XIP_LINE * XIP_WAYS) };

typedef struct {
    uint64_t lines[XIP_SETS][XIP_WAYS];  // each plus 1; the one used last comes first
} xip_t;

// Reads from *start* up to *end*; returns how many lines were missed.
static inline uint64_t xip_read(xip_t *xip, uint64_t start, uint64_t end) {
    uint64_t missed = 0;
    for (uint64_t line = start / XIP_LINE + 1; line <= (end - 1) / XIP_LINE + 1; line++) {
        uint64_t *set = xip->lines[line % XIP_SETS];
        if (set[0] != line) {
            missed += set[1] != line;
            set[1] = set[0];
            set[0] = line;
        }
    }
    return missed;
}

enum { ART_LINE = 16, ART_CODE = 64, ART_DATA = 8, ART_WAITS = 5, LRU_HINTS = 1024 };

// A cache of *size* lines, the one that was not used for the longest time is replaced.
typedef struct {
    uint64_t lines[ART_CODE], used[ART_CODE], now;  // lines: each plus 1
    unsigned char hints[LRU_HINTS];  // where a line was last, which its own place confirms
} lru_t;

// Returns whether *line* was there; it is the one used last, then.
static inline bool lru_use(lru_t *lru, size_t size, uint64_t line) {
    unsigned char *hint = &lru->hints[line % LRU_HINTS];
    size_t place = *hint;
    bool is_there = lru->lines[place] == line + 1;
    for (size_t i = 0, oldest = 0; !is_there && i < size; i++) {
        is_there = lru->lines[i] == line + 1;
        oldest = lru->used[i] < lru->used[oldest] ? i : oldest;
        place = is_there ? i : oldest;
    }
    lru->lines[place] = line + 1;
    lru->used[place] = ++lru->now;
    *hint = (unsigned char)place;
    return is_there;
}

typedef struct {
    lru_t code, data;
    uint64_t current;  // line that runs, plus 1
    uint64_t ran;  // cycles since it began
    uint64_t missed;  // lines of data
    uint64_t jumps;  // to lines that were missed
    uint64_t late;  // cycles that the core waits for lines that are prefetched
} art_t;

static inline void art_read(art_t *art, uint64_t start, uint64_t end) {
    for (uint64_t line = start / ART_LINE; line <= (end - 1) / ART_LINE; line++) {
        art->missed += !lru_use(&art->data, ART_DATA, line);
    }
}

// Runs what begins at *start*: *cycles* has those of the instructions in each line up to *end*.
// The prefetch of a line starts with the line before, and lasts for ART_WAITS + 1 cycles.
static inline void art_run(
    art_t *art, uint64_t start, uint64_t end, const unsigned char *cycles, bool is_jump) {
    for (uint64_t line = start / ART_LINE; line <= (end - 1) / ART_LINE; line++, cycles++) {
        if (art->current != line + 1) {
            if (!lru_use(&art->code, ART_CODE, line)) {
                if (is_jump) {
                    art->jumps++;
                } else {
                    const uint64_t ran = art->ran > 0 ? art->ran : 1;
                    art->late += ran <= ART_WAITS ? ART_WAITS + 1 - ran : 0;
                }
            }
            art->current = line + 1;
            art->ran = 0;
        }
        art->ran += *cycles;
        is_jump = false;
    }
}

static inline unsigned bits_of(unsigned value) {
    unsigned count = 0;
    for (; value != 0; value &= value - 1) {
        count++;
    }
    return count;
}

// Tells whether a Thumb instruction, which begins with *first*, loads one register.
static inline bool is_load(unsigned first, bool is_wide) {
    if (is_wide) {
        return ((first >> 9) == 0x7c && (first & 0x10) != 0) || (first & 0xff30) == 0xed10;
    }
    const unsigned kind = first >> 11;
    return kind == 0x09 || kind == 0x0d || kind == 0x0f || kind == 0x11 || kind == 0x13
        || ((first >> 12) == 5 && (first >> 9 & 7) >= 3);
}

// Returns the least cycles of a Thumb instruction on a Cortex-M4: those of cycles.py, but without
// those of divisions, floats, jumps and the index of a store.
static inline unsigned least_cycles(
    unsigned first, unsigned second, bool is_wide, bool is_after_load) {
    if (is_load(first, is_wide)) {
        return is_after_load ? 1 : 2;
    }
    if (is_wide && (first >> 9) == 0x74) {  // LDM, STM; LDRD, STRD, TBB
        return (first & 0x40) == 0 ? 1 + bits_of(second) : (first & 0xfff0) == 0xe8d0 ? 2 : 3;
    }
    if (!is_wide && ((first >> 12) == 0xc || (first & 0xf600) == 0xb400)) {  // PUSH, POP, too
        return 1 + bits_of(first & ((first >> 12) == 0xc ? 0xff : 0x1ff));
    }
    return 1;
}

#endif
