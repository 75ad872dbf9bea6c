// Work that two cores share, where a second one has been lent; see ../../cores_rp2.c. Builds without
// TFLM_CORES have one core, and the plain call.
//
// Words have one writer each, as armv6-M has no exclusive access: the first core counts what it
// gives, the second one what it has done, and each how often it met the other. Everything before a
// count is seen by who sees the count.
#ifndef TFLM_SPLIT_H
#define TFLM_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

// Does items first..last-1 of what *context tells. Two of these run at a time: the items of one
// must neither write what those of the other read nor write the same.
typedef void (*tflm_work_t)(const void *context, int32_t first, int32_t last);

// One of the cores that share some work; all zero where one core does all of it.
typedef struct {
    int32_t index;   // 0 or 1
    int32_t is_two;  // whether there is another one
} tflm_member_t;

typedef struct {
    int32_t first, last;
} tflm_items_t;

// The work of TFLM_TOGETHER items is that of a team: each core has one, or one core has both.
enum { TFLM_TOGETHER = 2 };

static inline tflm_member_t tflm_member(int32_t first, int32_t last) {
    return (tflm_member_t) {first, last - first == 1};
}

#ifdef TFLM_CORES

#ifndef TFLM_WAKE  // what wakes up a core that waits for work
#if defined(__arm__)
#define TFLM_WAKE() __asm__ volatile("dsb\n sev" ::: "memory")
#elif defined(__riscv)
#define TFLM_WAKE() __asm__ volatile("fence\n slt x0, x0, x1" ::: "memory")  // h3.unblock
#else
#define TFLM_WAKE() ((void)0)
#endif
#endif

typedef struct {
    uint32_t is_free;  // first core's: another core waits for work
    uint32_t given;    // first core's
    uint32_t done;     // second core's
    uint32_t met[2];   // each core's own
    tflm_work_t work;  // this and the rest: written before `given`
    const void *context;
    int32_t first, last;
} tflm_second_t;
extern tflm_second_t tflm_second;

// Waits until *count, which the other core raises, is `wanted` or more.
void tflm_wait(const uint32_t *count, uint32_t wanted);

static inline bool tflm_can_split(int32_t count) {
    return count > 1 && __atomic_load_n(&tflm_second.is_free, __ATOMIC_RELAXED);
}

// Gives the second core items first..last-1. Returns the number of this work.
static inline uint32_t tflm_give(
    tflm_work_t work, const void *context, int32_t first, int32_t last) {
    const uint32_t given = tflm_second.given + 1;
    tflm_second.work = work;
    tflm_second.context = context;
    tflm_second.first = first;
    tflm_second.last = last;
    __atomic_store_n(&tflm_second.given, given, __ATOMIC_RELEASE);
    TFLM_WAKE();
    return given;
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
    const uint32_t given = tflm_give(work, context, half, count);
    work(context, 0, half);
    tflm_wait(&tflm_second.done, given);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&tflm_second.is_free, 1, __ATOMIC_RELAXED);
}

// Returns when the other member has come here, too: both see what the other one wrote before.
static inline void tflm_meet(tflm_member_t member) {
    if (member.is_two) {
        const uint32_t met = tflm_second.met[member.index] + 1;
        __atomic_store_n(&tflm_second.met[member.index], met, __ATOMIC_RELEASE);
        tflm_wait(&tflm_second.met[1 - member.index], met);
    }
}

// On the second core.
static inline bool tflm_has_work(void) {
    return __atomic_load_n(&tflm_second.given, __ATOMIC_ACQUIRE) != tflm_second.done;
}

static inline void tflm_do_work(void) {
    tflm_second.work(tflm_second.context, tflm_second.first, tflm_second.last);
    __atomic_store_n(&tflm_second.done, tflm_second.done + 1, __ATOMIC_RELEASE);
}

// What a member does of items 0..count-1.
static inline tflm_items_t tflm_items_of(tflm_member_t member, int32_t count) {
    const int32_t half = member.is_two ? count / 2 : 0;
    return member.index ? (tflm_items_t) {half, count}
                        : (tflm_items_t) {0, member.is_two ? half : count};
}

// Whether item 0 or 1 is the member's.
static inline bool tflm_has_item(tflm_member_t member, int32_t item) {
    return !member.is_two || member.index == item;
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

static inline void tflm_meet(tflm_member_t member) {
    (void)member;
}

static inline tflm_items_t tflm_items_of(tflm_member_t member, int32_t count) {
    (void)member;
    return (tflm_items_t) {0, count};
}

static inline bool tflm_has_item(tflm_member_t member, int32_t item) {
    (void)member;
    (void)item;
    return true;
}

#endif

#endif
