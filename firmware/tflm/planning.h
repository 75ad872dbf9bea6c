// Memory plans: the C counterpart of `overlap` in mp_modules/tflm/memory/planner.py, without fixed
// buffers, and of `check` in plan_check.py.
#ifndef TFLM_PLANNING_H
#define TFLM_PLANNING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t size;   // bytes, a multiple of 16
    int32_t first;  // moment of use
    int32_t last;
    int32_t tensor;  // whose it is; -1: scratch
} tflm_buffer_t;

// Two buffers may share bytes where the input begins at least `gap` bytes after the output. The
// gap is less than the bytes of the output: others are no use.
typedef struct {
    int32_t output;
    int32_t input;
    int32_t gap;
} tflm_overlap_t;

typedef struct {
    const tflm_buffer_t *buffers;
    int32_t count;
    const tflm_overlap_t *overlaps;
    int32_t overlap_count;
} tflm_problem_t;

enum { TFLM_PLAN_WORDS = 6 };

// Sets the offset of each buffer and returns the height in bytes; -1 where Python has to plan.
// There are at most TFLM_MAX_BUFFERS. `work` has TFLM_PLAN_WORDS words for each.
int32_t tflm_plan(const tflm_problem_t *problem, int32_t *offsets, int32_t *work);

// Returns whether the plan is sound. It shares nothing with tflm_plan().
bool tflm_check_plan(const tflm_problem_t *problem, const int32_t *offsets, int32_t height);

#endif
