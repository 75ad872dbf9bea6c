// Compares a function of curves_f32.h with libm's: NAME COUNT SEED. COUNT random bit patterns, and
// those next to places where another form of a function begins.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/common/curves_f32.h"

typedef float (*function_t)(float x);

static float exp_of(float x) {
    return tflm_exp(x);
}

static float log_of(float x) {
    return tflm_float(tflm_log_bits(tflm_bits(x)));
}

static float sin_of(float x) {
    return tflm_float(tflm_sin_bits(tflm_bits(x)));
}

static float cos_of(float x) {
    return tflm_float(tflm_cos_bits(tflm_bits(x)));
}

static const struct {
    const char *name;
    function_t ours, theirs;
} functions[] = {
    {"exp", exp_of, expf}, {"log", log_of, logf}, {"sin", sin_of, sinf}, {"cos", cos_of, cosf},
    {"tanh", tflm_tanh, tanhf}, {"expm1", tflm_expm1, expm1f}, {"erfc", tflm_erfc, erfcf},
};

enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]), NEAR = 2000 };

static int wrong;

static void compare(int i, uint32_t bits) {
    const float x = tflm_float((int32_t)bits);
    const float a = functions[i].ours(x), b = functions[i].theirs(x);
    if (tflm_bits(a) != tflm_bits(b) && !(a != a && b != b) && wrong++ < 5) {
        printf("%08x: %08x, libm has %08x\n", bits, (uint32_t)tflm_bits(a), (uint32_t)tflm_bits(b));
    }
}

int main(int argc, char **argv) {
    // 0, subnormals, 2^-55, 2^-27 to 2^-12, 0.25, 0.35, 0.75, 0.84, 1, 1.04, 1.25, 2.86, 6, 9, 18.7,
    // 22, 28, 87, 88.7, 104, 120.
    static const uint32_t places[] = {0, 0x00400000, 0x00800000, 0x24000000, 0x32000000, 0x33000000,
        0x38800000, 0x39800000, 0x3E800000, 0x3EB17218, 0x3F330000, 0x3F400000, 0x3F580000, 0x3F800000,
        0x3F851592, 0x3FA00000, 0x4036DB6D, 0x40C00000, 0x41E00000,
        0x41100000, 0x4195B844, 0x41B00000, 0x42AE0000, 0x42B17217, 0x42CFF1B4, 0x42F00000,
        0x4B000000, 0x7F800000, 0x7FC00000};
    int i = FUNCTIONS;
    uint64_t state = argc > 3 ? strtoull(argv[3], NULL, 10) * 2 + 1 : 1;
    while (i > 0 && argc > 2 && strcmp(functions[i - 1].name, argv[1]) != 0) {
        i--;
    }
    if (i-- == 0 || argc < 4) {
        return 2;
    }
    for (long count = atol(argv[2]); count > 0; count--) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        compare(i, (uint32_t)(state >> 32));
    }
    for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
        for (uint32_t n = 0; n < 2 * NEAR; n++) {
            compare(i, places[k] - NEAR + n);
            compare(i, (places[k] - NEAR + n) ^ 0x80000000u);
        }
    }
    return wrong != 0;
}
