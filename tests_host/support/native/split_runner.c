// Runs node tables with a thread in place of the second core: see test_split.py.
//
// Standard input: for each case three words (arena and model bytes, the table's offset), the arena,
// the model. Standard output: for each case the arena, after a run with both cores; then how many
// items of 0..ITEMS-1 each core did, for each count of items; then how often kernels gave the
// second core work, and how often both met in it.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/common/split.h"
#include "runner.h"

enum { ITEMS = 9 };

tflm_second_t tflm_second;

void tflm_wait(const uint32_t *count, uint32_t wanted) {
    while ((int32_t)(__atomic_load_n(count, __ATOMIC_ACQUIRE) - wanted) < 0) {
        sched_yield();
    }
}

static void *serve(void *arg) {
    for (;;) {
        if (tflm_has_work()) {
            tflm_do_work();
        } else {
            sched_yield();
        }
    }
    return arg;
}

static void *read_bytes(size_t size) {
    void *bytes = NULL;
    if (posix_memalign(&bytes, 16, size + 16) != 0 || fread(bytes, 1, size, stdin) != size) {
        exit(2);
    }
    return bytes;
}

static pthread_t first_core;
static int owners[ITEMS];

static void own(const void *context, int32_t first, int32_t last) {
    (void)context;
    for (int32_t i = first; i < last; i++) {
        owners[i] += pthread_equal(pthread_self(), first_core) ? 1 : 2;
    }
}

static void count_shares(int32_t count) {
    memset(owners, 0, sizeof(owners));
    tflm_split(own, NULL, count);
    fwrite(owners, sizeof(owners), 1, stdout);
}

int main(void) {
    first_core = pthread_self();
    pthread_t second_core;
    if (pthread_create(&second_core, NULL, serve, NULL) != 0) {
        return 1;
    }
    tflm_second.is_free = 1;
    for (int32_t words[3]; fread(words, sizeof(words), 1, stdin) == 1;) {
        uint8_t *arena = read_bytes((size_t)words[0]);
        uint8_t *model = read_bytes((size_t)words[1]);
        const tflm_spaces_t spaces = {{arena, model}};
        if (!tflm_run_node(&spaces, tflm_at(&spaces, 2 * words[2]))) {
            return 3;
        }
        fwrite(arena, (size_t)words[0], 1, stdout);
        free(arena);
        free(model);
    }
    const uint32_t shared[] = {tflm_second.given, tflm_second.met[0]};
    for (int32_t count = 0; count <= ITEMS; count++) {
        count_shares(count);
    }
    tflm_second.is_free = 0;
    count_shares(ITEMS);
    fwrite(shared, sizeof(shared), 1, stdout);
    fflush(stdout);
    _Exit(0);  // the other thread waits for ever
}
