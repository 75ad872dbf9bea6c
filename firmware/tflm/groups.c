// Layers row by row: a group of nodes that makes the rows of its last tensor one strip after the
// other, and of every tensor before it as soon as they are asked for. Between two layers only the
// rows lie that are still needed: when the next ones do not fit, those move to the front.
//
// A call makes few strips, so that there are moments in between: see slices.c. What it decides
// depends on the rows made so far alone. tflm_host/prepare/groups.py acts the same decisions out
// on a PC, which gives the capacities and the distances of the memory plan.
#include "groups.h"
#include "dispatch.h"
#include "kernels/bytes.h"

enum {
    WORDS = 48,  // of the longest record of a child
    PIECE = 8,   // words that are copied at once; behind the last record there are as many
    INPUTS = 2,
    NONE = 255,  // no tensor
    STACK = 0,   // extent of a child whose inputs lie below each other: tflm_rows_stack_t has them
    BESIDE = 1,  // way of a child with many inputs: behind the sizes of tflm_concatenation_t
    ONWARD = 2,  // way of a child whose word at pad_at grows with the row: see make()
    STRIPS = 8,  // in one call
    DEPTH = 16,  // of a path that is not walked anew for each strip
};

// A node of the group. Its record names what no call changes; the words at these positions are
// set anew: where no position is 0, as that is a ref.
typedef struct {
    tflm_node_t node;
    uint8_t words;  // of the record
    uint8_t output, inputs[INPUTS];  // numbers of tensors
    uint8_t output_at, inputs_at[INPUTS];  // their refs
    uint8_t is_last;  // whether others than the group's children want the output
    uint8_t height_at, outputs_at, pad_at;  // of an image: rows of input and output, padding above
    uint8_t count_at;  // of rows of elements: how many these are; pad_at: how many came before
    int32_t count;     // in a row
    int32_t strip;     // rows of the output that one call makes; 1 of a stack
    // Row y reads the input's rows from (y * stride - pad) >> shift on, and none from
    // (y * stride - pad + extent) >> shift on.
    int32_t stride, pad;
    int16_t extent;
    uint8_t shift, way;
} child_t;
_Static_assert(sizeof(child_t) == 10 * sizeof(int32_t), "prepare/group_record.py writes it");

// What is known of a tensor while the group runs.
typedef struct {
    int32_t first;  // the row at the start of its place
    int32_t made;   // rows
} rows_t;

typedef struct {
    const tflm_rows_t *tensors;
    const child_t *children;
    const tflm_args_t *places;
    rows_t *rows;
    int32_t count;  // of children
} group_t;

// A child, and how many rows it has to make at once.
typedef struct {
    const child_t *child;
    int32_t strip;
} asked_t;

typedef struct {
    int32_t words[PIECE];
} piece_t;

// An input of a stack, and the row of the output that it begins with.
typedef struct {
    int32_t number, first;
} layer_t;

static inline int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Returns the last child up to number i that is not done and whose rows are wanted; -1: none.
static int32_t goal_from(const group_t *group, int32_t i) {
    for (; i >= 0; i--) {
        const child_t *child = &group->children[i];
        if (child->is_last
            && group->rows[child->output].made < group->tensors[child->output].height) {
            break;
        }
    }
    return i;
}

// Returns where the rows begin that row y reads, in parts of a row of the input.
static inline int32_t place_of(const child_t *child, int32_t y) {
    return y * child->stride - child->pad;
}

// Returns behind which row of the input row y reads none.
static inline int32_t end_of(const child_t *child, int32_t y) {
    return (place_of(child, y) + child->extent) >> child->shift;
}

static int32_t strip_of(const group_t *group, const child_t *child) {
    const int32_t output = child->output;
    return smaller(child->strip, group->tensors[output].height - group->rows[output].made);
}

// Returns how many of the rows that are wanted come first: those that fill no strip, so that those
// behind them do.
static int32_t part_of(int32_t wanted, int32_t strip) {
    while (wanted > strip) {
        wanted -= strip;
    }
    return wanted;
}

static const tflm_rows_stack_t *stack_of(const group_t *group, const child_t *child) {
    const int32_t *record = tflm_at(group->places->spaces, child->node.record);
    return (const void *)(record + child->node.refs);
}

// Returns the input of a stack that has row y of its output.
static layer_t layer_at(const group_t *group, const tflm_rows_stack_t *stack, int32_t y) {
    layer_t layer = {stack->tensors[0], 0};
    for (int32_t i = 1; i < stack->count; i++) {
        const int32_t next = layer.first + group->tensors[layer.number].height;
        if (y < next) {
            break;
        }
        layer = (layer_t) {stack->tensors[i], next};
    }
    return layer;
}

// Returns who has to make the row that a stack takes next, or -1.
static int32_t missing_in_stack(const group_t *group, const child_t *child, int32_t *wanted) {
    const int32_t y = group->rows[child->output].made;
    const layer_t layer = layer_at(group, stack_of(group, child), y);
    *wanted = y + 1 - layer.first - group->rows[layer.number].made;
    return *wanted > 0 ? group->tensors[layer.number].maker : -1;
}

// Returns the first row of a tensor that a stack still reads; more than there are: none.
static int32_t needed_in_stack(const group_t *group, const child_t *child, int32_t number) {
    const tflm_rows_stack_t *stack = stack_of(group, child);
    int32_t first = group->rows[child->output].made;
    for (int32_t i = 0; i < stack->count; i++) {
        if (stack->tensors[i] == number) {
            return first;
        }
        first -= group->tensors[stack->tensors[i]].height;
    }
    return INT32_MAX;
}

// Returns the number of input i of a child whose record has them; NONE: it has no more.
static int32_t listed(const group_t *group, const child_t *child, int32_t i) {
    const int32_t *record = tflm_at(group->places->spaces, child->node.record);
    const tflm_concatenation_t *params = (const void *)(record + child->node.refs);
    return i < params->count ? params->sizes[params->count + i] : NONE;
}

static inline bool reads(const group_t *group, const child_t *child, int32_t number) {
    if (child->way != BESIDE) {
        return child->inputs[0] == number || child->inputs[1] == number;
    }
    int32_t i = 0, input;
    while ((input = listed(group, child, i)) != NONE && input != number) {
        i++;
    }
    return input == number;
}

// Returns who makes a tensor that lacks rows up to `end`, and how many it lacks; -1: it has them.
static inline int32_t lacking(
    const group_t *group, int32_t number, int32_t end, int32_t *wanted) {
    const tflm_rows_t *tensor = &group->tensors[number];
    *wanted = smaller(end, tensor->height) - group->rows[number].made;
    return *wanted > 0 ? tensor->maker : -1;
}

static int32_t missing_in_list(
    const group_t *group, const child_t *child, int32_t end, int32_t *wanted) {
    int32_t maker = -1;
    for (int32_t i = 0, number; maker == -1 && (number = listed(group, child, i)) != NONE; i++) {
        maker = lacking(group, number, end, wanted);
    }
    return maker;
}

// Returns the child that has to make rows first, before this one's next strip, and how many of them;
// -1: none.
static int32_t missing(const group_t *group, const asked_t *asked, int32_t *wanted) {
    const child_t *child = asked->child;
    const int32_t end = end_of(child, group->rows[child->output].made + asked->strip - 1);
    if (child->inputs[0] == NONE) {
        return child->way == BESIDE ? missing_in_list(group, child, end, wanted)
                                    : missing_in_stack(group, child, wanted);
    }
    const int32_t maker = lacking(group, child->inputs[0], end, wanted);
    if (maker != -1 || child->inputs[1] == NONE) {
        return maker;
    }
    return lacking(group, child->inputs[1], end, wanted);
}

// Makes room behind the rows of a tensor: those that no child reads any more go.
static void slide(const group_t *group, int32_t number) {
    const tflm_rows_t *tensor = &group->tensors[number];
    rows_t *rows = &group->rows[number];
    int32_t first = rows->made;
    for (int32_t i = tensor->first_reader; i <= tensor->last_reader; i++) {
        const child_t *child = &group->children[i];
        const int32_t made = group->rows[child->output].made;
        if (reads(group, child, number) && made < group->tensors[child->output].height) {
            first = smaller(first, place_of(child, made) >> child->shift);
        } else if (child->extent == STACK) {
            first = smaller(first, needed_in_stack(group, child, number));
        }
    }
    first = first < rows->first ? rows->first : first;
    uint8_t *place = tflm_at(group->places->spaces, group->places->refs[number]);
    tflm_move(place, place + (first - rows->first) * tensor->row,
        (size_t)((rows->made - first) * tensor->row));
    rows->first = first;
}

// The same where `count` rows more do not fit.
static void make_room(const group_t *group, int32_t number, int32_t count) {
    const rows_t *rows = &group->rows[number];
    if (rows->made + count - rows->first > group->tensors[number].capacity) {
        slide(group, number);
    }
}

// Returns the ref of row y of a tensor.
static inline int32_t ref_of(const group_t *group, int32_t number, int32_t y) {
    const int32_t row = y - group->rows[number].first;
    return group->places->refs[number] + 2 * row * group->tensors[number].row;
}

// Runs a child's kernel on the rows that its next strip takes.
static void make(const group_t *group, const child_t *child, int32_t strip) {
    const tflm_args_t *places = group->places;
    const tflm_rows_t *tensors = group->tensors;
    rows_t *rows = group->rows, *output = &rows[child->output];
    make_room(group, child->output, strip);
    int32_t words[WORDS];
    const piece_t *record = tflm_at(places->spaces, child->node.record);
    for (int32_t i = 0; PIECE * i < child->words; i++) {
        ((piece_t *)words)[i] = record[i];
    }
    const int32_t made = output->made;
    const int32_t place = place_of(child, made), start = place >> child->shift;
    const int32_t low = start < 0 ? 0 : start;
    words[child->output_at] = places->refs[child->output]
        + 2 * (made - output->first) * tensors[child->output].row;
    for (int32_t i = 0; i < INPUTS && child->inputs[i] != NONE; i++) {
        words[child->inputs_at[i]] = ref_of(group, child->inputs[i], low);
    }
    if (child->way == BESIDE) {
        for (int32_t i = 0, number; (number = listed(group, child, i)) != NONE; i++) {
            words[i] = ref_of(group, number, low);
        }
    }
    if (child->height_at != 0) {
        const int32_t end = end_of(child, made + strip - 1);
        words[child->height_at] = smaller(end, tensors[child->inputs[0]].height) - low;
        words[child->outputs_at] = strip;
        if (child->way == ONWARD) {  // what it is of an output whose input begins with row 0
            words[child->pad_at] += place - (low << child->shift);
        } else {
            words[child->pad_at] = low - start;
        }
    } else {
        words[child->count_at] = strip * child->count;
        if (child->pad_at != 0) {
            words[child->pad_at] = made;
        }
        if (child->extent == STACK) {
            const layer_t layer = layer_at(group, stack_of(group, child), made);
            const int32_t row = made - layer.first - rows[layer.number].first;
            words[child->inputs_at[0]]
                = places->refs[layer.number] + 2 * row * tensors[layer.number].row;
        }
    }
    output->made = made + strip;
    tflm_call(places->spaces, words, child->node.refs, child->node.kernel);
}

// Makes some strips. The first word of the state is 0 before the first call and after the last, else
// one more than the child whose rows are wanted, negative where a row has to come from outside; the
// rows of each tensor follow.
void tflm_row_group(const tflm_row_group_t *params, const tflm_args_t *places, int32_t *state) {
    const tflm_rows_t *tensors = (const void *)params->parts;
    group_t group = {tensors, (const void *)(tensors + places->count), places,
        (void *)(state + 1), params->children};
    if (state[0] < 0) {
        state[0] = -state[0];
    } else if (state[0] == 0) {
        for (int32_t i = 0; i < places->count; i++) {
            group.rows[i] = (rows_t) {0, tensors[i].maker == -1 ? tensors[i].height : 0};
        }
        state[0] = 1 + goal_from(&group, group.count - 1);
    }
    asked_t path[DEPTH];  // who waits for rows, from the goal on
    int32_t depth = 0;    // DEPTH + 1: it was longer
    for (int32_t i = 0; i < STRIPS && state[0] != 0; i++) {
        asked_t asked = {&group.children[state[0] - 1], 0};
        if (depth > 0 && depth <= DEPTH) {
            asked = path[--depth];
        } else {
            depth = 0;
            asked.strip = strip_of(&group, asked.child);
        }
        int32_t next, wanted;
        while ((next = missing(&group, &asked, &wanted)) >= 0) {
            if (depth < DEPTH) {
                path[depth] = asked;
            }
            depth += depth <= DEPTH;
            asked.child = &group.children[next];
            asked.strip = part_of(wanted, asked.child->strip);
        }
        if (next == TFLM_FED) {
            make_room(&group, 0, 1);
            state[0] = -state[0];
            return;
        }
        make(&group, asked.child, asked.strip);
        if (asked.child->is_last) {
            state[0] = 1 + goal_from(&group, state[0] - 1);
        }
    }
}
