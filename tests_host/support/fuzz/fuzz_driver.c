// Gives inputs of a file to a fuzzer's function, for compilers without libFuzzer: each is its size,
// a word, and its bytes. What is wrong ends the process; before, it has the input's number on stdout.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 16 };

int main(int argc, char **argv) {
    static uint8_t data[LARGEST];
    uint32_t size;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        return 2;
    }
    for (int number = 0; fread(&size, sizeof size, 1, file) == 1; number++) {
        if (size > LARGEST || fread(data, 1, size, file) != size) {
            return 2;
        }
        printf("%d\n", number);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size);
    }
    return 0;
}
