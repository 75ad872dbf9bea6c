// Runs nodes on an Xtensa for tests of the host: a program without a C library, for qemu-xtensa.
//
// It reads a request, a request_t and the bytes of arena and model, from its standard input. It
// runs the nodes and writes place and result, then both spaces. It ends with its input.
#include <stdint.h>

#include "runner.h"
#include "xtensa_start.h"

enum { READ = 12, WRITE = 13, EXIT = 118 };  // of Linux for Xtensa
enum { ROOM = 8 << 20 };  // bytes of a space, at most

typedef struct {
    uint32_t sizes[2];  // of arena and model
    int32_t table, last, slices, budget;
    tflm_place_t place;
} request_t;

typedef struct {
    tflm_place_t place;
    int32_t goes_on;
} answer_t;

int32_t system_call(int32_t number, int32_t file, void *bytes, uint32_t size);

__asm__(XTENSA_START);

static uint8_t spaces_of[2][ROOM] __attribute__((aligned(16)));

static void leave(int32_t status) {
    for (;;) {
        system_call(EXIT, status, 0, 0);
    }
}

static void transfer(int32_t number, int32_t file, void *bytes, uint32_t size) {
    for (uint8_t *next = bytes; size > 0;) {
        const int32_t done = system_call(number, file, next, size);
        if (done <= 0) {
            leave(done < 0);
        }
        next += done;
        size -= (uint32_t)done;
    }
}

void serve(void) {
    for (;;) {
        request_t asked;
        transfer(READ, 0, &asked, sizeof(asked));
        for (int i = 0; i < 2; i++) {
            if (asked.sizes[i] > ROOM) {
                leave(2);
            }
            transfer(READ, 0, spaces_of[i], asked.sizes[i]);
        }
        const tflm_spaces_t spaces = {{spaces_of[0], spaces_of[1]}};
        answer_t answer = {asked.place, 0};
        answer.goes_on = tflm_run(
            &spaces, asked.table, &answer.place, asked.last, asked.slices, asked.budget);
        transfer(WRITE, 1, &answer, sizeof(answer));
        for (int i = 0; i < 2; i++) {
            transfer(WRITE, 1, spaces_of[i], asked.sizes[i]);
        }
    }
}

// What the compiler calls, and no library here has.
void *memmove(void *to, const void *from, size_t count) {
    volatile uint8_t *target = to;  // or the loop would become a call of this function
    const uint8_t *source = from;
    if ((uintptr_t)to > (uintptr_t)from) {
        while (count-- > 0) {
            target[count] = source[count];
        }
        return to;
    }
    for (size_t i = 0; i < count; i++) {
        target[i] = source[i];
    }
    return to;
}

void *memcpy(void *to, const void *from, size_t count) {
    return memmove(to, from, count);
}

void *memset(void *to, int byte, size_t count) {
    for (volatile uint8_t *next = to; count > 0; count--) {
        *next++ = (uint8_t)byte;
    }
    return to;
}
