import { failure, start } from "../engine.mjs";
import { kernels } from "./kernels.mjs";

// A model that runs: MicroPython with session.py, whose functions these are. All return what
// session.py returns, an object with `error` where something was refused. *module* is one that has
// session.py's functions and more, which ask() calls.
export async function open(loadMicroPython, tools, bytes, module = "session") {
    const printed = [];
    const python = await start(loadMicroPython, tools.wasm, tools.files, bytes, printed);
    const imported = await kernels(tools.kernels, python);
    const session = python.inside(() => {
        python.registerJsModule("kernels", imported);
        return python.pyimport(module);
    });

    function ask(name, ...values) {
        try {
            return JSON.parse(python.inside(() => session[name](...values))) ?? {};
        } catch (error) {
            return failure(error, printed);
        }
    }

    function withFile(name, data, ...values) {
        python.FS.writeFile("/input", new Uint8Array(data.buffer ?? data));
        return ask(name, ...values, "/input");
    }

    return {
        ask,
        facts: ask("load", "/model"),
        file: path => python.FS.readFile(path),
        // The things that a detector finds in the last frame, or null where there is no detector.
        find: (which, labels) => ask("find", which, JSON.stringify(labels)),
        // The SHA-256 of bytes.
        digest: bytes => withFile("digest", bytes.slice()).hex,
        run: () => ask("run"),
        // Fits a frame, RGB, into an input by tflm.image.Fit with these *options*; returns its bytes in hex.
        look: (which, {width, height, pixels}, options) =>
            withFile("look", pixels, which, width, height, JSON.stringify(options)),
        loadFront: data => withFile("load_front", data),
        // Fills an input with {bytes}, {numbers} or the int16 {samples} that the front end takes.
        put(which, {bytes, numbers, samples}) {
            if (bytes) return withFile("put_bytes", bytes.slice(), which);
            if (samples) return withFile("put_sound", samples, which);
            return ask("put_numbers", which, JSON.stringify(numbers));
        },
    };
}
