// The second core of RP2040 and RP2350, lent to the kernels while a graph runs.
//
// It is MicroPython's as if a thread ran on it (core1_entry): _thread does not start one then,
// whoever writes flash stops it first, and a soft reset resets it.
#include "cores.h"

#include "pico/multicore.h"
#include "py/mphal.h"
#include "py/mpthread.h"
#include "py/runtime.h"

#include "kernels/common/split.h"

#if !MICROPY_PY_THREAD
typedef void *(*core_entry_func_t)(void *);
static core_entry_func_t core1_entry;
#else
extern core_entry_func_t core1_entry;
#endif

enum { STACK_BYTES = 2048, READY = 1 };

tflm_second_t tflm_second;
static uint8_t wanted = 1;

// Of core 1, on the heap as those of threads are, so that one core costs nothing. What a soft
// reset leaves here is no stack any more: mp_modules/tflm/run/graph.py then sets one core first.
MP_REGISTER_ROOT_POINTER(uint64_t *tflm_stack);

static void *run(void *arg) {
    return arg;  // core1_entry has to be something; core 1 runs serve()
}

static void serve(void) {
    multicore_lockout_victim_init();
    __atomic_store_n(&tflm_second.done, READY, __ATOMIC_RELEASE);
    for (;;) {
        tflm_serve();
    }
}

int tflm_set_cores(int count) {
    const int before = wanted;
    if (count == 1 && core1_entry != run) {
        MP_STATE_VM(tflm_stack) = NULL;
    } else if (count > 1 && MP_STATE_VM(tflm_stack) == NULL) {
        MP_STATE_VM(tflm_stack) = m_new(uint64_t, STACK_BYTES / sizeof(uint64_t));
    }
    wanted = (uint8_t)count;
    return before;
}

void tflm_refuse_thread(void) {
    mp_raise_msg(&mp_type_RuntimeError,
        MP_ERROR_TEXT("a thread has core 1: let it end, or call tflm.cores(1)"));
}

tflm_lending_t tflm_lend_core(void) {
    if (wanted == 1 || core1_entry == run) {
        return TFLM_ONE_CORE;
    }
    if (core1_entry != NULL) {
        return TFLM_HAS_THREAD;
    }
    core1_entry = run;
    tflm_second = (tflm_second_t) {.given = READY};
    multicore_reset_core1();
    multicore_launch_core1_with_stack(serve, (uint32_t *)MP_STATE_VM(tflm_stack), STACK_BYTES);
    while (__atomic_load_n(&tflm_second.done, __ATOMIC_ACQUIRE) != READY) {
    }
    __atomic_store_n(&tflm_second.is_free, 1, __ATOMIC_RELAXED);
    return TFLM_LENT;
}

void tflm_return_core(void) {
    __atomic_store_n(&tflm_second.is_free, 0, __ATOMIC_RELAXED);
    multicore_reset_core1();
    core1_entry = NULL;
}
