// Work over a range, divided between two cores where a second one has been lent; see
// ../cores_rp2.c. Builds without TFLM_CORES have one core, and the plain call.
//
// Words have one writer each, as armv6-M has no exclusive access: the first core counts what it
// gives, the second one what it has done. Everything before a count is seen by who sees the count.
#ifndef TFLM_SPLIT_H
#define TFLM_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

// Does items first..last-1 of what *context tells. Two of these run at a time: the items of one
// must neither write what those of the other read nor write the same.
typedef void (*tflm_work_t)(const void *context, int32_t first, int32_t last);

#ifdef TFLM_CORES

#ifndef TFLM_RELAX
#define TFLM_RELAX() ((void)0)  // what a core does while it waits
#endif

typedef struct {
    uint32_t is_free;  // first core's: another core waits for work
    uint32_t given;    // first core's
    uint32_t done;     // second core's
    tflm_work_t work;  // this and the rest: written before `given`
    const void *context;
    int32_t first, last;
} tflm_second_t;
extern tflm_second_t tflm_second;

static inline bool tflm_can_split(int32_t count) {
    return count > 1 && __atomic_load_n(&tflm_second.is_free, __ATOMIC_RELAXED);
}

// Does items 0..count-1 and returns when all are done.
static inline void tflm_split(tflm_work_t work, const void *context, int32_t count) {
    if (!tflm_can_split(count)) {
        work(context, 0, count);
        return;
    }
    // An interrupt that comes from here on finds no second core.
    __atomic_store_n(&tflm_second.is_free, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const int32_t half = count / 2;
    const uint32_t given = tflm_second.given + 1;
    tflm_second.work = work;
    tflm_second.context = context;
    tflm_second.first = half;
    tflm_second.last = count;
    __atomic_store_n(&tflm_second.given, given, __ATOMIC_RELEASE);
    work(context, 0, half);
    while (__atomic_load_n(&tflm_second.done, __ATOMIC_ACQUIRE) != given) {
        TFLM_RELAX();
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&tflm_second.is_free, 1, __ATOMIC_RELAXED);
}

// On the second core: waits for work and does it.
static inline void tflm_serve(void) {
    const uint32_t done = tflm_second.done;
    while (__atomic_load_n(&tflm_second.given, __ATOMIC_ACQUIRE) == done) {
        TFLM_RELAX();
    }
    tflm_second.work(tflm_second.context, tflm_second.first, tflm_second.last);
    __atomic_store_n(&tflm_second.done, done + 1, __ATOMIC_RELEASE);
}

#else

enum { TFLM_CORES = 1 };

static inline bool tflm_can_split(int32_t count) {
    (void)count;
    return false;
}

static inline void tflm_split(tflm_work_t work, const void *context, int32_t count) {
    work(context, 0, count);
}

#endif

#endif
