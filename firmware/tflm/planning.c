#include "planning.h"

#include <string.h>

enum { ALIGNMENT = 16, NOWHERE = -1, PATIENCE = 4, ROUNDS = 12, STEPS = 1 << 14, MOST = 1 << 28 };

typedef struct {
    const tflm_problem_t *problem;
    int32_t *offsets;
    int32_t *support;  // the buffer that a buffer lies on, NOWHERE at the bottom
    int32_t *order;
    int32_t *low;   // no offset between low and high
    int32_t *high;
    int32_t *reader;  // of a buffer: the overlap that it is the input of, NOWHERE for none
    int32_t plain_bound;  // bytes in use at one moment
    int32_t bound;  // and without those that can be shared then
} plan_t;

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Returns whether all sums of sizes and gaps fit into words.
static bool is_small(const tflm_problem_t *problem) {
    int32_t left = MOST;
    for (int32_t i = 0; i < problem->count; i++) {
        const int32_t size = problem->buffers[i].size;
        if (size < 0 || size > left - ALIGNMENT) {
            return false;
        }
        left -= size + ALIGNMENT;
    }
    for (int32_t i = 0; i < problem->overlap_count; i++) {
        if (problem->overlaps[i].gap < -MOST) {
            return false;
        }
    }
    return true;
}

// Sets saved[i]: the bytes that an output can have in common with its inputs.
static void find_savings(const tflm_problem_t *problem, int32_t *saved) {
    memset(saved, 0, (size_t)problem->count * sizeof(*saved));
    for (int32_t i = 0; i < problem->overlap_count; i++) {
        const tflm_overlap_t *row = &problem->overlaps[i];
        const int32_t size = problem->buffers[row->output].size;
        const int32_t data = problem->buffers[row->input].size;
        const int32_t common = size + data - larger(data + row->gap, size);
        if (common > 0) {
            saved[row->output] = smaller(saved[row->output] + common, size);
        }
    }
}

static void find_bounds(plan_t *plan, const int32_t *saved) {
    const tflm_buffer_t *buffers = plan->problem->buffers;
    const int32_t count = plan->problem->count;
    plan->plain_bound = plan->bound = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t moment = buffers[i].first;
        int32_t total = 0, less = 0;
        for (int32_t j = 0; j < count; j++) {
            if (buffers[j].first == moment) {
                total += buffers[j].size;
                less += saved[j];
            } else if (buffers[j].first < moment && buffers[j].last >= moment) {
                total += buffers[j].size;
            }
        }
        plan->plain_bound = larger(plan->plain_bound, total);
        plan->bound = larger(plan->bound, total - less);
    }
}

// Raises the bound to the bytes of the largest chain of overlaps. Returns false if there are too
// many.
static bool find_chains(plan_t *plan) {
    const tflm_problem_t *problem = plan->problem;
    int32_t left = STEPS;
    for (int32_t start = 0; start < problem->count; start++) {
        int32_t data = start, apart = MOST;
        int64_t total = problem->buffers[data].size;
        while (plan->reader[data] != NOWHERE && apart > plan->bound) {
            const tflm_overlap_t *row = &problem->overlaps[plan->reader[data]];
            if (--left == 0) {
                return false;
            }
            total += row->gap;
            apart = smaller(
                apart, problem->buffers[data].size + problem->buffers[row->output].size);
            if (total > plan->bound) {
                plan->bound = larger(plan->bound, total < apart ? (int32_t)total : apart);
            }
            data = row->output;
        }
    }
    return true;
}

// Orders by falling size, of equal sizes the later one first, but each reader before its input.
static void find_order(plan_t *plan, int32_t *is_placed) {
    const tflm_problem_t *problem = plan->problem;
    const int32_t count = problem->count;
    int32_t placed = 0, last_size = MOST, last = 0;
    memset(is_placed, 0, (size_t)count * sizeof(*is_placed));
    for (int32_t turn = 0; turn < count; turn++) {
        int32_t next = NOWHERE;
        for (int32_t i = 0; i < count; i++) {
            const int32_t size = problem->buffers[i].size;
            const bool is_left = size < last_size || (size == last_size && i < last);
            if (is_left && (next == NOWHERE || size >= problem->buffers[next].size)) {
                next = i;
            }
        }
        last = next;
        last_size = problem->buffers[next].size;
        const int32_t row = plan->reader[next];
        const int32_t reader = row == NOWHERE ? next : problem->overlaps[row].output;
        for (int32_t i = 0; i < 2; i++) {
            const int32_t index = i == 0 ? reader : next;
            if (!is_placed[index]) {
                is_placed[index] = 1;
                plan->order[placed++] = index;
            }
        }
    }
}

static bool is_near(const tflm_buffer_t *a, const tflm_buffer_t *b) {
    if (a->first == b->first) {
        return true;
    }
    return a->first < b->first ? a->last >= b->first : b->last >= a->first;
}

// Sets low and high of all buffers that lie already; low of others is INT32_MAX.
static void bar(const plan_t *plan, int32_t index) {
    const tflm_problem_t *problem = plan->problem;
    const tflm_buffer_t *buffers = problem->buffers;
    for (int32_t i = 0; i < problem->count; i++) {
        plan->low[i] = INT32_MAX;
        plan->high[i] = NOWHERE;
        if (i != index && plan->offsets[i] != NOWHERE && is_near(&buffers[i], &buffers[index])) {
            plan->low[i] = plan->offsets[i] - buffers[index].size;
            plan->high[i] = plan->offsets[i] + buffers[i].size;
        }
    }
    for (int32_t i = 0; i < problem->overlap_count; i++) {
        const tflm_overlap_t *row = &problem->overlaps[i];
        if (row->output == index && plan->low[row->input] != INT32_MAX) {
            plan->low[row->input] = plan->offsets[row->input] - row->gap;
        }
        if (row->input == index && plan->low[row->output] != INT32_MAX) {
            plan->high[row->output] = plan->offsets[row->output] + row->gap;
        }
    }
}

static int32_t align(int32_t offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
}

// Sets the lowest offset of a buffer beside the others, and what supports it: of all that end
// there the one that comes first by low, high and index.
static void place(const plan_t *plan, int32_t index) {
    const int32_t *low = plan->low, *high = plan->high;
    const int32_t count = plan->problem->count;
    int32_t offset = 0, below = NOWHERE;
    bar(plan, index);
    for (int32_t i = 0; i < count; i++) {
        if (low[i] < offset && offset < high[i]) {
            offset = align(high[i]);
            i = -1;  // once more from the start
        }
    }
    for (int32_t i = 0; i < count && offset > 0; i++) {
        if (low[i] != INT32_MAX && align(high[i]) == offset
            && (below == NOWHERE || low[i] < low[below]
                || (low[i] == low[below] && high[i] < high[below]))) {
            below = i;
        }
    }
    plan->offsets[index] = offset;
    plan->support[index] = below;
}

// Places all in order. Returns the height, which is `limit` or more as soon as it reaches that; then
// the rest lies nowhere. *top is the topmost buffer.
static int32_t place_all(const plan_t *plan, int32_t limit, int32_t *top) {
    const tflm_problem_t *problem = plan->problem;
    const size_t nbytes = (size_t)problem->count * sizeof(int32_t);
    int32_t height = 0;
    *top = 0;
    memset(plan->offsets, 0xFF, nbytes);  // NOWHERE
    memset(plan->support, 0xFF, nbytes);
    for (int32_t i = 0; i < problem->count && height < limit; i++) {
        const int32_t index = plan->order[i];
        place(plan, index);
        const int32_t end = plan->offsets[index] + problem->buffers[index].size;
        if (end > height) {
            *top = index;
            height = end;
        }
    }
    return height;
}

// Brings one buffer of those that the topmost one lies on to the front of the order: each round
// another one, from the second one above the bottom on.
static void reorder(const plan_t *plan, int32_t round, int32_t top) {
    int32_t length = 0, at = 0;
    for (int32_t i = plan->support[top]; i != NOWHERE; i = plan->support[i]) {
        length++;
    }
    for (int32_t up = length > 0 ? round % length : 0; up < length - 1; up++) {
        top = plan->support[top];
    }
    while (plan->order[at] != top) {
        at++;
    }
    memmove(plan->order + 1, plan->order, (size_t)at * sizeof(*plan->order));
    plan->order[0] = top;
}

int32_t tflm_plan(const tflm_problem_t *problem, int32_t *offsets, int32_t *work) {
    const int32_t count = problem->count;
    int32_t height = MOST, idle = 0;
    plan_t plan = {
        .problem = problem,
        .offsets = work,
        .support = work + count,
        .order = work + 2 * count,
        .low = work + 3 * count,
        .high = work + 4 * count,
        .reader = work + 5 * count,
    };
    if (count == 0) {
        return 0;
    }
    if (!is_small(problem)) {
        return -1;
    }
    memset(plan.reader, 0xFF, (size_t)count * sizeof(*plan.reader));
    for (int32_t i = 0; i < problem->overlap_count; i++) {
        plan.reader[problem->overlaps[i].input] = i;
    }
    find_savings(problem, plan.low);
    find_bounds(&plan, plan.low);
    if (!find_chains(&plan)) {
        return -1;
    }
    find_order(&plan, plan.low);
    for (int32_t round = 0; round < ROUNDS && idle <= PATIENCE; round++) {
        int32_t top;
        const int32_t found = place_all(&plan, height, &top);
        idle++;
        if (found < height) {
            memcpy(offsets, plan.offsets, (size_t)count * sizeof(*offsets));
            height = found;
            idle = 0;
        }
        if (height <= plan.bound) {
            return height;
        }
        reorder(&plan, round, top);
    }
    return height > plan.plain_bound ? -1 : height;  // by size alone it may be lower
}

static bool is_allowed(const tflm_problem_t *problem, const int32_t *offsets, int32_t a, int32_t b) {
    for (int32_t i = 0; i < problem->overlap_count; i++) {
        const tflm_overlap_t *row = &problem->overlaps[i];
        const bool is_theirs = (row->output == a && row->input == b)
            || (row->output == b && row->input == a);
        if (is_theirs && offsets[row->input] - offsets[row->output] >= row->gap) {
            return true;
        }
    }
    return false;
}

bool tflm_check_plan(const tflm_problem_t *problem, const int32_t *offsets, int32_t height) {
    for (int32_t i = 0; i < problem->count; i++) {
        const tflm_buffer_t *a = &problem->buffers[i];
        const int32_t start = offsets[i], end = start + a->size;
        if (start < 0 || start % ALIGNMENT != 0 || end > height) {
            return false;
        }
        for (int32_t j = 0; j < i; j++) {
            const tflm_buffer_t *b = &problem->buffers[j];
            if (b->first <= a->last && a->first <= b->last && offsets[j] < end
                && start < offsets[j] + b->size && !is_allowed(problem, offsets, i, j)) {
                return false;
            }
        }
    }
    return true;
}
