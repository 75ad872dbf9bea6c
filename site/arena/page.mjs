import { unpacked } from "../engine.mjs";
import { answer } from "./answer.mjs";

const byId = id => document.getElementById(id);
const LARGEST = 64 << 20;
let tools = null;

// {wasm: URL, files, samples}: what the page brings along, unpacked once.
async function unpackTools() {
    const wasm = await unpacked(byId("wasm").textContent);
    const text = new TextDecoder().decode(await unpacked(byId("files").textContent));
    const {files, samples} = JSON.parse(text);
    const url = URL.createObjectURL(new Blob([wasm], {type: "application/wasm"}));
    return {wasm: url, files, samples};
}

function say(text) {
    byId("status").textContent = text;
}

function show(name, found) {
    const section = document.createElement("section");
    const title = document.createElement("h1");
    title.textContent = name;
    section.append(title);
    if (found.error) {
        const line = document.createElement("p");
        line.className = "no error";
        line.textContent = found.error;
        section.append(line);
    } else {
        const rest = document.createElement("div");
        rest.innerHTML = found.html;  // whose names of tensors are escaped
        section.append(rest);
    }
    section.dataset.facts = JSON.stringify(found.facts || null);
    byId("answers").prepend(section);
    byId("empty").hidden = false;
}

async function measure(name, bytes) {
    say(`measuring ${name}`);
    await new Promise(done => setTimeout(done, 20));  // to be painted
    const start = performance.now();
    tools ??= await unpackTools();
    const found = bytes.length > LARGEST
        ? {error: `${bytes.length} bytes are no model for a microcontroller`}
        : await answer(loadMicroPython, tools.wasm, tools.files, name, bytes);
    show(name, found);
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    say(`${name}: ${seconds} s, all of it in this browser`);
}

async function take(files) {
    for (const file of files) await measure(file.name, new Uint8Array(await file.arrayBuffer()));
}

async function sample() {
    tools ??= await unpackTools();
    for (const [name, text] of Object.entries(tools.samples)) {
        await measure(name, Uint8Array.from(atob(text), c => c.charCodeAt(0)));
    }
}

byId("file").addEventListener("change", event => take([...event.target.files]));
function empty() {
    byId("answers").replaceChildren();
    byId("empty").hidden = true;
    byId("file").value = "";
    byId("file").focus();
    say("");
}

// so that the same file is taken again
byId("file").addEventListener("click", () => { byId("file").value = ""; });
byId("empty").addEventListener("click", empty);
byId("sample").addEventListener("click", sample);
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, event => {
        event.preventDefault();
        byId("drop").classList.toggle("over", kind === "dragover" || kind === "dragenter");
        if (kind === "drop") take([...event.dataTransfer.files]);
    });
}
globalThis.tflmMeasure = measure;
byId("drop").hidden = false;
say(typeof DecompressionStream === "undefined"
    ? "This browser is too old: it needs DecompressionStream (2023 and later)." : "");
