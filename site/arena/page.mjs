import { unpacked } from "../engine.mjs";
import { answer } from "./answer.mjs";

const byId = id => document.getElementById(id);
const LARGEST = 64 << 20;
let tools = null;
let turn = Promise.resolve();  // what the next files wait for
let clears = 0;  // how often all was cleared

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
    const before = clears;
    say(`measuring ${name}`);
    await new Promise(done => setTimeout(done, 20));  // to be painted
    const start = performance.now();
    tools ??= await unpackTools();
    const found = bytes.length > LARGEST
        ? {error: `${bytes.length} bytes are no model for a microcontroller`}
        : await answer(loadMicroPython, tools.wasm, tools.files, name, bytes);
    if (clears !== before) return;
    show(name, found);
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    say(`${name}: ${seconds} s, all of it in this browser`);
}

// Measures *files* after those that came before, unless all is cleared meanwhile.
function take(files) {
    const before = clears;
    turn = turn.then(async () => {
        for (const file of files) {
            if (clears !== before) return;
            try {
                await measure(file.name, new Uint8Array(await file.arrayBuffer()));
            } catch (error) {  // a folder, for example
                show(file.name, {error: error.message});
            }
        }
    });
}

async function sample() {
    tools ??= await unpackTools();
    take(Object.entries(tools.samples).map(
        ([name, text]) => new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name)));
}

byId("file").addEventListener("change", event => take([...event.target.files]));
function empty() {
    clears++;
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
byId("drop").hidden = false;
say(typeof DecompressionStream === "undefined"
    ? "This browser is too old: it needs DecompressionStream (2023 and later)." : "");
