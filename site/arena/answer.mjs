import { failure, start } from "../engine.mjs";

// What the model of these *bytes* gets: see answer.py. *files* is {path: text}.
export async function answer(loadMicroPython, wasm, files, name, bytes) {
    const printed = [];
    const python = await start(loadMicroPython, wasm, files, bytes, printed);
    try {
        return JSON.parse(python.inside(() => {
            python.globals.set("name", name);
            python.runPython("from answer import answer\nfound = answer('/model', name)");
            return python.globals.get("found");
        }));
    } catch (error) {
        return failure(error, printed);
    }
}
