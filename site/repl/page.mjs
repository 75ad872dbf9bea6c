const byId = id => document.getElementById(id);
const [entry, log] = [byId("entry"), byId("log")];
const LARGEST = 16 << 20;  // bytes of a file: Python's heap has 24 MB
const KEPT = 100_000;  // characters of the transcript
const history = [];
const added = new Map();  // bytes by path of the files that were added
const WITHOUT = {"file:": "A browser starts no Python from a disk. Serve the folder: python -m http.server"};
let place = 0, draft = "", worker = null, isBusy = true, prompt = ">>>", mark = null, tools = null;

async function unpacked(text) {
    const packed = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
}

// Appends *text* to the transcript, in the block of what runs now.
function show(text, kind) {
    const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const isError = kind === "out" && (mark === "error" || text.startsWith("Traceback "));
    if (kind === "out") mark = isError ? "error" : "out";
    const last = log.lastElementChild;
    const name = isError ? "error" : kind;
    if (last?.className === name && kind === "out") last.append(text);
    else log.append(Object.assign(document.createElement("pre"), {className: name, textContent: text}));
    shorten();
    if (isNear || kind === "typed") log.scrollTop = log.scrollHeight;
}

// Drops the oldest text of a long transcript.
function shorten() {
    let surplus = log.textContent.length - KEPT;
    while (surplus > 0) {
        const oldest = log.firstElementChild;
        const part = oldest.childNodes.length > 1 ? oldest.firstChild : oldest;
        surplus -= part.textContent.length;
        part.remove();
    }
}

function wait(isNow) {
    isBusy = isNow;
    byId("run").disabled = isNow;
    byId("stop").disabled = !isNow;
    document.body.dataset.busy = isNow;
}

function ask(text, indent) {
    prompt = text;
    byId("prompt").textContent = text;
    entry.value = indent;
    resize();
    wait(false);
}

const HEARD = {
    banner({text}) {
        show(`${text}\n`, "note");
        ask(">>>", "");
        document.body.dataset.ready ??= performance.now().toFixed(0);
        typeNext();
    },
    failed: ({text}) => show(text, "error"),
    out: ({text}) => show(text, "out"),
    prompt({prompt: text, indent}) {
        ask(text, indent);
        typeNext();
    },
    completed({text, choices}) {
        entry.value = text;
        if (choices.length) show(choices.join("  ") + "\n", "note");
        wait(false);
    },
};

function begin() {
    const own = worker = new Worker(tools.url, {type: "module"});
    // What an earlier one still had to say nobody hears.
    worker.addEventListener("message", ({data}) => { if (own === worker) HEARD[data.kind](data); });
    worker.addEventListener("error", ({message}) => show(`${WITHOUT[location.protocol] ?? message}\n`, "error"));
    const wasm = byId("wasm").textContent, packed = byId("kernels").textContent;
    const kept = [...added].map(([path, data]) => ({path, data}));
    worker.postMessage({kind: "start", wasm, packed, files: tools.files, stored: [...tools.stored, ...kept]});
}

function enter(text) {
    if (isBusy) return;
    const lines = text.split("\n");
    show(lines.map((line, i) => `${i ? "..." : prompt} ${line}`).join("\n") + "\n", "typed");
    if (text.trim() && history.at(-1) !== text) history.push(text);
    [place, draft, mark] = [history.length, "", null];
    entry.value = "";
    wait(true);
    worker.postMessage({kind: "enter", text});
}

// Ends a program, which nothing else can do in a browser; at the prompt it drops the line.
function stop() {
    if (!isBusy) {
        show(`${prompt} ${entry.value}\n`, "typed");
        worker.postMessage({kind: "cancel"});
        return ask(">>>", "");
    }
    worker.terminate();
    worker = null;
    queue.length = 0;
    show("Stopped. Python starts again with the files that you added. Variables and written files are gone.\n", "note");
    begin();
}

function recall(step) {
    if (place === history.length) draft = entry.value;
    place = Math.min(Math.max(place + step, 0), history.length);
    entry.value = history[place] ?? draft;
    resize();
}

function resize() {
    entry.rows = Math.min(entry.value.split("\n").length, 12);
}

const before = () => entry.value.slice(0, entry.selectionStart);
const after = () => entry.value.slice(entry.selectionEnd);

const KEYS = {
    Enter: () => enter(entry.value),
    ArrowUp: () => !before().includes("\n") && (recall(-1), true),
    ArrowDown: () => !after().includes("\n") && (recall(1), true),
    // Tab completes a name; before any text it moves on, as everywhere else.
    Tab() {
        if (!before().trim() || after() || before().includes("\n") || isBusy) return false;
        wait(true);
        worker.postMessage({kind: "complete", text: before()});
        return true;
    },
};

function press(event) {
    if (event.shiftKey || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
        if (event.key === "c" && entry.selectionStart === entry.selectionEnd) stop();
        else if (event.key === "l") log.replaceChildren();
        else return;
        return event.preventDefault();
    }
    if (KEYS[event.key] && KEYS[event.key]() !== false) event.preventDefault();
}

async function add(files) {
    for (const file of files) {
        const path = `/${file.name}`;
        if (file.size > LARGEST) {
            show(`${file.name}: ${file.size} bytes are more than this Python has room for\n`, "error");
            continue;
        }
        const data = new Uint8Array(await file.arrayBuffer());
        added.set(path, data);
        worker?.postMessage({kind: "file", path, data});
        show(`${path}: ${file.size.toLocaleString("en")} bytes\n`, "note");
    }
}

const queue = [];  // what a button types, once Python waits

function typeNext() {
    if (queue.length) enter(queue.shift());
}

function tryOut(text) {
    queue.push(text.trim());
    if (!isBusy) typeNext();
    entry.focus();
}

entry.addEventListener("keydown", press);
entry.addEventListener("input", resize);
byId("run").addEventListener("click", () => enter(entry.value));
byId("stop").addEventListener("click", stop);
byId("empty").addEventListener("click", () => log.replaceChildren());
// so that the same file is taken again
byId("file").addEventListener("click", () => { byId("file").value = ""; });
byId("file").addEventListener("change", event => add([...event.target.files]));
for (const button of document.querySelectorAll("[data-types]")) {
    button.addEventListener("click", () => tryOut(byId(button.dataset.types).textContent));
}
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, event => {
        event.preventDefault();
        document.body.classList.toggle("over", kind === "dragover" || kind === "dragenter");
        if (kind === "drop") add([...event.dataTransfer.files]);
    });
}

wait(true);
byId("all").hidden = false;
const {files, samples, worker: script} = JSON.parse(await unpacked(byId("files").textContent));
const stored = Object.entries(samples).map(([name, text]) => (
    {path: `/rom/${name}`, data: Uint8Array.from(atob(text), c => c.charCodeAt(0))}));
tools = {files, stored, url: URL.createObjectURL(new Blob([script], {type: "text/javascript"}))};
begin();
