// The part of `_tflm` that plans the memory of models, and commits the plan. Included once, after
// binding.h, by modtflm.c. Python does without it.
#include "planning.h"

typedef struct {
    int32_t *items;
    size_t count;
} words_t;

static words_t get_array(mp_obj_t obj) {
    mp_buffer_info_t words;
    mp_get_buffer_raise(obj, &words, MP_BUFFER_WRITE);
    return (words_t) {words.buf, words.len / sizeof(int32_t)};
}

// Word `index` of words; there must be one.
static int32_t *word_of(words_t words, mp_int_t index) {
    if (index < 0 || (size_t)index >= words.count) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    return &words.items[index];
}

// Negative where it is too large, which tflm_plan() refuses.
static int32_t aligned(mp_int_t nbytes) {
    return (int32_t)(((uint32_t)nbytes + TFLM_ALIGNMENT - 1) & (uint32_t)-TFLM_ALIGNMENT);
}

enum { ABSENT = -1, NEVER = -1 };

typedef struct {
    size_t count;
    mp_obj_t *items;
} row_t;

static row_t get_row(mp_obj_t obj) {
    row_t row;
    mp_obj_get_array(obj, &row.count, &row.items);
    return row;
}

static bool is_among(row_t tensors, mp_int_t tensor) {
    for (size_t i = 0; i < tensors.count; i++) {
        if (get_int(tensors.items[i]) == tensor) {
            return true;
        }
    }
    return false;
}

typedef struct {
    words_t refs;
    words_t sizes;
    words_t scratch_offsets;
    row_t inputs;  // of the subgraph
    row_t outputs;
    bool keeps_inputs;
    int32_t *first;  // moments of use of each tensor, NEVER where nothing names it
    int32_t *last;
} plan_tensors_t;

// Returns how many tensors and scratch buffers are in the plan; sets them where there is room.
static size_t find_buffers(
    const plan_tensors_t *tensors, mp_obj_t *scratch, tflm_buffer_t *buffers) {
    size_t count = 0;
    for (size_t i = 0; i < tensors->refs.count; i++) {
        const int32_t nbytes = tensors->sizes.items[i];
        if (tensors->refs.items[i] == ABSENT && nbytes > 0 && tensors->last[i] != NEVER) {
            if (buffers) {
                buffers[count] = (tflm_buffer_t) {
                    aligned(nbytes), tensors->first[i], tensors->last[i], (int32_t)i};
            }
            count++;
        }
    }
    for (size_t i = 0; i < tensors->scratch_offsets.count; i++, count++) {
        if (buffers) {
            mp_obj_t *row;
            mp_obj_get_array_fixed_n(scratch[i], 3, &row);
            const int32_t moment = (int32_t)get_int(row[2]) + 1;
            buffers[count] = (tflm_buffer_t) {aligned(get_int(row[0])), moment, moment, -1};
        }
    }
    return count;
}

// The buffer of a tensor, or -1.
static int32_t buffer_of(const tflm_problem_t *problem, mp_int_t tensor) {
    for (int32_t i = 0; i < problem->count; i++) {
        if (problem->buffers[i].tensor == tensor) {
            return i;
        }
    }
    return -1;
}

// Sets *overlap to a row of MicroAllocator._overlaps; returns whether it is of use.
static bool get_overlap(const plan_tensors_t *tensors, const tflm_problem_t *problem,
    mp_obj_t row_in, tflm_overlap_t *overlap) {
    mp_obj_t *row;
    mp_obj_get_array_fixed_n(row_in, 5, &row);
    const int32_t moment = (int32_t)get_int(row[1]) + 1;
    const mp_int_t output = get_int(row[2]), data = get_int(row[3]);
    *overlap = (tflm_overlap_t) {
        buffer_of(problem, output), buffer_of(problem, data), (int32_t)get_int(row[4])};
    return output != data && overlap->output >= 0 && overlap->input >= 0
           && tensors->first[output] == moment && tensors->last[data] == moment
           && !is_among(tensors->outputs, data)
           && !(tensors->keeps_inputs && is_among(tensors->inputs, data))
           && overlap->gap < problem->buffers[overlap->output].size;
}

static void live(row_t indices, int32_t moment, size_t count, int32_t *moments) {
    for (size_t i = 0; i < indices.count; i++) {
        moments[get_index(indices.items[i], 0, count - 1, MP_ERROR_TEXT("words"))] = moment;
    }
}

// Sets first and last, as lifetime.py does for one subgraph.
static void find_lives(mp_obj_t buf, mp_obj_t first, mp_obj_t count, const plan_tensors_t *tensors) {
    const size_t tensor_count = tensors->refs.count;
    const tflm_operators_t operators = {.first = (int32_t)get_int(first),
        .count = (int32_t)get_int(count), .tensor_count = (int32_t)tensor_count};
    memset(tensors->first, 0xFF, tensor_count * sizeof(int32_t));  // NEVER
    memset(tensors->last, 0xFF, tensor_count * sizeof(int32_t));
    live(tensors->inputs, 0, tensor_count, tensors->first);
    live(tensors->inputs, 0, tensor_count, tensors->last);
    tflm_find_lives(get_flatbuffer(buf), &operators, tensors->first, tensors->last);
    live(tensors->outputs, operators.count, tensor_count, tensors->last);
    if (tensors->keeps_inputs) {
        live(tensors->inputs, operators.count, tensor_count, tensors->last);
    }
}

// Plans `count` buffers and sets all offsets. Returns the height, or -1, and then sets none.
static int32_t plan_buffers(
    const plan_tensors_t *tensors, mp_obj_t *scratch, row_t rows, size_t count) {
    const size_t each = sizeof(tflm_buffer_t) / sizeof(int32_t) + 1 + TFLM_PLAN_WORDS;
    const size_t words = count * each + 3 * rows.count + 1;
    int32_t *memory = m_new(int32_t, words);
    tflm_buffer_t *buffers = (tflm_buffer_t *)memory;
    tflm_overlap_t *overlaps = (tflm_overlap_t *)(buffers + count);
    int32_t *offsets = (int32_t *)(overlaps + rows.count);
    tflm_problem_t problem = {buffers, (int32_t)count, overlaps, 0};
    find_buffers(tensors, scratch, buffers);
    for (size_t i = 0; i < rows.count; i++) {
        tflm_overlap_t *next = &overlaps[problem.overlap_count];
        if (get_overlap(tensors, &problem, rows.items[i], next)
            && (problem.overlap_count == 0 || memcmp(next - 1, next, sizeof(*next)) != 0)) {
            problem.overlap_count++;  // a tensor may be both inputs of one node
        }
    }
    int32_t height = tflm_plan(&problem, offsets, offsets + count);
    if (height >= 0 && !tflm_check_plan(&problem, offsets, height)) {
        height = -1;  // which Python says why
    }
    for (size_t i = 0, scratch_at = 0; height >= 0 && i < count; i++) {
        if (buffers[i].tensor >= 0) {
            tensors->refs.items[buffers[i].tensor] = offsets[i] * 2 | TFLM_ARENA;
        } else {
            tensors->scratch_offsets.items[scratch_at++] = offsets[i];
        }
    }
    m_del(int32_t, memory, words);
    return height;
}

// plan((refs, sizes, scratch offsets), scratch, overlaps, (model, operators, count),
// (inputs, outputs, keeps inputs)): plans the one subgraph of a model without a plan of its own.
// Sets the tagged offsets in refs, and the offsets of scratch. Returns the height, or None where
// Python has to plan; then nothing is set. The lists are a MicroAllocator's.
static mp_obj_t plan(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    mp_obj_t *arrays, *places, *ends;
    const row_t scratch = get_row(args[1]);
    mp_obj_get_array_fixed_n(args[0], 3, &arrays);
    mp_obj_get_array_fixed_n(args[3], 3, &places);
    mp_obj_get_array_fixed_n(args[4], 3, &ends);
    plan_tensors_t tensors = {.refs = get_array(arrays[0]), .sizes = get_array(arrays[1]),
        .scratch_offsets = get_array(arrays[2]), .inputs = get_row(ends[0]),
        .outputs = get_row(ends[1]), .keeps_inputs = mp_obj_is_true(ends[2])};
    const size_t count = tensors.refs.count;
    if (tensors.sizes.count != count || tensors.scratch_offsets.count != scratch.count) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    tensors.first = m_new(int32_t, 2 * count + 1);
    tensors.last = tensors.first + count;
    find_lives(places[0], places[1], places[2], &tensors);
    const size_t buffers = find_buffers(&tensors, scratch.items, NULL);
    int32_t height = -1;
    if (buffers <= TFLM_MAX_BUFFERS) {
        height = plan_buffers(&tensors, scratch.items, get_row(args[2]), buffers);
    }
    m_del(int32_t, tensors.first, 2 * count + 1);
    return height < 0 ? mp_const_none : MP_OBJ_NEW_SMALL_INT(height);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(plan_obj, 5, 5, plan);

// The persistent buffer at `depth` of the tail, which is the end of a memory.
static uint8_t *tail_at(words_t tail, mp_int_t depth, size_t nbytes) {
    const size_t size = tail.count * sizeof(int32_t);
    if (depth < 0 || (size_t)depth > size || nbytes > (size_t)depth) {
        mp_raise_ValueError(MP_ERROR_TEXT("depth"));
    }
    return (uint8_t *)tail.items + (size - (size_t)depth);
}

// Turns the depths of variables into tagged offsets.
static void place_depths(words_t refs, mp_int_t end) {
    for (size_t i = 0; i < refs.count; i++) {
        if (refs.items[i] < ABSENT) {
            refs.items[i] = (int32_t)(end - ~refs.items[i]) * 2 | TFLM_ARENA;
        }
    }
}

// commit(tail, end, (depth, count), refs, resources, scratch): turns the handles in the parameters
// of count nodes, whose table is at that depth, into tagged offsets. end: the offset behind the
// tail; resources: refs of the model's resource variables; scratch: offsets. Returns count.
static mp_obj_t commit(size_t n_args, const mp_obj_t *args) {
    (void)n_args;
    enum { TENSOR, SCRATCH, RESOURCE, POSITION };  // kinds of handles, as in allocator.py
    mp_obj_t *table;
    const words_t tail = get_array(args[0]);
    const mp_int_t end = get_int(args[1]);
    mp_obj_get_array_fixed_n(args[2], 2, &table);
    const words_t refs[] = {get_array(args[3]), get_array(args[5]), get_array(args[4])};
    const size_t count = (size_t)get_int(table[1]);
    tflm_node_t *nodes =
        (tflm_node_t *)tail_at(tail, get_int(table[0]), count * sizeof(tflm_node_t));
    place_depths(refs[TENSOR], end);
    place_depths(refs[RESOURCE], end);
    for (size_t i = 0; i < count; i++) {
        if (nodes[i].kernel == TFLM_NO_KERNEL) {
            continue;
        }
        int32_t *words =
            (int32_t *)tail_at(tail, nodes[i].record, nodes[i].refs * sizeof(int32_t));
        for (size_t j = 0; j < nodes[i].refs; j++) {
            const int32_t handle = words[j], index = handle >> 2, kind = handle & 3;
            if (handle == ABSENT) {
                continue;
            }
            if (kind == POSITION) {
                words[j] = index * 2 | TFLM_MODEL;
            } else {
                const int32_t found = *word_of(refs[kind], index);
                words[j] = kind == SCRATCH ? found * 2 | TFLM_ARENA : found;
            }
        }
        nodes[i].record = (int32_t)(end - nodes[i].record) * 2 | TFLM_ARENA;
    }
    return table[1];
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(commit_obj, 6, 6, commit);
