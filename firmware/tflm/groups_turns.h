// Which child of a group runs next, and on how many rows. Boards run it (groups.c); a PC acts it out
// to find what the tensors need (groups_plan.c).
#ifndef TFLM_GROUPS_TURNS_H
#define TFLM_GROUPS_TURNS_H

#include "groups_record.h"

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

// Returns how many of the wanted rows come first: the rows that fill no stripe, so that the others do.
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

// Returns the number of input i of a child that lists its inputs, NONE behind the last.
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

// Returns the layer that makes the missing rows of a tensor up to `end`, and their number in
// *wanted; -1: none is missing.
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

// Returns the child that has to compute rows before this child's next stripe, and how many, or -1.
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

// Returns the first row of a tensor that a child still reads, below 0 where that one reads padding,
// too; as many as are made: none.
static int32_t unread_of(const group_t *group, int32_t number) {
    const tflm_rows_t *tensor = &group->tensors[number];
    int32_t first = group->rows[number].made;
    for (int32_t i = tensor->first_reader; i <= tensor->last_reader; i++) {
        const child_t *child = &group->children[i];
        const int32_t made = group->rows[child->output].made;
        if (reads(group, child, number) && made < group->tensors[child->output].height) {
            first = smaller(first, place_of(child, made) >> child->shift);
        } else if (child->extent == STACK) {
            first = smaller(first, needed_in_stack(group, child, number));
        }
    }
    return first;
}

// Finds the child that runs next so that `goal` can make rows, and how many rows it makes. Returns
// TFLM_FED if a row has to come from outside first, else -1. Children that wait for rows lie on `path`,
// from the goal on, `most` of them. A longer path, of depth most + 1, is walked again.
static inline int32_t next_turn(const group_t *group, const child_t *goal, asked_t *path, int32_t most,
    int32_t *depth, asked_t *asked) {
    *asked = (asked_t) {goal, 0};
    if (*depth > 0 && *depth <= most) {
        *asked = path[--*depth];
    } else {
        *depth = 0;
        asked->strip = strip_of(group, goal);
    }
    int32_t next, wanted;
    while ((next = missing(group, asked, &wanted)) >= 0) {
        if (*depth < most) {
            path[*depth] = *asked;
        }
        *depth += *depth <= most;
        asked->child = &group->children[next];
        asked->strip = part_of(wanted, asked->child->strip);
    }
    return next;
}

#endif
