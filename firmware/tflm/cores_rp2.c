// The second core of RP2040 and RP2350, lent to the kernels while a graph runs.
//
// While it is lent it is MicroPython's as if a thread ran on it (core1_entry): _thread does not start
// one then, and whoever writes flash stops it first. Between two runs it is nobody's, and sleeps in
// RAM: flash may be written, and a thread may be started, which resets it. So whoever lends it asks
// first whether it is still there.
#include "cores.h"

#include "hardware/sync.h"
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

enum {
    STACK_BYTES = 2048,
    READY = 1,
    // Turns of a loop, some 10 cycles each, in which core 1 answers if it is there.
    PATIENCE = 300,
    // A soft reset leaves core 1 alone where there are no threads: its stack must not go before it.
    STAYS = MICROPY_PY_THREAD,
};

tflm_second_t tflm_second;
static uint8_t wanted = 1;
static bool is_up;  // unless somebody has reset core 1 since

// Of core 1, on the heap as those of threads are, so that one core costs nothing. What a soft
// reset leaves here is no stack any more: mp_modules/tflm/run/graph.py then sets one core first.
MP_REGISTER_ROOT_POINTER(uint64_t *tflm_stack);

static void *run(void *arg) {
    return arg;  // core1_entry has to be something; core 1 runs serve()
}

void __not_in_flash_func(tflm_wait)(const uint32_t *count, uint32_t wanted_count) {
    while ((int32_t)(__atomic_load_n(count, __ATOMIC_ACQUIRE) - wanted_count) < 0) {
    }
}

static void __not_in_flash_func(serve)(void) {
    multicore_lockout_victim_init();
    __atomic_store_n(&tflm_second.done, READY, __ATOMIC_RELEASE);
    for (;;) {
        while (!tflm_has_work()) {
            __wfe();
        }
        tflm_do_work();
    }
}

static void nothing(const void *context, int32_t first, int32_t last) {
    (void)context;
    (void)first;
    (void)last;
}

// Tells whether core 1 serves.
static bool answers(void) {
    if (!is_up) {
        return false;
    }
    const uint32_t given = tflm_give(nothing, NULL, 0, 0);
    for (int32_t i = 0; i < PATIENCE; i++) {
        if (__atomic_load_n(&tflm_second.done, __ATOMIC_ACQUIRE) == given) {
            return true;
        }
    }
    return false;
}

static void launch(void) {
    multicore_reset_core1();
    tflm_second = (tflm_second_t) {.given = READY};
    multicore_launch_core1_with_stack(serve, (uint32_t *)MP_STATE_VM(tflm_stack), STACK_BYTES);
    tflm_wait(&tflm_second.done, READY);
    is_up = true;
}

static void stop(void) {
    is_up = false;
    multicore_reset_core1();
}

int tflm_set_cores(int count) {
    const int before = wanted;
    if (count > 1 && MP_STATE_VM(tflm_stack) == NULL) {
        MP_STATE_VM(tflm_stack) = m_new(uint64_t, STACK_BYTES / sizeof(uint64_t));
    }
    if (count == 1 && core1_entry != run) {
        if (is_up && core1_entry == NULL) {
            stop();
        }
        is_up = false;
        MP_STATE_VM(tflm_stack) = NULL;
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
    if (!answers()) {
        launch();
    }
    __atomic_store_n(&tflm_second.is_free, 1, __ATOMIC_RELAXED);
    return TFLM_LENT;
}

void tflm_return_core(void) {
    __atomic_store_n(&tflm_second.is_free, 0, __ATOMIC_RELAXED);
    if (!STAYS) {
        stop();
    }
    core1_entry = NULL;
}
