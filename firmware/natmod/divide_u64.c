// Division of 64-bit numbers where no libgcc is. b is not zero.
#include <stdint.h>

static uint64_t divide(uint64_t a, uint64_t b, uint64_t *remainder) {
    uint64_t quotient = 0, left = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const uint64_t carry = left >> 63;
        left = left << 1 | (a >> bit & 1);
        quotient <<= 1;
        if (carry != 0 || left >= b) {
            left -= b;
            quotient |= 1;
        }
    }
    *remainder = left;
    return quotient;
}

// What the compiler calls for a / b and a % b.
uint64_t __udivdi3(uint64_t a, uint64_t b) {
    uint64_t remainder;
    return divide(a, b, &remainder);
}

uint64_t __umoddi3(uint64_t a, uint64_t b) {
    uint64_t remainder;
    divide(a, b, &remainder);
    return remainder;
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __divdi3(int64_t a, int64_t b) {
    const uint64_t quotient = __udivdi3(magnitude(a), magnitude(b));
    return (int64_t)((a < 0) == (b < 0) ? quotient : -quotient);
}

int64_t __moddi3(int64_t a, int64_t b) {
    const uint64_t remainder = __umoddi3(magnitude(a), magnitude(b));
    return (int64_t)(a < 0 ? -remainder : remainder);
}
