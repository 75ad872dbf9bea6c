// The C kernels as WebAssembly, as _tflm.py calls them.
//
// They have a memory of their own: a run gets a copy of the arena and of the model, and the arena
// goes back. So they share nothing with MicroPython but the numbers below.

const ALIGNMENT = 16;
const PAGE = 65536;
const FACTS = 16;  // bytes of tflm_spaces_t and tflm_place_t
const SLICES = 0x7fffffff;  // nothing else waits for this run
const BUDGET = 1 << 22;

const aligned = n => (n + ALIGNMENT - 1) & -ALIGNMENT;

// The module `kernels` of *python*. *wasm* is their bytes.
export async function kernels(wasm, python) {
    const { instance } = await WebAssembly.instantiate(wasm);
    const { memory, tflm_run, tflm_form, tflm_fence, __heap_base } = instance.exports;
    const facts = aligned(__heap_base.value);
    const arenaAt = aligned(facts + FACTS);

    function grow(bytes) {
        const more = bytes - memory.buffer.byteLength;
        if (more > 0) memory.grow(Math.ceil(more / PAGE));
    }

    // Runs the nodes first..last-1 of the table; returns the node at which the run ended.
    function run(arena, arenaBytes, model, modelBytes, table, first, last) {
        const modelAt = aligned(arenaAt + arenaBytes);
        grow(modelAt + modelBytes);
        const theirs = python._module.HEAPU8;
        const own = new Uint8Array(memory.buffer);
        own.set(theirs.subarray(arena, arena + arenaBytes), arenaAt);
        own.set(theirs.subarray(model, model + modelBytes), modelAt);
        const words = new Int32Array(memory.buffer, facts, FACTS / 4);
        words.set([arenaAt, modelAt, first, 0]);
        tflm_run(facts, table, facts + 8, last, SLICES, BUDGET);
        theirs.set(own.subarray(arenaAt, arenaAt + arenaBytes), arena);
        return words[2];
    }

    // Checks the snapshot whose header is at that byte of a file.
    function fence(file, bytes, header) {
        grow(facts + bytes);
        const theirs = python._module.HEAPU8;
        new Uint8Array(memory.buffer).set(theirs.subarray(file, file + bytes), facts);
        return tflm_fence(facts, bytes, header);
    }

    return { run, fence, form: kernel => tflm_form(kernel) };
}
