// MicroPython as WebAssembly, with the package tflm in its file system.

const HEAP_BASE = 24 << 20;  // bytes for Python, besides the model
const PYSTACK = 1 << 16;
// MicroPython's JavaScript keeps these in globalThis: the proxies of every MicroPython use those of
// the one that started last.
const SHARED = ["Module", "proxy_js_ref", "proxy_js_ref_next", "proxy_js_map", "proxy_js_existing",
    "pyProxyFinalizationRegistry"];

// The bytes behind a text of base64 that was packed with gzip.
export async function unpacked(text) {
    const packed = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

function exchanged(values) {
    const before = SHARED.map(name => globalThis[name]);
    SHARED.forEach((name, i) => { globalThis[name] = values[i]; });
    return before;
}

// Gives *python* its method inside(call), which returns call(). Only there its proxies may be used:
// elsewhere they call another MicroPython, once one has started. So does what frees dropped proxies.
function keepApart(python) {
    globalThis.pyProxyFinalizationRegistry = new FinalizationRegistry(reference => python.inside(() => {
        globalThis.proxy_js_map.delete(reference);
        python._module.ccall("proxy_c_free_obj", "null", ["number"], [reference]);
    }));
    let own = SHARED.map(name => globalThis[name]);
    python.inside = call => {
        const others = exchanged(own);
        try {
            return call();
        } finally {
            own = exchanged(others);
        }
    };
}

// A MicroPython of its own for the model of these *bytes*, which is its file /model: so nothing of
// one model is left for the next. *files* is {path: text}; print() appends lines to *printed*, or
// hands bytes to *print*, where that is given.
export async function start(loadMicroPython, wasm, files, bytes, printed, print) {
    const said = print ?? (line => printed.push(line));
    const python = await loadMicroPython({
        url: wasm, heapsize: HEAP_BASE + 4 * bytes.length, pystack: PYSTACK,
        stdout: said, stderr: said, linebuffer: !print,
    });
    keepApart(python);
    const made = new Set([""]);
    for (const [path, text] of Object.entries(files)) {
        const folders = path.split("/").slice(0, -1);
        for (let i = 1; i <= folders.length; i++) {
            const folder = folders.slice(0, i).join("/");
            if (!made.has(folder)) python.FS.mkdir("/" + folder);
            made.add(folder);
        }
        python.FS.writeFile("/" + path, text);
    }
    python.FS.writeFile("/model", bytes);
    python.inside(() => python.runPython("import sys\nsys.path.append('/')"));
    return python;
}

// What is said where Python fails on a model without an error of ours.
export function failure(error, printed) {
    return {error: `the page failed on it, which is a bug: ${error.message} ${printed.join(" ")}`};
}
