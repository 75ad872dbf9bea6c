// The functions of the module `_tflm`, in the words of MicroPython's C API. Included once by each
// of the two files that make a module of them: modtflm.c for firmware, ../natmod/natmod.c for a
// .mpy file. Before, they include the API that they have and define what differs:
//   get_int(obj)              the value of an int object, or an exception
//   raise_outside(pos, size)  ValueError: what byte `pos` holds leaves a file of `size` bytes
//   poll_events(graph_type, gate)    runs scheduled callbacks; after Ctrl-C, raises KeyboardInterrupt
//   TFLM_GUARDED              1: exceptions come at any time, and guard_t, guard_push, guard_pop and
//                             guard_raise catch them; 0: only poll_events raises, and it
//                             leaves *gate before; it may be NULL
//   and what gate.h needs
#include "py/smallint.h"

#include "checked.h"
#include "checksum.h"
#include "gate.h"
#include "generated/layout.h"
#include "runner.h"
#include "slices.h"

static mp_int_t get_index(mp_obj_t obj, mp_int_t minimum, size_t maximum, mp_rom_error_text_t name) {
    const mp_int_t value = get_int(obj);
    if (value < minimum || (size_t)value > maximum) {
        mp_raise_ValueError(name);
    }
    return value;
}

// A buffer that its owner may resize, and where it was when the graph was made.
typedef struct {
    mp_obj_t object;  // MP_OBJ_NULL behind the last
    const void *bytes;
} watched_t;

// A node table that is ready to run. The objects keep the buffers alive.
typedef struct {
    mp_obj_base_t base;
    mp_obj_t arena;
    mp_obj_t model;
    tflm_spaces_t spaces;
    const tflm_node_t *nodes;
    int32_t count;
    int32_t node;  // that runs, or ran last, or stopped the run
    int32_t first;  // with which a run of all begins: those before it are done for good
    gate_t *gate;  // NULL: nobody else runs here
    int32_t turn;  // gate->runs where a run may begin
    bool keeps;  // whether the next run may begin at once
    watched_t *watched;  // NULL: none
    int32_t first_long, last_long;  // of the nodes that take more than one slice
#ifdef TFLM_CHECKED
    tflm_sizes_t sizes;
    int32_t table;  // tagged offset of the first node
#endif
} graph_obj_t;

enum { SLICE = 1 << 22 };  // products in a slice: ten million instructions of a Cortex-M0+

static watched_t *watch(mp_obj_t objects) {
    size_t count;
    mp_obj_t *items;
    mp_obj_get_array(objects, &count, &items);
    if (count == 0) {
        return NULL;
    }
    watched_t *watched = m_new(watched_t, count + 1);
    watched[count].object = MP_OBJ_NULL;
    for (size_t i = 0; i < count; i++) {
        mp_buffer_info_t buf;
        mp_get_buffer_raise(items[i], &buf, MP_BUFFER_READ);
        watched[i] = (watched_t) {items[i], buf.buf};
    }
    return watched;
}

static bool has_moved(const watched_t *watched) {
    for (; watched->object != MP_OBJ_NULL; watched++) {
        mp_buffer_info_t buf;
        mp_get_buffer_raise(watched->object, &buf, MP_BUFFER_READ);
        if (buf.buf != watched->bytes) {
            return true;
        }
    }
    return false;
}

// Graph(arena, model, table, count, gate=None, watched=(), tail=None). What lies in `tail` must be watched.
static mp_obj_t graph_make_new(
    const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_arg_check_num(n_args, n_kw, 4, 7, false);
    mp_buffer_info_t space[TFLM_SPACES] = {{NULL, 0, 0}};
    mp_get_buffer_raise(args[0], &space[TFLM_ARENA], MP_BUFFER_WRITE);
    mp_get_buffer_raise(args[1], &space[TFLM_MODEL], MP_BUFFER_READ);
    if (n_args > 6) {
        mp_get_buffer_raise(args[6], &space[TFLM_TAIL], MP_BUFFER_WRITE);
    }
    const uintptr_t places = (uintptr_t)space[TFLM_ARENA].buf | (uintptr_t)space[TFLM_TAIL].buf;
    if (places % sizeof(int32_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("arena is not aligned"));
    }
    const mp_int_t table = get_index(args[2], 0, TFLM_REF_MAX, MP_ERROR_TEXT("table"));
    const uint32_t number = tflm_space((uint32_t)table);
    const size_t offset = tflm_offset((uint32_t)table);
    if (number >= TFLM_SPACES || offset > space[number].len
        || ((uintptr_t)space[number].buf + offset) % sizeof(int32_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("table"));
    }
    size_t nodes = (space[number].len - offset) / sizeof(tflm_node_t);
    mp_int_t count = get_index(args[3], 0, nodes, MP_ERROR_TEXT("count"));
    mp_buffer_info_t gate = {NULL, 0, 0};
    if (n_args > 4 && args[4] != mp_const_none) {
        mp_get_buffer_raise(args[4], &gate, MP_BUFFER_WRITE);
        if (gate.len < sizeof(gate_t)) {
            mp_raise_ValueError(MP_ERROR_TEXT("gate"));
        }
    }
    graph_obj_t *self = mp_obj_malloc(graph_obj_t, type);
    self->arena = args[0];
    self->model = args[1];
    self->spaces = (tflm_spaces_t) {{space[TFLM_ARENA].buf, space[TFLM_MODEL].buf,
        tflm_tail_base(space[TFLM_TAIL].buf)}};
    self->nodes = tflm_at(&self->spaces, (int32_t)table);
    self->count = (int32_t)count;
    self->node = 0;
    self->first = 0;
    const tflm_sizes_t sizes =
        {{space[TFLM_ARENA].len, space[TFLM_MODEL].len, space[TFLM_TAIL].len}};
    int32_t node = tflm_first_long(&self->spaces, &sizes, self->nodes, self->count, SLICE);
    self->first_long = self->last_long = node;
    while (++node < self->count) {
        node += tflm_first_long(
            &self->spaces, &sizes, self->nodes + node, self->count - node, SLICE);
        self->last_long = node < self->count ? node : self->last_long;
    }
    self->gate = gate.buf;
    self->turn = -1;
    self->keeps = false;
    self->watched = n_args > 5 ? watch(args[5]) : NULL;
    #ifdef TFLM_CHECKED
    self->sizes = sizes;
    self->table = (int32_t)table;
    #endif
    return MP_OBJ_FROM_PTR(self);
}

#ifdef TFLM_CHECKED
// Runs what is left of a node, or a part of it that ends where *done outputs are done; false where
// it has no kernel.
static bool run_slice(const graph_obj_t *self, int32_t node, int32_t *done) {
    tflm_place_t place = {node, *done};
    const bool is_pause =
        tflm_run_checked(&self->spaces, &self->sizes, self->table, &place, node + 1, 1, SLICE);
    *done = place.done;
    return is_pause || place.node != node;
}
#else
static inline bool run_slice(const graph_obj_t *self, int32_t node, int32_t *done) {
    if (node < self->first_long || node > self->last_long) {
        return tflm_run_node(&self->spaces, self->nodes + node);
    }
    *done = tflm_run_slice(&self->spaces, self->nodes + node, *done, SLICE);
    return *done >= 0;
}
#endif

// Node by node, and long ones slice by slice, so that Ctrl-C and scheduled callbacks need not wait
// for the whole model. A callback may run other nodes of this graph, so `node` is never read back.
static mp_int_t graph_run(graph_obj_t *self, mp_int_t node, mp_int_t last) {
    for (int32_t done = 0; node < last; node += done == 0) {
        self->node = (int32_t)node;
        poll_events(self->base.type, self->gate);
        self->node = (int32_t)node;
        if (!run_slice(self, (int32_t)node, &done)) {
            break;
        }
    }
    return node;
}

// Begins a run of the whole model. Returns 0, or the GATE_... that forbids it, negative.
static mp_int_t graph_begin(graph_obj_t *self) {
    gate_t *gate = self->gate;
    if (gate == NULL) {
        return 0;
    }
    const int32_t found = gate_enter(self->base.type, gate);
    if (found != GATE_IDLE) {
        return -found;
    }
    if (self->watched != NULL && has_moved(self->watched)) {
        gate_leave(gate);
        return -GATE_MOVED;
    }
    if (gate->runs != self->turn) {
        gate_leave(gate);
        return -GATE_UNSET;
    }
    gate->runs = (gate->runs + 1) & RUNS_MAX;
    if (self->keeps) {
        self->turn = gate->runs;
    }
    return 0;
}

// Ends it, if it has begun: *refused* is what graph_begin returned.
static void graph_end(graph_obj_t *self, mp_int_t refused) {
    if (refused == 0 && self->gate != NULL) {
        gate_leave(self->gate);
    }
}

#ifdef TFLM_CORES
// The same, with the second core where it is wanted.
static mp_int_t graph_run_on_cores(graph_obj_t *self, mp_int_t node, mp_int_t last) {
    const tflm_lending_t lending = tflm_lend_core();
    if (lending == TFLM_ONE_CORE) {
        return graph_run(self, node, last);
    }
    if (lending == TFLM_HAS_THREAD) {
        graph_end(self, 0);
        tflm_refuse_thread();
    }
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) {
        tflm_return_core();
        nlr_jump(nlr.ret_val);
    }
    node = graph_run(self, node, last);
    nlr_pop();
    tflm_return_core();
    return node;
}
#else
#define graph_run_on_cores graph_run
#endif

// Runs all nodes of a run that has begun, and ends it; returns how many it could not run.
static mp_int_t graph_run_all(graph_obj_t *self) {
    #if TFLM_GUARDED
    guard_t guard;
    if (guard_push(&guard) != 0) {
        graph_end(self, 0);
        guard_raise(&guard);
    }
    #endif
    const mp_int_t left = self->count - graph_run_on_cores(self, self->first, self->count);
    #if TFLM_GUARDED
    guard_pop();
    #endif
    graph_end(self, 0);
    return left;
}

// graph() runs all nodes, once at a time; returns how many are left, from the first that it cannot
// run, or why it ran none, as `begin` does.
// graph(first, last=count) runs nodes first..last-1 of a run that has begun; returns the same.
static mp_obj_t graph_call(mp_obj_t self_in, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    graph_obj_t *self = MP_OBJ_TO_PTR(self_in);
    mp_int_t first = 0, last = self->count;
    if (n_args == 0 && n_kw == 0) {
        const mp_int_t refused = graph_begin(self);
        return MP_OBJ_NEW_SMALL_INT(refused != 0 ? refused : graph_run_all(self));
    }
    mp_arg_check_num(n_args, n_kw, 0, 2, false);
    if (n_args > 1) {
        last = get_index(args[1], 0, (size_t)last, MP_ERROR_TEXT("last"));
    }
    first = get_index(args[0], 0, (size_t)last, MP_ERROR_TEXT("first"));
    return MP_OBJ_NEW_SMALL_INT(last - graph_run_on_cores(self, first, last));
}

static mp_obj_t begin(mp_obj_t self_in) {
    return MP_OBJ_NEW_SMALL_INT(graph_begin(MP_OBJ_TO_PTR(self_in)));
}
static MP_DEFINE_CONST_FUN_OBJ_1(begin_obj, begin);

// end(what begin returned); nothing where that is no 0, or is not known
static mp_obj_t end(mp_obj_t self_in, mp_obj_t refused) {
    graph_end(MP_OBJ_TO_PTR(self_in), refused != MP_OBJ_NEW_SMALL_INT(0));
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_2(end_obj, end);

#include "binding_feed.h"

static void graph_attr(mp_obj_t self_in, qstr attr, mp_obj_t *dest) {
    graph_obj_t *self = MP_OBJ_TO_PTR(self_in);
    if (dest[0] != MP_OBJ_NULL) {
        if (attr == MP_QSTR_first && dest[1] != MP_OBJ_NULL) {
            self->first =
                (int32_t)get_index(dest[1], 0, (size_t)self->count, MP_ERROR_TEXT("first"));
            dest[0] = MP_OBJ_NULL;
        } else if (attr == MP_QSTR_turn && dest[1] != MP_OBJ_NULL) {
            self->turn = (int32_t)get_index(dest[1], -1, RUNS_MAX, MP_ERROR_TEXT("turn"));
            dest[0] = MP_OBJ_NULL;
        } else if (attr == MP_QSTR_keeps && dest[1] != MP_OBJ_NULL) {
            self->keeps = dest[1] == mp_const_true;
            dest[0] = MP_OBJ_NULL;
        }
        return;
    }
    if (attr == MP_QSTR_turn) {
        dest[0] = MP_OBJ_NEW_SMALL_INT(self->turn);
    } else if (attr == MP_QSTR_keeps) {
        dest[0] = self->keeps ? mp_const_true : mp_const_false;
    } else if (attr == MP_QSTR_node || attr == MP_QSTR_first) {
        dest[0] = MP_OBJ_NEW_SMALL_INT(attr == MP_QSTR_node ? self->node : self->first);
    } else if (attr == MP_QSTR_begin || attr == MP_QSTR_end) {
        dest[0] = MP_OBJ_FROM_PTR(attr == MP_QSTR_begin ? &begin_obj : &end_obj);
        dest[1] = self_in;
    } else if (attr == MP_QSTR_feed) {
        dest[0] = MP_OBJ_FROM_PTR(&feed_obj);
        dest[1] = self_in;
    }
}

static mp_obj_t form(mp_obj_t kernel) {
    const mp_int_t number = get_int(kernel);
    const bool is_known = number >= 0 && number < TFLM_KERNEL_COUNT;
    return MP_OBJ_NEW_SMALL_INT(is_known ? tflm_form((int32_t)number) : 0);
}
static MP_DEFINE_CONST_FUN_OBJ_1(form_obj, form);

// checksum(buf, start, end) of the words there; None where they are not aligned in memory. Finds
// any change of one word, and all but one in 2^32 of others: accidents, no forgeries.
static mp_obj_t checksum(mp_obj_t buf_in, mp_obj_t start_in, mp_obj_t end_in) {
    mp_buffer_info_t buf;
    mp_get_buffer_raise(buf_in, &buf, MP_BUFFER_READ);
    const size_t end = (size_t)get_index(end_in, 0, buf.len, MP_ERROR_TEXT("end"));
    const size_t start = (size_t)get_index(start_in, 0, end, MP_ERROR_TEXT("start"));
    const uint32_t *word = (const void *)((const uint8_t *)buf.buf + start);
    if ((uintptr_t)word % sizeof(*word) != 0) {
        return mp_const_none;
    }
    return mp_obj_new_int((int32_t)tflm_checksum(word, (end - start) / sizeof(*word)));
}
static MP_DEFINE_CONST_FUN_OBJ_3(checksum_obj, checksum);
