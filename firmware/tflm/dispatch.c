// The table from a kernel's number to its code and to the form of its parameters.
#include "dispatch.h"

#include "generated/adapters.h"

// What tflm_at() returns, without a branch. A word that is no tagged offset may name no space: its
// address is one in another space, which nobody uses.
static inline void *address(const tflm_spaces_t *spaces, int32_t ref) {
    const uintptr_t is_there = (uintptr_t)(intptr_t) ~(ref >> 31);  // all bits, or none
    const uint32_t place = (uint32_t)ref & (uint32_t)is_there;
    const uint32_t space = tflm_space(place);
    const uintptr_t base = (uintptr_t)spaces->base[space & ~(space >> 1)];
    return (void *)((base + (place >> 1)) & is_there);
}

static inline void find_two(void **at, const tflm_spaces_t *spaces, const int32_t *refs) {
    const int32_t first = refs[0], second = refs[1];
    at[0] = address(spaces, first);
    at[1] = address(spaces, second);
}

// This function computes addresses, so that a trampoline is a few loads. It computes two at once, and
// most without a loop, for speed. Behind an odd number of tagged offsets a parameter follows; its
// address is not used.
static __attribute__((noinline)) void call(
    const tflm_spaces_t *spaces, const int32_t *record, int32_t refs, int32_t kernel) {
    void *at[ARGUMENTS];
    find_two(at, spaces, record);
    if (refs > 2) {
        find_two(at + 2, spaces, record + 2);
        for (int32_t i = 4; i < refs && i < ARGUMENTS; i += 2) {
            find_two(at + i, spaces, record + i);
        }
    }
    tflm_adapters[kernel](record + refs, at, spaces, refs);
}

void tflm_call(
    const tflm_spaces_t *spaces, const int32_t *record, int32_t refs, int32_t kernel) {
    if (!call_short(spaces, record, kernel)) {
        call(spaces, record, refs, kernel);
    }
}

// Returns the form of the parameters of this kernel, 0 where this build does not hold it.
int32_t tflm_form(int32_t kernel) {
    const bool is_here = (uint32_t)kernel < TFLM_KERNEL_COUNT && tflm_adapters[kernel] != NULL;
    return is_here ? forms[kernel] : 0;
}
