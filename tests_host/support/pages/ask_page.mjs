// ask_page.mjs PAGE MICROPYTHON SOURCES: what the built page answers for each model that stdin names.
// Node runs the page's own engine on what the page has packed; a line of JSON for each model.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [page, micropython, sources] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(micropython));
const { unpacked } = await import(pathToFileURL(path.join(sources, "engine.mjs")));
const { answer } = await import(pathToFileURL(path.join(sources, "arena", "answer.mjs")));
const text = fs.readFileSync(page, "utf8");
const part = id => new RegExp(`id="${id}">([^<]*)<`).exec(text)[1];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tflm-"));
try {
    const wasm = path.join(folder, "micropython.wasm");
    fs.writeFileSync(wasm, await unpacked(part("wasm")));
    const { files } = JSON.parse(new TextDecoder().decode(await unpacked(part("files"))));
    for (const name of fs.readFileSync(0, "utf8").split("\n").filter(line => line)) {
        const bytes = new Uint8Array(fs.readFileSync(name));
        const start = performance.now();
        const found = await answer(loadMicroPython, wasm, files, name, bytes);
        const milliseconds = performance.now() - start;
        process.stdout.write(JSON.stringify({ name, milliseconds, ...found }) + "\n");
    }
} finally {
    fs.rmSync(folder, { recursive: true });
}
