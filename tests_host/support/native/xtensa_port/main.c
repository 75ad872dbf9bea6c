// MicroPython that qemu-xtensa runs: executes what it reads from its standard input as a file of
// Python, and ends with status 1 where that raises. It imports from the host's folders; open(path)
// returns the bytes of a file, and after interrupt_in(n) the n-th jump of bytecode meets a Ctrl-C.
#include <string.h>

#include "py/builtin.h"
#include "py/compile.h"
#include "py/cstack.h"
#include "py/gc.h"
#include "py/mperrno.h"
#include "py/mphal.h"
#include "py/runtime.h"

enum { OPEN = 8, CLOSE = 9, READ = 12, WRITE = 13, EXIT = 118 };  // of Linux for Xtensa
enum { DIRECTORY = 0200000, HEAP = 8 << 20, STACK = 4 << 20, SCRIPT = 1 << 20, PART = 4096 };

int32_t system_call(int32_t number, intptr_t a, intptr_t b, intptr_t c);
void spill_windows(void);

static char heap[HEAP], script[SCRIPT];
static char *stack_top;

int open(const char *path, int flags, ...) {
    const int32_t file = system_call(OPEN, (intptr_t)path, flags & DIRECTORY, 0);
    return file < 0 ? -1 : file;
}

int close(int file) {
    return system_call(CLOSE, file, 0, 0);
}

int read(int file, void *bytes, size_t size) {
    return system_call(READ, file, (intptr_t)bytes, (intptr_t)size);
}

static size_t read_all(int file, char *to, size_t room) {
    size_t count = 0;
    int done;
    while (count < room && (done = read(file, to + count, room - count)) > 0) {
        count += (size_t)done;
    }
    return count;
}

mp_uint_t mp_hal_stdout_tx_strn(const char *text, size_t size) {
    int32_t done = 0;
    for (size_t i = 0; i < size && done >= 0; i += (size_t)done) {
        done = system_call(WRITE, 1, (intptr_t)text + (intptr_t)i, (intptr_t)(size - i));
    }
    return size;
}

void mp_hal_stdout_tx_strn_cooked(const char *text, size_t size) {
    mp_hal_stdout_tx_strn(text, size);
}

static mp_obj_t open_bytes(size_t n_args, const mp_obj_t *args, mp_map_t *named) {
    (void)n_args, (void)named;
    const int file = open(mp_obj_str_get_str(args[0]), 0);
    if (file < 0) {
        mp_raise_OSError(MP_ENOENT);
    }
    vstr_t bytes;
    vstr_init(&bytes, PART);
    size_t count;
    do {
        count = read_all(file, vstr_add_len(&bytes, PART), PART);
        bytes.len -= PART - count;
    } while (count == PART);
    close(file);
    return mp_obj_new_bytes_from_vstr(&bytes);
}
MP_DEFINE_CONST_FUN_OBJ_KW(mp_builtin_open_obj, 1, open_bytes);

int jumps_left;  // see mpconfigport.h

static mp_obj_t interrupt_in(mp_obj_t count) {
    jumps_left = mp_obj_get_int(count);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(interrupt_in_obj, interrupt_in);

void count_jump(void) {
    if (--jumps_left == 0) {
        mp_sched_keyboard_interrupt();
    }
}

mp_import_stat_t mp_import_stat(const char *path) {
    int file = open(path, DIRECTORY);
    const mp_import_stat_t kind = file < 0 ? MP_IMPORT_STAT_FILE : MP_IMPORT_STAT_DIR;
    if (file < 0) {
        file = open(path, 0);
    }
    if (file < 0) {
        return MP_IMPORT_STAT_NO_EXIST;
    }
    close(file);
    return kind;
}

void gc_collect(void) {
    void *here;
    gc_collect_start();
    spill_windows();
    gc_collect_root(&here, (size_t)(stack_top - (char *)&here) / sizeof(void *));
    gc_collect_end();
}

static NORETURN void leave(int32_t status) {
    for (;;) {
        system_call(EXIT, status, 0, 0);
    }
}

void nlr_jump_fail(void *value) {
    (void)value;
    leave(3);
}

void abort(void) {
    leave(4);
}

int *__errno(void) {
    static int number;
    return &number;
}

void serve(void) {
    void *here;
    stack_top = (char *)&here + 256;
    mp_cstack_init_with_sp_here(STACK);
    gc_init(heap, heap + HEAP);
    mp_init();
    const size_t size = read_all(0, script, SCRIPT);
    nlr_buf_t nlr;
    if (nlr_push(&nlr) == 0) {
        mp_store_global(MP_QSTR_interrupt_in, MP_OBJ_FROM_PTR(&interrupt_in_obj));
        mp_lexer_t *lexer = mp_lexer_new_from_str_len(MP_QSTR__lt_stdin_gt_, script, size, 0);
        mp_parse_tree_t tree = mp_parse(lexer, MP_PARSE_FILE_INPUT);
        mp_call_function_0(mp_compile(&tree, MP_QSTR__lt_stdin_gt_, false));
        leave(0);
    }
    mp_obj_print_exception(&mp_plat_print, MP_OBJ_FROM_PTR(nlr.ret_val));
    leave(1);
}
