import { start, unpacked } from "../engine.mjs";
import { kernels } from "../run/kernels.mjs";

// The worker of the page: MicroPython's own REPL. It takes messages {kind: "start", "enter", "complete",
// "cancel" or "file"} and posts {kind: "out"} while code runs, {kind: "prompt"} when the REPL waits.

const BELL = 7, NEWLINE = 10;
const PAUSE = 50;  // milliseconds
const CTRL_C = "\x03", CTRL_D = "\x04", CTRL_E = "\x05", CTRL_U = "\x15", ENTER = "\r", TAB = "\t";
const PROMPT = /(>>> |\.\.\. |=== )( *)$/;
const MOVES = /\x1b\[[0-9;]*[A-Za-z]/g;  // of the cursor of a terminal
let python = null, bytes = [];
let isEcho = false;  // what comes up to the next newline repeats what was typed
let isRunning = false;  // complete lines are posted, PAUSE apart, so that the page keeps up
let posted = 0;  // when the latest were

function print([byte]) {
    if (byte !== BELL) bytes.push(byte);
    if (byte !== NEWLINE || !isRunning) return;
    if (isEcho) bytes = [];
    else if (performance.now() - posted > PAUSE) {
        postMessage({kind: "out", text: taken()});
        posted = performance.now();
    }
    isEcho = false;
}

function taken() {
    const text = new TextDecoder().decode(new Uint8Array(bytes)).replaceAll("\r", "").replace(MOVES, "");
    bytes = [];
    return text;
}

// Types *text* and returns what the REPL prints at once.
function type(text) {
    for (const byte of new TextEncoder().encode(text)) python.replProcessChar(byte);
    return taken();
}

// Presses *key*, which runs what was typed; posts its output, then the prompt and its indentation.
function press(key) {
    isRunning = isEcho = true;
    const rest = type(key);
    isRunning = false;
    const [, prompt, indent] = rest.match(PROMPT) ?? [null, ">>> ", ""];
    const text = rest.replace(PROMPT, "");
    if (text) postMessage({kind: "out", text});
    postMessage({kind: "prompt", prompt: prompt.trim(), indent});
}

// Runs one line as typed, several lines as MicroPython's paste mode does.
function enter(text) {
    const isBlock = text.includes("\n");
    if (isBlock) type(CTRL_C + CTRL_E);
    else type(CTRL_U);
    type(isBlock ? text.replaceAll("\n", ENTER) : text);
    press(isBlock ? CTRL_D : ENTER);
}

// Posts *text* as the REPL completes it, or the names that it may become.
function complete(text) {
    type(CTRL_U + text);
    const [added, ...lines] = type(TAB).split("\n");
    type(CTRL_U);
    const choices = lines.slice(0, -1).join(" ").split(/\s+/).filter(name => name);
    postMessage({kind: "completed", text: lines.length ? text : text + added, choices});
}

function write({path, data}) {
    python.FS.writeFile(path, data);
}

async function begin({wasm, packed, files, stored}) {
    const url = URL.createObjectURL(new Blob([await unpacked(wasm)], {type: "application/wasm"}));
    python = await start(loadMicroPython, url, files, new Uint8Array(), null, print);
    python.registerJsModule("kernels", await kernels(await unpacked(packed), python));
    python.FS.mkdir("/rom");
    stored.forEach(write);
    python.replInit();
    postMessage({kind: "banner", text: taken().replace(PROMPT, "").trim().split("\n")[0]});
}

const TAKES = {start: begin, file: write, enter: ({text}) => enter(text),
    complete: ({text}) => complete(text), cancel: () => type(CTRL_C)};

let turn = Promise.resolve();  // what the next message waits for: Python takes none before it has started

addEventListener("message", ({data}) => {
    turn = turn.then(async () => {
        try {
            await TAKES[data.kind](data);
        } catch (error) {
            postMessage({kind: "failed", text: `the page failed, which is a bug: ${error.message}\n`});
        }
    });
});
