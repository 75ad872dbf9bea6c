// The second fence: loading checks places and numbers in a prepared model, because its checksum finds
// accidents only. Every table and all operator parameters lie in the file, on a word. A node has a
// kernel that the snapshot names in the form of this build, with its number of tagged offsets. A tagged
// offset begins inside its space. Sizes among the parameters are not checked: this file does not know
// how far a kernel reads from there.
#include "fence.h"

#include <stdbool.h>

#include "dispatch.h"
#include "groups_record.h"

#include "generated/shapes.h"

enum { WORD = sizeof(int32_t), MAX_BYTES = 1 << 28 };

// The tables that the header of a snapshot names: mp_modules/tflm/run/prepared.py.
enum { NODES, TENSORS, VARIABLES, SCRATCH, KERNELS, TABLES };
static const uint8_t row_words[TABLES] = {2, 1, 4, 4, 2};

typedef struct {
    int32_t magic, checksum, layout, isa[4], file, arena;
    struct {
        int32_t count, place;
    } tables[TABLES];
    int32_t options;
} header_t;
enum { DIVIDED = 29 };  // bit of `options`: the bytes in a second memory follow
_Static_assert(sizeof(header_t) == 80, "HEADER of prepared.py");

typedef struct {
    int32_t offset, bytes, fill, is_resource;
} variable_t;

typedef struct {
    int32_t number, form;
} kernel_t;

typedef struct {
    const int32_t *words;             // of the file
    uint32_t sizes[TFLM_SPACES + 1];  // in bytes, of each space; the last is none
    const void *parameters_end;  // no node's parameters go further: see `copied_bytes` of prepared.py
    uint32_t kernels[(TFLM_KERNEL_COUNT + 31) / 32];  // a bit for each that the snapshot names
} fence_t;

// Returns the `count` words from that byte of the file on; NULL where they leave it.
static const void *words_at(const fence_t *fence, int32_t place, uint32_t count) {
    const uint32_t at = (uint32_t)place, size = fence->sizes[TFLM_MODEL];
    const bool is_there = at % WORD == 0 && at <= size && count <= (size - at) / WORD;
    return is_there ? fence->words + at / WORD : NULL;
}

// The same for words of a node's parameters.
static const int32_t *parameters_at(const fence_t *fence, int32_t place, uint32_t count) {
    const int32_t *words = words_at(fence, place, count);
    return words != NULL && (const void *)(words + count) <= fence->parameters_end ? words : NULL;
}

// Returns how many bytes the space has from a tagged offset on, which may be any number.
static inline __attribute__((always_inline)) uint32_t room_at(const fence_t *fence, int32_t ref) {
    const uint32_t size = fence->sizes[tflm_space((uint32_t)ref)];
    const uint32_t at = (uint32_t)tflm_offset((uint32_t)ref);
    return at < size ? size - at : 0;
}

static inline __attribute__((always_inline)) bool is_inside(const fence_t *fence, int32_t ref) {
    return (ref & 2 * (WORD - 1)) == 0 && room_at(fence, ref) > 0;
}

// Returns the operator parameters of a node, at least `words` words, or NULL if they are not sound.
// Tagged offsets whose bits are in `given` may be absent.
static const int32_t *record_of(
    const fence_t *fence, const tflm_node_t *node, uint32_t words, uint32_t given) {
    const uint32_t kernel = node->kernel, refs = node->refs;
    if (kernel >= TFLM_KERNEL_COUNT || (fence->kernels[kernel / 32] >> kernel % 32 & 1) == 0) {
        return NULL;
    }
    const uint32_t shape = shapes[kernel], count = TFLM_SHAPE_REFS(shape);
    const uint32_t least = refs + TFLM_SHAPE_WORDS(shape);
    const int32_t *record = (node->record & 1) == TFLM_MODEL
        ? parameters_at(fence, node->record >> 1, least)
        : NULL;
    if (record == NULL || (count == 0 ? refs == 0 : refs != count)
        || words_at(fence, node->record >> 1, words) == NULL) {
        return NULL;
    }
    uint32_t absent = 0;
    for (const int32_t *ref = record, *end = record + refs; ref < end; ref++) {
        if (!is_inside(fence, *ref)) {
            if (*ref >= 0) {
                return NULL;
            }
            absent |= 1u << (ref - record) % 32;
        }
    }
    absent &= ~given;
    // What a kernel has no constants for, it computes in its scratch.
    const bool has_neither = (absent & TFLM_SHAPE_EITHER) == TFLM_SHAPE_EITHER;
    return (absent & ~TFLM_SHAPE_OPTIONAL(shape)) != 0 || has_neither ? NULL : record;
}

typedef struct {
    const fence_t *fence;
    const tflm_rows_t *tensors;
    const child_t *children;
    uint32_t tensor_count;
    int32_t child_count;
} group_t;

// Whether a child reads a tensor of the group that is there before it, or an earlier child makes.
static bool is_input(const group_t *group, int32_t child, uint32_t tensor) {
    return tensor < group->tensor_count && group->tensors[tensor].maker < child;
}

static bool are_inputs(
    const group_t *group, int32_t child, const int32_t *tensors, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!is_input(group, child, (uint32_t)tensors[i])) {
            return false;
        }
    }
    return true;
}

// Whether a child's numbers of inputs, in its parameters, are sound.
static bool has_listed(const group_t *group, int32_t number, const int32_t *params) {
    const child_t *child = &group->children[number];
    const tflm_concatenation_t *beside = (const void *)params;
    const tflm_rows_stack_t *stack = (const void *)params;
    const int32_t room = child->words - child->node.refs - 2;
    if (child->node.kernel == TFLM_CONCATENATION) {
        const int32_t count = beside->count;
        return child->way == BESIDE && count > 0 && count < child->node.refs
               && 2 * count <= room && are_inputs(group, number, beside->sizes + count, count);
    }
    return child->node.kernel == TFLM_ROWS_STACK && child->extent == STACK
           && child->height_at == 0 && child->inputs_at[0] < child->words && stack->count > 0
           && stack->count <= room && are_inputs(group, number, stack->tensors, stack->count);
}

static bool is_child(const group_t *group, int32_t number) {
    const child_t *child = &group->children[number];
    const bool is_listed = child->inputs[0] == NONE;
    uint32_t given = is_listed ? ~0u : 1u << child->output_at % 32;
    for (uint32_t i = 0; i < INPUTS && child->inputs[i] != NONE; i++) {
        given |= 1u << child->inputs_at[i] % 32;
        if (child->inputs_at[i] >= child->words || !is_input(group, number, child->inputs[i])) {
            return false;
        }
    }
    for (const uint8_t *at = &child->is_last; at <= &child->count_at; at++) {
        if (*at >= child->words) {
            return false;
        }
    }
    if (child->output_at >= child->words || child->words > CHILD_WORDS
        || child->node.kernel == TFLM_ROW_GROUP || child->output >= group->tensor_count
        || group->tensors[child->output].maker != number || child->strip <= 0
        || child->shift >= 32) {
        return false;
    }
    const uint32_t words = (child->words + PIECE - 1u) & -(uint32_t)PIECE;
    const int32_t *record = record_of(group->fence, &child->node, words, given);
    return record != NULL
           && (!is_listed || has_listed(group, number, record + child->node.refs));
}

// Whether the numbers of tensors and children, and the indices of parameters, are sound for groups.c.
static bool is_group(
    const fence_t *fence, const tflm_node_t *node, const int32_t *record, int32_t index) {
    const tflm_row_group_t *params = (const void *)(record + node->refs);
    const uint32_t tensors = node->refs - 1u;
    const int32_t children = params->children, state = record[tensors];
    if (children == 0) {
        return true;
    }
    group_t group = {fence, (const void *)params->parts,
        (const void *)((const tflm_rows_t *)(const void *)params->parts + tensors), tensors,
        children};
    const uint32_t words = node->refs + 1u + tensors * (sizeof(tflm_rows_t) / WORD);
    if (children < 0 || children > index + 1
        || parameters_at(fence, node->record >> 1,
               words + (uint32_t)children * (sizeof(child_t) / WORD)) == NULL
        || (state & 1) != TFLM_ARENA || !is_inside(fence, state)
        || room_at(fence, state) < WORD * (1 + 2 * tensors)) {
        return false;
    }
    for (uint32_t i = 0; i < tensors; i++) {
        const tflm_rows_t *tensor = &group.tensors[i];
        if (!is_inside(fence, record[i]) || tensor->maker < TFLM_FED || tensor->maker >= children
            || (tensor->maker >= 0 && group.children[tensor->maker].output != i)
            || tensor->last_reader >= children) {
            return false;
        }
    }
    int32_t sound = 0;
    while (sound < children && is_child(&group, sound)) {
        sound++;
    }
    return sound == children;
}

static bool are_variables(const fence_t *fence, const variable_t *row, int32_t count) {
    for (; count > 0; count--, row++) {
        const uint32_t offset = (uint32_t)row->offset;
        const uint32_t size = fence->sizes[offset & TFLM_TAIL_OFFSET ? TFLM_TAIL : TFLM_ARENA];
        const uint32_t at = offset & ~(uint32_t)TFLM_TAIL_OFFSET;
        if (at > size || (uint32_t)row->bytes > size - at) {
            return false;
        }
    }
    return true;
}

// Sets the bits of the kernels that the snapshot names; false where this build has others.
static bool note_kernels(fence_t *fence, const kernel_t *row, int32_t count) {
    for (; count > 0; count--, row++) {
        const int32_t form = tflm_form(row->number);
        if (form == 0 || form != row->form) {
            return false;
        }
        fence->kernels[(uint32_t)row->number / 32] |= 1u << (uint32_t)row->number % 32;
    }
    return true;
}

int32_t tflm_fence(const uint8_t *file, size_t size, int32_t place) {
    fence_t fence = {(const void *)file, {0, (uint32_t)size, 0, 0}, file + size, {0}};
    const header_t *header = words_at(&fence, place, sizeof(header_t) / WORD);
    const void *tables[TABLES];
    if ((uintptr_t)file % WORD != 0 || header == NULL || (uint32_t)header->arena >= MAX_BYTES) {
        return TFLM_FENCE_TABLES;
    }
    fence.sizes[TFLM_ARENA] = (uint32_t)header->arena;
    if ((header->options >> DIVIDED & 1) != 0) {
        const uint32_t *second = words_at(&fence, place + (int32_t)sizeof(header_t), 2);
        if (second == NULL || *second >= MAX_BYTES) {
            return TFLM_FENCE_TABLES;
        }
        fence.sizes[TFLM_TAIL] = *second;
    }
    for (int32_t i = 0; i < TABLES; i++) {
        const uint32_t count = (uint32_t)header->tables[i].count;
        tables[i] = words_at(&fence, header->tables[i].place, count * row_words[i]);
        if (count >= MAX_BYTES / WORD || tables[i] == NULL) {
            return TFLM_FENCE_TABLES;
        }
    }
    if (header->options < 0) {  // loading copies what lies before the tensors' table
        fence.parameters_end = tables[TENSORS];
    }
    if (!are_variables(&fence, tables[VARIABLES], header->tables[VARIABLES].count)) {
        return TFLM_FENCE_TABLES;
    }
    if (!note_kernels(&fence, tables[KERNELS], header->tables[KERNELS].count)) {
        return TFLM_FENCE_KERNELS;
    }
    const tflm_node_t *nodes = tables[NODES];
    for (int32_t i = 0; i < header->tables[NODES].count; i++) {
        const tflm_node_t *node = &nodes[i];
        if (node->kernel == TFLM_NO_KERNEL) {  // control flow, which Python runs
            continue;
        }
        const bool is_row_group = node->kernel == TFLM_ROW_GROUP;
        const int32_t *record = record_of(&fence, node, 0, is_row_group ? ~0u : 0);
        if (record == NULL || (is_row_group && !is_group(&fence, node, record, i))) {
            return i + 1;
        }
    }
    return TFLM_FENCE_SOUND;
}
