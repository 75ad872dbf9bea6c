// A plugin of QEMU (API version 1) that tells what a board ran between two marks: which blocks of
// instructions, how often, how often each was left by a jump, and what was read of the model.
//
//     -plugin blocks.so,out=FILE,mark=ADDRESS,start=ADDRESS,end=ADDRESS[,art=1][,cold=1]
//
// mark        of a function; each call of it ends one part of the report and begins the next
// start, end  where the model lies
// art         count the caches of an STM32F4, too
// cold        let each part begin with empty caches
//
// A part is one line "block <instructions as hexadecimal bytes> <count> <taken>" for each block
// that ran, or beginning of one, then "flash" and the numbers
//
//     <bytes read of the model> <lines that an RP2040's cache missed: of data> <of code>
//     <lines that an STM32F4's caches missed: of data> <of code, after jumps> <cycles of prefetches>
//
// flash.h has the caches. Flash is the memory below the RAM, with the program's code and constants,
// and the model.
// Debian has no header of the interface, so what is used of it is declared here.

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flash.h"

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_t;
typedef struct qemu_plugin_tb tb_t;
typedef struct qemu_plugin_insn insn_t;
typedef uint32_t memory_t;
enum { NO_REGISTERS = 0, READS_AND_WRITES = 3, ADD = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_t, void (*)(plugin_t, tb_t *));
void qemu_plugin_register_vcpu_tb_exec_cb(tb_t *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_insn_exec_cb(insn_t *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_insn_exec_inline(insn_t *, int, void *, uint64_t);
void qemu_plugin_register_vcpu_mem_cb(
    insn_t *, void (*)(unsigned, memory_t, uint64_t, void *), int, int, void *);
void qemu_plugin_register_atexit_cb(plugin_t, void (*)(plugin_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const tb_t *);
insn_t *qemu_plugin_tb_get_insn(const tb_t *, size_t);
const void *qemu_plugin_insn_data(const insn_t *);
uint64_t qemu_plugin_insn_vaddr(const insn_t *);
unsigned qemu_plugin_mem_size_shift(memory_t);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_t id, const void *info, int argc, char **argv);

enum { BUCKETS = 1 << 16, BLOCK_BYTES = 4096, BLOCK_INSNS = BLOCK_BYTES / 2 };

// QEMU leaves a block at an access to a peripheral and goes on behind it in another one, so each
// instruction is counted by itself.
typedef struct {
    uint64_t count;
    size_t end;  // of the instruction, in the block's bytes
} place_t;

typedef struct block {
    uint64_t start, end, taken;
    uint64_t whole;  // count of the last place when the block began last
    size_t size, length;
    uint8_t *bytes;
    place_t *places;
    unsigned char *lines;  // cycles of instructions in each line of an STM32F4's flash
    struct block *next;
} block_t;

static block_t *blocks[BUCKETS];
static block_t *last;
static FILE *out;
static uint64_t mark, model_start, model_end;
static uint64_t model_bytes, missed_data, missed_code;
static xip_t xip;
static art_t art;
static bool has_art, is_cold;

// Flash

static const uint64_t RAM = 0x10000000;  // where the first one begins, of all boards

static bool in_model(uint64_t address) {
    return model_start <= address && address < model_end;
}

static void use_memory(unsigned core, memory_t what, uint64_t address, void *user) {
    (void)core, (void)user;
    const uint64_t size = UINT64_C(1) << qemu_plugin_mem_size_shift(what);
    if (in_model(address)) {
        model_bytes += size;
    } else if (address >= RAM) {
        return;
    }
    missed_data += xip_read(&xip, address, address + size);
    if (has_art) {
        art_read(&art, address, address + size);
    }
}

// Blocks

static void ran(unsigned core, void *user) {
    (void)core;
    block_t *block = user;
    const bool is_jump = last == NULL || last->end != block->start;
    if (last != NULL && is_jump) {
        last->taken += last->places[last->length - 1].count != last->whole;
    }
    block->whole = block->places[block->length - 1].count;
    last = block;
    if (block->start < RAM) {
        missed_code += xip_read(&xip, block->start, block->end);
        if (has_art) {
            art_run(&art, block->start, block->end, block->lines, is_jump);
        }
    }
}

// What ran up to a place and no further is a beginning, as often as its count exceeds the next's.
static void report_block(block_t *block) {
    for (size_t i = 0; i < block->length; i++) {
        const bool is_last = i + 1 == block->length;
        const place_t *place = &block->places[i];
        const uint64_t count = place->count - (is_last ? 0 : place[1].count);
        if (count != 0) {
            fprintf(out, "block ");
            for (size_t k = 0; k < place->end; k++) {
                fprintf(out, "%02x", block->bytes[k]);
            }
            fprintf(out, " %" PRIu64 " %" PRIu64 "\n", count, is_last ? block->taken : 0);
        }
    }
    for (size_t i = 0; i < block->length; i++) {
        block->places[i].count = 0;
    }
    block->taken = block->whole = 0;
}

static void report(unsigned core, void *user) {
    (void)core, (void)user;
    for (size_t i = 0; i < BUCKETS; i++) {
        for (block_t *block = blocks[i]; block != NULL; block = block->next) {
            report_block(block);
        }
    }
    const uint64_t values[] = {
        model_bytes, missed_data, missed_code, art.missed, art.jumps, art.late};
    fprintf(out, "flash");
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        fprintf(out, " %" PRIu64, values[i]);
    }
    fprintf(out, "\n");
    fflush(out);
    model_bytes = missed_data = missed_code = art.missed = art.jumps = art.late = 0;
    if (is_cold) {
        memset(&xip, 0, sizeof(xip));
        memset(&art, 0, sizeof(art));
    }
}

static void add_cycles(
    unsigned char *lines, uint64_t start, const uint8_t *bytes, const place_t *places, size_t length) {
    bool is_after_load = false;
    for (size_t i = 0, at = 0; i < length; at = places[i++].end) {
        const uint8_t *code = bytes + at;
        const bool is_wide = places[i].end - at == 4;
        const unsigned first = code[0] | (unsigned)code[1] << 8;
        const unsigned second = is_wide ? code[2] | (unsigned)code[3] << 8 : 0;
        lines[(start + at) / ART_LINE - start / ART_LINE] +=
            (unsigned char)least_cycles(first, second, is_wide, is_after_load);
        is_after_load = is_load(first, is_wide);
    }
}

// Code in RAM changes: a block is known by its place and its bytes.
static block_t *find_block(
    uint64_t start, const uint8_t *bytes, const place_t *places, size_t length) {
    const size_t size = places[length - 1].end;
    block_t **slot = &blocks[start / 2 % BUCKETS];
    for (block_t *block = *slot; block != NULL; block = block->next) {
        if (block->start == start && block->size == size && block->length == length
            && memcmp(block->bytes, bytes, size) == 0) {
            return block;
        }
    }
    block_t *block = calloc(1, sizeof(*block));
    uint8_t *copy = malloc(size);
    place_t *copied = malloc(length * sizeof(*places));
    unsigned char *lines = calloc(size / ART_LINE + 2, 1);
    if (block == NULL || copy == NULL || copied == NULL || lines == NULL) {
        abort();
    }
    memcpy(copy, bytes, size);
    memcpy(copied, places, length * sizeof(*places));
    add_cycles(lines, start, bytes, places, length);
    *block = (block_t) {start, start + size, 0, 0, size, length, copy, copied, lines, *slot};
    *slot = block;
    return block;
}

// Returns the bytes of the Thumb instruction at *code*. QEMU's own size of the last one of a page
// may count the next instruction's first half, too.
static size_t size_of(const uint8_t *code) {
    return code[1] >> 3 >= 29 ? 4 : 2;
}

static void translated(plugin_t id, tb_t *tb) {
    (void)id;
    static uint8_t bytes[BLOCK_BYTES];
    static place_t places[BLOCK_INSNS];
    size_t size = 0;
    const size_t count = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < count; i++) {
        insn_t *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint8_t *code = qemu_plugin_insn_data(insn);
        if (i == BLOCK_INSNS || size + size_of(code) > BLOCK_BYTES) {
            abort();
        }
        memcpy(bytes + size, code, size_of(code));
        size += size_of(code);
        places[i] = (place_t) {0, size};
        qemu_plugin_register_vcpu_mem_cb(insn, use_memory, NO_REGISTERS, READS_AND_WRITES, NULL);
        if (qemu_plugin_insn_vaddr(insn) == mark) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, report, NO_REGISTERS, NULL);
        }
    }
    const uint64_t start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    block_t *block = find_block(start, bytes, places, count);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, ran, NO_REGISTERS, block);
    for (size_t i = 0; i < count; i++) {
        insn_t *insn = qemu_plugin_tb_get_insn(tb, i);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD, &block->places[i].count, 1);
    }
}

static void end(plugin_t id, void *user) {
    (void)id, (void)user;
    fclose(out);
}

// Returns the value of *text*, which is "name=value"; NULL where it has another name.
static const char *value_of(const char *text, const char *name) {
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

int qemu_plugin_install(plugin_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        const char *value;
        if ((value = value_of(argv[i], "out")) != NULL) {
            out = fopen(value, "w");
        } else if ((value = value_of(argv[i], "mark")) != NULL) {
            mark = strtoull(value, NULL, 0);
        } else if ((value = value_of(argv[i], "start")) != NULL) {
            model_start = strtoull(value, NULL, 0);
        } else if ((value = value_of(argv[i], "end")) != NULL) {
            model_end = strtoull(value, NULL, 0);
        } else if ((value = value_of(argv[i], "art")) != NULL) {
            has_art = true;
        } else if ((value = value_of(argv[i], "cold")) != NULL) {
            is_cold = true;
        }
    }
    if (out == NULL || mark == 0) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, end, NULL);
    return 0;
}
