// two_runs.mjs FOLDER MICROPYTHON PACKED: two models in one page. Each line of stdin is JSON, {"model",
// "input"}: files. Each model runs alone, then all run in turns. A line of JSON for each is {"hex":
// [the output of each run], "errors": [...]}.
//
// What the first has dropped is collected at the worst moment: just before MicroPython starts anew.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");
const TURNS = 20;
const [sources, micropython, packed] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(micropython));
const { open } = await import(pathToFileURL(path.join(sources, "runner.mjs")));
const { files } = JSON.parse(fs.readFileSync(path.join(packed, "files.json"), "utf8"));
const tools = {
    wasm: path.join(path.dirname(micropython), "micropython.wasm"), files,
    kernels: fs.readFileSync(path.join(packed, "kernels.wasm")),
};
const plans = fs.readFileSync(0, "utf8").split("\n").filter(text => text).map(line => JSON.parse(line));
const read = file => new Uint8Array(fs.readFileSync(file));
const nextTask = () => new Promise(done => setTimeout(done, 5));
const answers = plans.map(() => ({ hex: [], errors: [] }));
const models = [];

function turn(i) {
    const bytes = read(plans[i].input);
    models[i].digest(bytes);
    const found = [models[i].put(0, { bytes }), models[i].find(0, null), models[i].run()];
    answers[i].errors.push(...found.map(({ error }) => error).filter(error => error));
    answers[i].hex.push(found.at(-1).outputs?.[0].hex);
}

let latest;
Object.defineProperty(globalThis, "Module", {
    get: () => latest,
    set(module) {
        if (module !== latest) collect();
        latest = module;
    },
});
for (const [i, { model }] of plans.entries()) {
    models.push(await open(loadMicroPython, tools, read(model)));
    for (let number = 0; number < TURNS; number++) {
        turn(i);
        await nextTask();
    }
}
for (let number = 0; number < TURNS; number++) {
    for (const i of plans.keys()) turn(i);
    await nextTask();
}
for (const answer of answers) process.stdout.write(JSON.stringify(answer) + "\n");
