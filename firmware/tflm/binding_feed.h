// The method feed() of a graph: mp_modules/tflm/extra/feeding.py calls it for each row of the input.
// Included by binding.h, which has what it calls.
#include "kernels/common/bytes.h"

// Words of the array that it takes, as feeding.py has them.
enum {
    FED_NODE,      // that runs the fused layers
    FED_PLACE,     // offset in the arena: rows of the input that are still needed
    FED_CAPACITY,  // how many there are at most
    FED_STATE,     // offset in the arena: of the fused layers
    FED_BYTES,     // of a row
    FED_HEIGHT,    // rows of the input
    FED_COUNT,     // rows that came
    FED_WANTS,     // 1: the fused layers need rows; 0: not before the next input
    FED_RUNS,      // of the arena, with the row that came last
    FED_WORDS
};

// Why no row was taken, beside the GATE_... that graph_begin() returns.
enum { FED_MISFIT = 8, FED_STALE };

// State of the fused layers: 0 or who goes on, the first row in its place, how many rows came.
enum { GROUP_GOAL, GROUP_FIRST, GROUP_MADE };

static void run_rows(graph_obj_t *self, int32_t *fed) {
    const int32_t node = fed[FED_NODE];
    fed[FED_WANTS] = graph_run_on_cores(self, node, node + 1) == node;
}

// Gives a row to the fused layers. They run as far as it allows, the rest of the model after the last one.
static void take_row(graph_obj_t *self, const void *row, int32_t *fed) {
    uint8_t *arena = self->spaces.base[TFLM_ARENA];
    int32_t *state = (void *)(arena + fed[FED_STATE]);
    if (fed[FED_COUNT] == 0) {
        state[GROUP_GOAL] = 0;
        run_rows(self, fed);
    }
    fed[FED_COUNT]++;
    if (fed[FED_WANTS]) {
        const int32_t number = state[GROUP_MADE] - state[GROUP_FIRST];
        if (number >= 0 && number < fed[FED_CAPACITY]) {  // a user may have written to the arena
            tflm_move(
                arena + fed[FED_PLACE] + number * fed[FED_BYTES], row, (size_t)fed[FED_BYTES]);
            state[GROUP_MADE]++;
        }
        run_rows(self, fed);
    }
    if (fed[FED_COUNT] == fed[FED_HEIGHT]) {
        fed[FED_COUNT] = 0;
        graph_run_on_cores(self, fed[FED_NODE] + 1, self->count);
    }
}

// feed(row, words) is a run with this row. Returns how many rows are missing; negative: why none was taken.
static mp_obj_t feed(mp_obj_t self_in, mp_obj_t row_in, mp_obj_t words) {
    graph_obj_t *self = MP_OBJ_TO_PTR(self_in);
    mp_buffer_info_t row, array;
    mp_get_buffer_raise(row_in, &row, MP_BUFFER_READ);
    mp_get_buffer_raise(words, &array, MP_BUFFER_WRITE);
    if (array.len != FED_WORDS * sizeof(int32_t) || self->gate == NULL) {
        mp_raise_ValueError(MP_ERROR_TEXT("words"));
    }
    int32_t *fed = array.buf;
    if (row.len != (size_t)fed[FED_BYTES]) {
        return MP_OBJ_NEW_SMALL_INT(-FED_MISFIT);
    }
    if (fed[FED_COUNT] != 0 && fed[FED_RUNS] != self->gate->runs) {
        return MP_OBJ_NEW_SMALL_INT(-FED_STALE);
    }
    const mp_int_t refused = graph_begin(self);
    if (refused != 0) {
        return MP_OBJ_NEW_SMALL_INT(refused);
    }
    #if TFLM_GUARDED
    guard_t guard;
    if (guard_push(&guard) != 0) {
        graph_end(self, 0);
        guard_raise(&guard);
    }
    #endif
    take_row(self, row.buf, fed);
    #if TFLM_GUARDED
    guard_pop();
    #endif
    graph_end(self, 0);
    fed[FED_RUNS] = self->gate->runs;
    const int32_t count = fed[FED_COUNT];
    return MP_OBJ_NEW_SMALL_INT(count == 0 ? 0 : fed[FED_HEIGHT] - count);
}
static MP_DEFINE_CONST_FUN_OBJ_3(feed_obj, feed);
