// Floating-point functions of the emulated RP2040's boot ROM: the compiler's own software
// arithmetic, in the order of the ROM's tables. Results are IEEE's, subnormal numbers included,
// which the real ROM takes for zero; cycles are not the real ROM's.
//
// Source: pico-sdk pico/bootrom/sf_table.h (order of the tables); RP2040 datasheet 2.8.3.2.
#include <stdint.h>

#define ROWS 32

static void missing(void) {
    __asm volatile ("bkpt #2");
}

// Conversions to integers saturate. To signed ones they round to minus infinity, as in the ROM.
#define FUNCTIONS(T, p) \
    static T p##add(T a, T b) { return a + b; } \
    static T p##sub(T a, T b) { return a - b; } \
    static T p##mul(T a, T b) { return a * b; } \
    static T p##div(T a, T b) { return a / b; } \
    static int32_t p##compare(T a, T b) { return (a > b) - (a < b); } \
    static T p##from_i32(int32_t a) { return (T)a; } \
    static T p##from_u32(uint32_t a) { return (T)a; } \
    static T p##from_i64(int64_t a) { return (T)a; } \
    static T p##from_u64(uint64_t a) { return (T)a; } \
    static int64_t p##to_i64(T a) { \
        if (a >= (T)9223372036854775808.0) { \
            return INT64_MAX; \
        } \
        if (a < (T)-9223372036854775808.0) { \
            return INT64_MIN; \
        } \
        int64_t towards_zero = (int64_t)a; \
        return towards_zero - ((T)towards_zero > a); \
    } \
    static uint64_t p##to_u64(T a) { \
        return a >= (T)18446744073709551616.0 ? UINT64_MAX : a > 0 ? (uint64_t)a : 0; \
    } \
    static int32_t p##to_i32(T a) { \
        int64_t wide = p##to_i64(a); \
        return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide; \
    } \
    static uint32_t p##to_u32(T a) { \
        return a >= (T)4294967296.0 ? UINT32_MAX : a > 0 ? (uint32_t)a : 0; \
    }

FUNCTIONS(float, f_)
FUNCTIONS(double, d_)

static double f_to_double(float a) {
    return (double)a;
}

static float d_to_float(double a) {
    return (float)a;
}

struct table {
    uint16_t unused;
    uint8_t rows;  // the two bytes in front of a table say how long it is
    uint8_t version;
    void *functions[ROWS];
};

// Rows that MicroPython calls none of: square root, trigonometry, logarithms, fixed point.
#define _ (void *)missing
#define TABLE(p, to_other) { \
        0, ROWS, 0, { \
            p##add, p##sub, p##mul, p##div, _, _, _, p##to_i32, \
            _, p##to_u32, _, p##from_i32, _, p##from_u32, _, _, \
            _, _, _, _, _, p##compare, _, p##from_i64, \
            _, p##from_u64, _, p##to_i64, _, p##to_u64, _, to_other, \
        } \
    }

const struct table bootrom_float = TABLE(f_, f_to_double);
const struct table bootrom_double = TABLE(d_, d_to_float);
