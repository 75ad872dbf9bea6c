// The gate of an arena, which all graphs in it share: it lets one run at a time. Included once, by
// binding.h. Before, the file that makes a module defines how one step is made of several:
//   TFLM_SWAPS              1: the processor compares and swaps a word in any memory
//   section_t               else: what section_begin() returns
//   section_begin(graph_type, &section)   keeps out all threads, cores and interrupts that may run a
//                           graph; returns whether it could
//   section_end(graph_type, section)      lets them in again
#ifndef TFLM_GATE_H
#define TFLM_GATE_H

// What Arena._gate holds: see SPEC.md and mp_modules/tflm/base/arena.py.
typedef struct {
    int32_t state;  // GATE_...
    int32_t runs;  // that have begun
} gate_t;

enum {
    GATE_IDLE,
    GATE_RUNNING,
    GATE_LOST,  // the bytes belong to another arena now
    GATE_MOVED,  // never in a gate: a buffer has been resized
    GATE_UNSET = 5,  // nor this: inputs were not set since the last run
};

enum { GATE_STATE, GATE_SPARE = 3, GATE_WORDS };  // words of Arena._gate

enum { RUNS_MAX = 0x3FFFFFFF };  // a small int of every board: reading it takes no heap

// Lets a run begin where none is going on, in one step; returns what the gate held before.
static int32_t gate_enter(const mp_obj_type_t *graph_type, gate_t *gate) {
    int32_t found = GATE_IDLE;
    #if TFLM_SWAPS
    (void)graph_type;
    __atomic_compare_exchange_n(
        &gate->state, &found, GATE_RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    #else
    section_t section;
    if (!section_begin(graph_type, &section)) {
        return GATE_RUNNING;
    }
    found = gate->state;
    if (found == GATE_IDLE) {
        gate->state = GATE_RUNNING;
    }
    section_end(graph_type, section);
    #endif
    return found;
}

// Ends the run: what it wrote is there before others enter.
static inline void gate_leave(gate_t *gate) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    gate->state = GATE_IDLE;
}

#endif
