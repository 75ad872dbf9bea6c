// The window, as portable/audio_window.c has it, eight samples at a time.
#include "audio/steps.h"

#include "audio/tables.h"
#include "core.h"
#include "frame.h"

enum { WORDS = TFLM_AUDIO_POINTS / 2 };

// Eight samples times `factor`, both at a multiple of four: four pairs, WORDS / 4 words apart. Returns
// `sizes` and the bits of their sizes.
uint32_t tflm_m0_audio_window(
    const int16_t *samples, const int16_t *factor, int32_t *to, uint32_t sizes);

#if TFLM_ASSEMBLY == 6

__asm__(
    "    .syntax unified\n"

    // A pair: the product of the first sample in r6, of the second in r5; their sizes into r3.
    "    .macro AUDIO_WINDOW_PAIR\n"
    "    ldmia r0!, {r4}\n"
    "    ldmia r1!, {r5}\n"
    "    uxth r6, r5\n"
    "    lsrs r5, r5, #16\n"
    "    sxth r7, r4\n"
    "    asrs r4, r4, #16\n"
    "    muls r6, r7\n"
    "    muls r5, r4\n"
    "    asrs r6, r6, #12\n"
    "    asrs r5, r5, #12\n"
    "    asrs r7, r6, #31\n"
    "    adds r4, r6, r7\n"
    "    eors r4, r7\n"
    "    orrs r3, r4\n"
    "    asrs r7, r5, #31\n"
    "    adds r4, r5, r7\n"
    "    eors r4, r7\n"
    "    orrs r3, r4\n"
    "    uxth r6, r6\n"
    "    lsls r5, r5, #16\n"
    "    orrs r6, r5\n"
    "    str  r6, [r2]\n"
    "    .endm\n"

    "    .macro AUDIO_WINDOW_NEXT\n"
    "    adds r2, r2, #128\n"
    "    adds r2, r2, #128\n"
    "    .endm\n"

    M0_FUNCTION("tflm_m0_audio_window", "4")
    "    push {r4-r7, lr}\n"
    "    AUDIO_WINDOW_PAIR\n"
    "    AUDIO_WINDOW_NEXT\n"
    "    AUDIO_WINDOW_PAIR\n"
    "    AUDIO_WINDOW_NEXT\n"
    "    AUDIO_WINDOW_PAIR\n"
    "    AUDIO_WINDOW_NEXT\n"
    "    AUDIO_WINDOW_PAIR\n"
    "    movs r0, r3\n"
    "    pop  {r4-r7, pc}\n"
    "    .text\n");

#else

static inline uint32_t size_of(int32_t y) {
    return (uint32_t)(y < 0 ? -y : y);
}

uint32_t tflm_m0_audio_window(
    const int16_t *samples, const int16_t *factor, int32_t *to, uint32_t sizes) {
    for (int32_t j = 0; j < WORDS; j += WORDS / 4, samples += 2, factor += 2) {
        const int32_t re = (samples[0] * factor[0]) >> TFLM_AUDIO_WINDOW_BITS;
        const int32_t im = (samples[1] * factor[1]) >> TFLM_AUDIO_WINDOW_BITS;
        sizes |= size_of(re) | size_of(im);
        to[j] = (int32_t)(((uint32_t)re & 0xFFFF) | (uint32_t)im << 16);
    }
    return sizes;
}

#endif

uint32_t tflm_audio_apply_window(const int16_t *samples, int32_t *work) {
    const int16_t *factor = tflm_audio_window;
    uint32_t sizes = 0;
    for (int32_t high = 0; high < 15; high++) {  // the first two digits of a pair
        int32_t *to = work + (high >> 2 | (high & 3) << 2);
        for (int32_t i = 0; i < 4; i++, to += 16, samples += 8, factor += 8) {
            sizes = tflm_m0_audio_window(samples, factor, to, sizes);
        }
    }
    return sizes;
}
