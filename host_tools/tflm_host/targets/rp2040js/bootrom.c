// Integer functions of the emulated RP2040's boot ROM. Their results are the real ROM's; their
// cycles are not. Nothing here may call memset or memcpy: it has none but its own.
//
// Source: RP2040 datasheet 2.8.3 (what each does).
#include <stddef.h>
#include <stdint.h>

#define XIP_BASE 0x10000000u
#define FLASH_OFFSET_MASK 0x00ffffffu
#define WORD sizeof(uint32_t)

uint32_t bootrom_popcount(uint32_t value) {
    uint32_t count = 0;
    for (; value != 0; value &= value - 1) {
        count++;
    }
    return count;
}

uint32_t bootrom_reverse(uint32_t value) {
    uint32_t reversed = 0;
    for (int i = 0; i < 32; i++) {
        reversed = reversed << 1 | (value >> i & 1);
    }
    return reversed;
}

uint32_t bootrom_leading_zeros(uint32_t value) {
    uint32_t count = 32;
    for (int step = 16; step > 0; step >>= 1) {
        if (value >> step != 0) {
            value >>= step;
            count -= (uint32_t)step;
        }
    }
    return count - value;
}

uint32_t bootrom_trailing_zeros(uint32_t value) {
    return value == 0 ? 32 : 31 - bootrom_leading_zeros(value & (0 - value));
}

void *bootrom_memset(void *destination, int value, size_t count) {
    uint8_t *bytes = destination;
    uint32_t word = (uint8_t)value * 0x01010101u;
    for (; count > 0 && (uintptr_t)bytes % WORD != 0; count--) {
        *bytes++ = (uint8_t)value;
    }
    for (; count >= WORD; count -= WORD, bytes += WORD) {
        *(volatile uint32_t *)bytes = word;
    }
    for (; count > 0; count--) {
        *bytes++ = (uint8_t)value;
    }
    return destination;
}

void *bootrom_memcpy(void *destination, const void *source, size_t count) {
    uint8_t *to = destination;
    const uint8_t *from = source;
    if (((uintptr_t)to ^ (uintptr_t)from) % WORD == 0) {
        for (; count > 0 && (uintptr_t)to % WORD != 0; count--) {
            *to++ = *from++;
        }
        for (; count >= WORD; count -= WORD, to += WORD, from += WORD) {
            *(volatile uint32_t *)to = *(const volatile uint32_t *)from;
        }
    }
    for (; count > 0; count--) {
        *to++ = *from++;
    }
    return destination;
}

// The emulator lets the core store words to the flash's own window.
static volatile uint32_t *flash_at(uint32_t offset) {
    return (volatile uint32_t *)(XIP_BASE | (offset & FLASH_OFFSET_MASK));
}

void bootrom_flash_erase(uint32_t offset, size_t count) {
    for (size_t i = 0; i < count / WORD; i++) {
        flash_at(offset)[i] = 0xffffffffu;
    }
}

// Programming clears bits and sets none, as in the chip. source: at any alignment.
void bootrom_flash_program(uint32_t offset, const uint8_t *source, size_t count) {
    for (size_t i = 0; i < count / WORD; i++, source += WORD) {
        uint32_t word = 0;
        for (size_t j = 0; j < WORD; j++) {
            word |= (uint32_t)source[j] << (8 * j);
        }
        flash_at(offset)[i] &= word;
    }
}
