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
    const { tflm_fit_size, tflm_fit_make, tflm_fit_begin, tflm_fit_feed } = instance.exports;
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

    // Copies pieces [address, bytes] of MicroPython's memory behind each other; returns where they are,
    // and the function that copies piece number i back.
    function copied(...pieces) {
        const places = [facts];
        for (const [, bytes] of pieces) places.push(aligned(places.at(-1) + bytes));
        grow(places.at(-1));
        const own = new Uint8Array(memory.buffer);
        pieces.forEach(([at, bytes], i) => own.set(python._module.HEAPU8.subarray(at, at + bytes), places[i]));
        const back = i => python._module.HEAPU8.set(own.subarray(places[i], places[i] + pieces[i][1]), pieces[i][0]);
        return { places, back };
    }

    // The bytes of the state for a tflm_picture_t of these *bytes*, 0 where there can be none.
    const fitSize = (words, bytes) => tflm_fit_size(copied([words, bytes]).places[0]);

    function fitMake(state, stateBytes, words, bytes, table, tableBytes) {
        const { places, back } = copied([state, stateBytes], [words, bytes], [table, tableBytes]);
        tflm_fit_make(...places.slice(0, 3));
        back(0);
    }

    // Feeds *count* rows from number *start* on, into *out*; *begins*: a frame begins.
    function fitFeed(state, stateBytes, rows, rowsBytes, out, outBytes, count, start, isRow, begins) {
        const { places, back } = copied([state, stateBytes], [rows, rowsBytes], [out, outBytes]);
        if (begins) tflm_fit_begin(places[0]);
        const done = tflm_fit_feed(places[0], places[1], count, start, isRow, places[2]);
        back(0);
        back(2);
        return done;
    }

    return { run, fence, form: kernel => tflm_form(kernel), fitSize, fitMake, fitFeed };
}
