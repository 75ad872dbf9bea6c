// Fused layers: a group of nodes that computes its last tensor stripe by stripe. It computes rows of
// the tensors before it when a stripe needs them. Between two layers lie only the rows that are still
// needed. If the next rows do not fit, these move to the front.
//
// A call computes few stripes, so that there are moments in between: see slices.c. The schedule depends
// only on the number of computed rows: see groups_turns.h.
#include "groups_turns.h"
#include "dispatch.h"
#include "kernels/common/bytes.h"

enum {
    STRIPS = 8,  // in one call
    DEPTH = 16,  // of a path that is not walked again for each stripe
};

typedef struct {
    int32_t words[PIECE];
} piece_t;

// Makes room behind the rows of a tensor: drops rows that no child reads any more.
static void slide(const group_t *group, int32_t number) {
    const tflm_rows_t *tensor = &group->tensors[number];
    rows_t *rows = &group->rows[number];
    int32_t first = unread_of(group, number);
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

// Returns the tagged offset of row y of a tensor.
static inline int32_t ref_of(const group_t *group, int32_t number, int32_t y) {
    const int32_t row = y - group->rows[number].first;
    return group->places->refs[number] + 2 * row * group->tensors[number].row;
}

// Runs a child's kernel on the rows that its next stripe takes.
static void make(const group_t *group, const child_t *child, int32_t strip) {
    const tflm_args_t *places = group->places;
    const tflm_rows_t *tensors = group->tensors;
    rows_t *rows = group->rows, *output = &rows[child->output];
    make_room(group, child->output, strip);
    int32_t words[CHILD_WORDS];
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

// Computes some stripes. The first word of the state is 0 before the first call and after the last.
// Otherwise it is one more than the child whose rows are needed, negative if a row has to come from
// outside. The rows of each tensor follow.
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
        asked_t asked;
        const child_t *goal = &group.children[state[0] - 1];
        const int32_t next = next_turn(&group, goal, path, DEPTH, &depth, &asked);
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
