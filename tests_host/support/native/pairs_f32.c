// Compares OURS, a function of two float32 in curves_f32.h, with libm's THEIRS: COUNT SEED. COUNT
// pairs of random bit patterns, as many of moderate size, and all pairs of numbers at which another
// form of powf or atan2f begins.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/common/curves_f32.h"

enum { STEP = 3 };

static int wrong;

static void compare(uint32_t x, uint32_t y) {
    const float a = tflm_float(OURS((int32_t)x, (int32_t)y));
    const float b = THEIRS(tflm_float((int32_t)x), tflm_float((int32_t)y));
    if (tflm_bits(a) != tflm_bits(b) && !(a != a && b != b) && wrong++ < 5) {
        printf("%08x, %08x: %08x, libm has %08x\n", x, y, (uint32_t)tflm_bits(a),
            (uint32_t)tflm_bits(b));
    }
}

int main(int argc, char **argv) {
    // 0, subnormals, 2^-149 to 2^-126, 2^-29, 7 / 16, 1 / 2, 11 / 16, 0.7, 1, 19 / 16, 1.5, 2,
    // 39 / 16, 3, 10, 126 to 150, 2^23 to 2^25, inf.
    static const uint32_t places[] = {0, 0x00400000, 0x00800000, 0x31000000, 0x33800000,
        0x3EE00000, 0x3F000000, 0x3F300000, 0x3F330000, 0x3F800000, 0x3F980000, 0x3FC00000,
        0x40000000, 0x401C0000, 0x40400000, 0x41200000, 0x42FC0000, 0x43000000, 0x43150000,
        0x43160000, 0x4B000000, 0x4B800000, 0x4C000000, 0x7F800000, 0x7FC00000};
    enum { PLACES = sizeof(places) / sizeof(places[0]), NEAR = (2 * STEP + 1) * 2 };
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    for (long count = argc > 1 ? atol(argv[1]) : 0; count > 0; count--) {
        uint32_t drawn[2];
        for (int i = 0; i < 2; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            drawn[i] = (uint32_t)(state >> 32);
        }
        compare(drawn[0], drawn[1]);
        // 2^-8 to 2^8, and -32 to 32.
        compare((drawn[0] & 0x7FFFFF) + ((119 + (drawn[0] >> 23 & 15)) << 23),
            (drawn[1] & 0x807FFFFF) + ((124 + (drawn[1] >> 23 & 7)) << 23));
    }
    for (int i = 0; i < PLACES * NEAR; i++) {
        for (int k = 0; k < PLACES * NEAR; k++) {
            const int n = i % NEAR, m = k % NEAR;
            compare((places[i / NEAR] + (uint32_t)(n / 2 - STEP)) ^ (uint32_t)(n & 1) << 31,
                (places[k / NEAR] + (uint32_t)(m / 2 - STEP)) ^ (uint32_t)(m & 1) << 31);
        }
    }
    return wrong != 0;
}
