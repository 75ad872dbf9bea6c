// ask_run.mjs FOLDER MICROPYTHON: runs models with the page's own engine, in Node. Each line of stdin
// is JSON: {"model", "inputs": [files of raw bytes]}, with "front" and "sound" for what the front
// end takes, or with "frame" {file, width, height} and "options" what the camera gives. A line of JSON
// for each is what the page gets.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [sources, micropython, packed] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(micropython));
const { open } = await import(pathToFileURL(path.join(sources, "runner.mjs")));
const { files } = JSON.parse(fs.readFileSync(path.join(packed, "files.json"), "utf8"));
const tools = {
    wasm: path.join(path.dirname(micropython), "micropython.wasm"), files,
    kernels: fs.readFileSync(path.join(packed, "kernels.wasm")),
};
const read = file => new Uint8Array(fs.readFileSync(file));
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(text => text)) {
    const plan = JSON.parse(line);
    const model = await open(loadMicroPython, tools, read(plan.model));
    const said = [model.facts];
    if (plan.front) {
        said.push(model.loadFront(read(plan.front)));
        said.push(model.put(0, { samples: new Int16Array(read(plan.sound).buffer) }));
    }
    if (plan.frame) said.push(model.look(0, { ...plan.frame, pixels: read(plan.frame.file) }, plan.options));
    (plan.inputs ?? []).forEach((file, i) => said.push(model.put(i, { bytes: read(file) })));
    const fitted = said.at(-1).hex;
    const start = performance.now();
    const refused = () => said.map(found => found.error).find(text => text);
    if (!refused()) said.push(model.run());
    const milliseconds = performance.now() - start;
    const things = plan.frame && !refused() ? model.find(0, plan.labels ?? null) : {};
    const answer = { milliseconds, facts: model.facts, fitted, ...things, ...said.at(-1), error: refused() };
    process.stdout.write(JSON.stringify(answer) + "\n");
}
