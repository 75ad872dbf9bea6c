import { failure, start } from "../engine.mjs";

// What the model of these *bytes* gets: see answer.py. *files* is {path: text}.
export async function answer(loadMicroPython, wasm, files, name, bytes) {
    const printed = [];
    const python = await start(loadMicroPython, wasm, files, bytes, printed);
    python.globals.set("name", name);
    try {
        python.runPython("from answer import answer\nfound = answer('/model', name)");
        return JSON.parse(python.globals.get("found"));
    } catch (error) {
        return failure(error, printed);
    }
}
