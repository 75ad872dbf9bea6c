// Simulates the schedule of groups_turns.h without data, and places the tensors between the fused
// layers. Only the PC has this file; tflm_host/prepare/groups.py calls it.
#include "groups_plan.h"

#include <string.h>

#include "groups_turns.h"

enum {
    TENSORS = NONE,  // at most: child_t numbers them
    OWNERS = 2 * TENSORS,
    ROUNDS = 12,     // of plans that are tried
    SET_WORDS = 8,   // of 32 bits, one for each tensor
    ALIGNMENT = 16,  // of what lies in an arena
};

// A tensor of the model that a member reads or makes.
typedef struct {
    int32_t tensor, height, row;
} image_t;

typedef struct {
    child_t child;  // without numbers of tensors
    int32_t node;
    int32_t scratch;  // bytes that it uses while it runs; -1: no buffer
    image_t output;
    int32_t sums;      // bytes that it writes at the end, when it has read all; 0: it writes rows
    int32_t is_mixed;  // whether one call may write to all of its rows before it has read the first
    int32_t count;
    image_t inputs[];
} member_t;

// What prepare/groups.py asks. The members follow, each as long as its inputs are many; then for
// each whether others than the group's members want its output.
typedef struct {
    int32_t members;
    int32_t fed;  // the tensor whose rows come from outside, or -1
    int32_t answer, end;  // words from the start of the question
} question_t;

// What it gets. These follow: the numbers of the tensors in the model; their capacities, -1 where
// they lie in places of their own; the members' calls; the offsets of the tensors between the
// layers and of the members' scratch, -1 where there is none; the gaps from each output to each
// input.
typedef struct {
    int32_t tensors, inputs, outputs;
    int32_t height;    // of the places
    int32_t moved[2];  // bytes that slide to the front of their places, at most: low word, high word
} answer_t;

typedef struct {
    uint32_t words[SET_WORDS];
} set_t;

// A tensor, or the scratch of a member: which tensors hold needed rows while it is written.
typedef struct {
    int32_t nbytes;  // of its place; -1: it has none between the layers
    int32_t key;     // the tensor of the model; -1 - node
    set_t beside;
} owner_t;

// Owners in the order in which they are placed, and the same by rising offset.
typedef struct {
    const owner_t *owners;
    int32_t tensors;  // that come first among the owners
    int32_t count;    // of those that have a place
    int16_t order[OWNERS], placed[OWNERS];
    int32_t offsets[OWNERS];
} places_t;

typedef struct {
    group_t group;
    tflm_rows_t tensors[TENSORS];
    rows_t rows[TENSORS];
    child_t children[TENSORS];
    const member_t *members[TENSORS];
    int32_t numbers[TENSORS];  // of the tensors in the model
    int32_t count, first, inputs;  // tensors; the first that is there before, and how many are
    set_t live;  // tensors that hold rows which are still needed
    int64_t moved;
    int32_t *capacities, *calls, *offsets, *distances;  // in the result
    owner_t owners[OWNERS];
} plan_t;

static inline int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static inline int32_t aligned(int32_t nbytes) {
    return (nbytes + ALIGNMENT - 1) & -ALIGNMENT;
}

static inline bool has(const set_t *set, int32_t i) {
    return set->words[i >> 5] >> (i & 31) & 1;
}

static inline void add(set_t *set, int32_t i) {
    set->words[i >> 5] |= UINT32_C(1) << (i & 31);
}

static inline void drop(set_t *set, int32_t i) {
    set->words[i >> 5] &= ~(UINT32_C(1) << (i & 31));
}

static inline void unite(set_t *set, const set_t *other) {
    for (int32_t i = 0; i < SET_WORDS; i++) {
        set->words[i] |= other->words[i];
    }
}

// Returns the number of a tensor of the model in the group, or -1.
static int32_t number_of(const plan_t *plan, int32_t tensor) {
    int32_t i = plan->count - 1;
    while (i >= 0 && plan->numbers[i] != tensor) {
        i--;
    }
    return i;
}

// Numbers a tensor that has none; returns false where there are too many.
static bool number(plan_t *plan, const image_t *image, int32_t made, int32_t maker) {
    if (number_of(plan, image->tensor) >= 0) {
        return true;
    }
    if (plan->count == TENSORS) {
        return false;
    }
    const int32_t i = plan->count++;
    plan->numbers[i] = image->tensor;
    plan->tensors[i] = (tflm_rows_t) {image->height, image->row, -1, (int16_t)maker, 1, 0};
    plan->rows[i] = (rows_t) {0, made};
    return true;
}

static bool is_made(const plan_t *plan, int32_t tensor) {
    int32_t i = plan->group.count - 1;
    while (i >= 0 && plan->members[i]->output.tensor != tensor) {
        i--;
    }
    return i >= 0;
}

// Numbers the inputs: the one that is fed, or those that are there before.
static bool number_inputs(plan_t *plan, int32_t fed, bool is_fed) {
    for (int32_t i = 0; i < plan->group.count; i++) {
        const member_t *member = plan->members[i];
        for (int32_t k = 0; k < member->count; k++) {
            const image_t *image = &member->inputs[k];
            const bool is_wanted = (image->tensor == fed) == is_fed && !is_made(plan, image->tensor);
            const int32_t made = is_fed ? 0 : image->height;
            if (is_wanted && !number(plan, image, made, is_fed ? TFLM_FED : -1)) {
                return false;
            }
        }
    }
    return true;
}

static bool number_tensors(plan_t *plan, int32_t fed) {
    if (!number_inputs(plan, fed, true)) {
        return false;
    }
    plan->first = plan->count;
    if (!number_inputs(plan, fed, false)) {
        return false;
    }
    plan->inputs = plan->count - plan->first;
    for (int32_t i = 0; i < plan->group.count; i++) {
        if (!number(plan, &plan->members[i]->output, 0, i)) {
            return false;
        }
    }
    return true;
}

// Makes the child of a member. If its parameters list its inputs, they are written to `record`.
// Returns the word behind them.
static int32_t *make_child(plan_t *plan, int32_t i, int32_t *words, int32_t *record) {
    const member_t *member = plan->members[i];
    child_t *child = &plan->children[i];
    *child = member->child;
    child->output = (uint8_t)number_of(plan, member->output.tensor);
    const bool is_stack = child->extent == STACK, is_listed = is_stack || child->way == BESIDE;
    child->inputs[0] = child->inputs[1] = NONE;
    child->node = (tflm_node_t) {0, 0, (int32_t)((record - words) * 4) << 1 | TFLM_MODEL};
    if (is_listed) {  // tflm_rows_stack_t, or tflm_concatenation_t with numbers behind the sizes
        record[1] = member->count;
        record += is_stack ? 2 : 2 + member->count;
    }
    for (int32_t k = 0; k < member->count; k++) {
        const int32_t input = number_of(plan, member->inputs[k].tensor);
        tflm_rows_t *tensor = &plan->tensors[input];
        if (tensor->first_reader > tensor->last_reader) {
            tensor->first_reader = (uint8_t)i;
        }
        tensor->last_reader = (uint8_t)i;
        if (is_listed) {
            *record++ = input;
        } else {
            child->inputs[k] = (uint8_t)input;
        }
    }
    return record;
}

// Returns whether a child reads the tensor, and the first row of it that row y of its output takes.
static bool low_of(const plan_t *plan, const child_t *child, int32_t y, int32_t number, int32_t *low) {
    const group_t *group = &plan->group;
    if (child->extent == STACK) {
        *low = needed_in_stack(group, child, number);
        if (*low == INT32_MAX) {
            return false;
        }
        *low += y - group->rows[child->output].made;
    } else if (reads(group, child, number)) {
        *low = place_of(child, y) >> child->shift;
    } else {
        return false;
    }
    *low = larger(*low, 0);
    return true;
}

// Returns the first row of an input that another child than `maker` still reads.
static int32_t low_of_others(const plan_t *plan, const child_t *maker, int32_t number) {
    const tflm_rows_t *tensor = &plan->tensors[number];
    int32_t first = tensor->height, low;
    for (int32_t i = tensor->first_reader; i <= tensor->last_reader; i++) {
        const child_t *child = &plan->children[i];
        const int32_t made = plan->rows[child->output].made;
        if (child != maker && made < plan->tensors[child->output].height
            && low_of(plan, child, made, number, &low)) {
            first = smaller(first, low);
        }
    }
    return first;
}

// Returns by how many bytes a child's next stripe outruns the first unread byte of an input.
static int64_t late(const plan_t *plan, const child_t *child, int32_t strip, int32_t number) {
    const member_t *member = plan->members[child - plan->children];
    const tflm_rows_t *tensor = &plan->tensors[number], *output = &plan->tensors[child->output];
    const int32_t first = plan->rows[child->output].made, end = first + strip;
    const int64_t row = tensor->row, made = output->row;
    const int64_t written = member->sums != 0 ? member->sums : end * made;
    int64_t most = -aligned(tensor->height * tensor->row);
    const int32_t others = low_of_others(plan, child, number);
    if (others < tensor->height && (member->sums == 0 || end == output->height)) {
        most = written - others * row;
    }
    int32_t low;
    for (int32_t y = first; y < end && member->sums == 0; y++) {
        if (!low_of(plan, child, y, number, &low) || low >= tensor->height) {
            continue;  // it reads none
        }
        // Element by element, each is read before its result is written.
        int32_t ahead = child->count != 0 && made == row ? 0 : 1;
        ahead = member->is_mixed ? end - y : ahead;
        const int64_t distance = (y + ahead) * made - low * row;
        most = distance > most ? distance : most;
    }
    return most;
}

// Notes the memory that a stripe of `strip` more rows of a tensor takes.
static void note(plan_t *plan, const child_t *child, int32_t number, int32_t strip) {
    if (plan->capacities[number] >= 0) {
        const int32_t made = plan->rows[number].made;
        const int32_t kept = made - larger(unread_of(&plan->group, number), 0);
        plan->capacities[number] = larger(plan->capacities[number], kept + strip);
        plan->moved += (int64_t)kept * plan->tensors[number].row;
        return;
    }
    int32_t *distances = plan->distances;
    for (const child_t *other = plan->children; other < child; other++) {
        distances += other->is_last ? plan->inputs : 0;
    }
    for (int32_t i = 0; i < plan->inputs; i++) {
        const int64_t distance = late(plan, child, strip, plan->first + i);
        distances[i] = distance > distances[i] ? (int32_t)distance : distances[i];
    }
}

static inline void settle(plan_t *plan, int32_t number) {
    if (unread_of(&plan->group, number) == plan->rows[number].made) {
        drop(&plan->live, number);
    }
}

// Makes a stripe, `strip` more rows of a tensor; child: its member, NULL if it comes from outside.
static void take_turn(plan_t *plan, const child_t *child, int32_t number, int32_t strip) {
    note(plan, child, number, strip);
    add(&plan->live, number);
    const set_t now = plan->live;
    unite(&plan->owners[number].beside, &now);
    plan->rows[number].made += strip;
    settle(plan, number);
    if (child == NULL) {
        return;
    }
    const int32_t i = (int32_t)(child - plan->children);
    const member_t *member = plan->members[i];
    unite(&plan->owners[plan->count + i].beside, &now);
    plan->calls[i]++;
    for (int32_t k = 0; k < member->count; k++) {
        const bool is_listed = child->inputs[0] == NONE;
        settle(plan, is_listed ? number_of(plan, member->inputs[k].tensor) : child->inputs[k]);
    }
}

static void act_out(plan_t *plan) {
    const group_t *group = &plan->group;
    asked_t path[TENSORS], asked;
    int32_t depth = 0, goal = goal_from(group, group->count - 1);
    while (goal >= 0) {
        if (next_turn(group, &plan->children[goal], path, TENSORS, &depth, &asked) == TFLM_FED) {
            take_turn(plan, NULL, 0, 1);
            path[depth++] = asked;
            continue;
        }
        take_turn(plan, asked.child, asked.child->output, asked.strip);
        goal = asked.child->is_last ? goal_from(group, goal) : goal;
    }
}

// Lays the result out behind the question; returns false where the room ends before it does.
static bool begin_answer(plan_t *plan, int32_t *words, const question_t *question) {
    const int32_t count = plan->count, members = question->members;
    int32_t outputs = 0;
    for (int32_t i = 0; i < members; i++) {
        outputs += plan->children[i].is_last;
    }
    answer_t *answer = (void *)(words + question->answer);
    int32_t *numbers = (void *)(answer + 1);
    plan->capacities = numbers + count;
    plan->calls = plan->capacities + count;
    plan->offsets = plan->calls + members;
    plan->distances = plan->offsets + count + members;
    if (plan->distances + outputs * plan->inputs > words + question->end) {
        return false;
    }
    *answer = (answer_t) {count, plan->inputs, outputs, 0, {0, 0}};
    memcpy(numbers, plan->numbers, (size_t)count * sizeof(*numbers));
    memset(plan->calls, 0, (size_t)members * sizeof(*plan->calls));
    for (int32_t i = 0; i < outputs * plan->inputs; i++) {
        const tflm_rows_t *tensor = &plan->tensors[plan->first + i % plan->inputs];
        plan->distances[i] = -aligned(tensor->height * tensor->row);
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t maker = plan->tensors[i].maker;
        plan->capacities[i] = maker == -1 || (maker >= 0 && plan->children[maker].is_last) ? -1 : 0;
    }
    return true;
}

// Notes whose place takes how many bytes.
static void size_owners(plan_t *plan) {
    for (int32_t i = 0; i < plan->count; i++) {
        const int32_t rows = plan->capacities[i];
        const int32_t nbytes = rows < 0 ? -1 : aligned(rows * plan->tensors[i].row);
        plan->owners[i].nbytes = nbytes;
        plan->owners[i].key = plan->numbers[i];
    }
    for (int32_t i = 0; i < plan->group.count; i++) {
        const member_t *member = plan->members[i];
        owner_t *owner = &plan->owners[plan->count + i];
        owner->nbytes = member->scratch < 0 ? -1 : aligned(member->scratch);
        owner->key = -1 - member->node;
    }
}

// Puts the largest first.
static void sort_owners(places_t *places, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const owner_t *owner = &places->owners[i];
        if (owner->nbytes < 0) {
            continue;
        }
        int32_t k = places->count++;
        for (; k > 0; k--) {
            const owner_t *other = &places->owners[places->order[k - 1]];
            if (other->nbytes > owner->nbytes
                || (other->nbytes == owner->nbytes && other->key < owner->key)) {
                break;
            }
            places->order[k] = places->order[k - 1];
        }
        places->order[k] = (int16_t)i;
    }
}

// Tells whether one has needed bytes while the other is written. Scratch of two members never has.
static inline bool meet(const places_t *places, int32_t a, int32_t b) {
    return (b < places->tensors && has(&places->owners[a].beside, b))
        || (a < places->tensors && has(&places->owners[b].beside, a));
}

// Places owner i at the lowest offset beside those that are placed, `count` of them.
static void place(places_t *places, int32_t i, int32_t count) {
    const int32_t nbytes = places->owners[i].nbytes;
    int32_t at = 0, k = 0;
    for (; k < count && places->offsets[places->placed[k]] < at + nbytes; k++) {
        const int32_t other = places->placed[k];
        const int32_t end = places->offsets[other] + places->owners[other].nbytes;
        if (at < end && meet(places, i, other)) {
            at = end;
        }
    }
    places->offsets[i] = at;
    for (k = count; k > 0 && places->offsets[places->placed[k - 1]] > at; k--) {
        places->placed[k] = places->placed[k - 1];
    }
    places->placed[k] = (int16_t)i;
}

// Places all in order; returns the position of the topmost one.
static int32_t place_in_order(places_t *places, int32_t *height) {
    int32_t top = 0;
    *height = 0;
    for (int32_t k = 0; k < places->count; k++) {
        const int32_t i = places->order[k];
        place(places, i, k);
        const int32_t end = places->offsets[i] + places->owners[i].nbytes;
        if (end > *height) {
            *height = end;
            top = k;
        }
    }
    return top;
}

// Finds places, in some orders: what holds up the topmost one goes first in the next. Returns the
// height of the lowest plan.
static int32_t place_all(const plan_t *plan) {
    const int32_t count = plan->count + plan->group.count;
    places_t places = {.owners = plan->owners, .tensors = plan->count};
    int32_t least = INT32_MAX;
    memset(places.offsets, -1, sizeof(places.offsets));
    sort_owners(&places, count);
    for (int32_t round = 0, top = 1, height; round < ROUNDS && top != 0; round++) {
        top = place_in_order(&places, &height);
        if (height < least) {
            least = height;
            memcpy(plan->offsets, places.offsets, (size_t)count * sizeof(*plan->offsets));
        }
        const int16_t first = places.order[top];
        memmove(places.order + 1, places.order, (size_t)top * sizeof(first));
        places.order[0] = first;
    }
    return least;
}

bool tflm_plan_rows(int32_t *words) {
    const question_t *question = (const void *)words;
    if (question->members > TENSORS) {
        return false;
    }
    plan_t plan = {.group = {.count = question->members}};
    int32_t *at = (int32_t *)(question + 1);
    for (int32_t i = 0; i < question->members; i++) {
        plan.members[i] = (const void *)at;
        at = (int32_t *)&plan.members[i]->inputs[plan.members[i]->count];
    }
    if (!number_tensors(&plan, question->fed)) {
        return false;
    }
    const tflm_spaces_t spaces = {{NULL, (void *)words, NULL}};
    const tflm_args_t places = {&spaces, NULL, plan.count};
    plan.group = (group_t) {plan.tensors, plan.children, &places, plan.rows, question->members};
    int32_t *record = at + question->members;
    for (int32_t i = 0; i < question->members; i++) {
        record = make_child(&plan, i, words, record);
        plan.children[i].is_last = (uint8_t)at[i];
    }
    if (!begin_answer(&plan, words, question)) {
        return false;
    }
    act_out(&plan);
    size_owners(&plan);
    answer_t *answer = (void *)(words + question->answer);
    answer->height = place_all(&plan);
    answer->moved[0] = (int32_t)plan.moved;
    answer->moved[1] = (int32_t)(plan.moved >> 32);
    return true;
}
