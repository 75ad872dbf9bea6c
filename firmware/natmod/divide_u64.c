// Division and products of 64-bit numbers where no libgcc is. No divisor is zero.
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

// Where the core has no high half of a product: the low 64 bits, from products of halves of words.
int64_t __muldi3(int64_t a, int64_t b) {
    const uint32_t al = (uint32_t)a, ah = (uint32_t)((uint64_t)a >> 32);
    const uint32_t bl = (uint32_t)b, bh = (uint32_t)((uint64_t)b >> 32);
    const uint32_t low = (al & 0xFFFF) * (bl & 0xFFFF);
    const uint32_t left = (al >> 16) * (bl & 0xFFFF) + (low >> 16);
    const uint32_t right = (al & 0xFFFF) * (bl >> 16) + (left & 0xFFFF);
    const uint32_t high = (al >> 16) * (bl >> 16) + (left >> 16) + (right >> 16) + al * bh + ah * bl;
    return (int64_t)((uint64_t)high << 32 | right << 16 | (low & 0xFFFF));
}
