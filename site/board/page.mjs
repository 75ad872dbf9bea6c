import { unpacked } from "../engine.mjs";
import { asPad } from "../run/pad.mjs";
import { open } from "../run/runner.mjs";
import { channelsOf, drawn, elementsOf, pictureShape, resized, tableOf } from "../run/samples.mjs";
import { element, paint, result, rgbaOf } from "../run/shown.mjs";
import { deployed, identified, loaded, planned, reason, run, there } from "./deployment.mjs";
import { Board } from "./serial.mjs";

const byId = id => document.getElementById(id);
const PICTURE = /\.(png|jpe?g|bmp|gif|webp)$/i;
const LARGEST = 16 << 20;  // bytes of a model that a microcontroller may have room for
const NO_SERIAL = "This browser cannot talk to boards: it lacks Web Serial. Chrome, Edge and Opera on a PC have it."
    + " Elsewhere, use `tflm deploy` or mpremote.";
const GONE = "No port was chosen. A board shows up here a second after it is plugged in, without BOOTSEL.";
const count = number => number.toLocaleString("en");

let tools = null, board = null, model = null, name = "", labels = null, nextDigit = 0;
let isOnBoard = false;  // whether the board has *model* loaded, so that inputs go there
let isBusy = true;  // until the page is ready
let latest = null;  // input, and what this browser made of it
let waiting = null;  // the same, until the board has run it

async function unpackTools() {
    const text = new TextDecoder().decode(await unpacked(byId("files").textContent));
    const wasm = new Blob([await unpacked(byId("wasm").textContent)], {type: "application/wasm"});
    const kernels = await unpacked(byId("kernels").textContent);
    return {...JSON.parse(text), wasm: URL.createObjectURL(wasm), kernels};
}

function say(place, text, kind = "") {
    byId(place).replaceChildren(element("p", text, {className: kind}));
}

function update() {
    const isThere = board !== null;
    byId("connect").textContent = isThere ? "Disconnect" : "Connect";
    byId("connect").disabled = byId("model-file").disabled = isBusy;
    byId("write").disabled = isBusy || !isThere || !model || !byId("losses").hidden;
    document.body.dataset.busy = isBusy;
}

// Does *work* with the board, one at a time; what fails is said at *place*.
async function busy(place, work) {
    if (isBusy) return;
    isBusy = true;
    update();
    try {
        await work();
    } catch (error) {
        say(place, reason(error), "error");
        if (board?.isLost) await drop(reason(error), "error");
    }
    if (board?.isLost) await drop(board.why, "error");
    isBusy = false;
    update();
    feed();
}

async function drop(text = "Not connected.", kind = "") {
    const left = board;
    [board, isOnBoard] = [null, false];
    hideLosses();
    await left.close();
    say("board", text, kind);
    update();
}

// Board

async function connect() {
    if (board) return busy("board", () => drop());
    let port = null;
    try {
        port = await navigator.serial.requestPort();
    } catch {
        return say("board", GONE);
    }
    await busy("board", async () => {
        say("board", "Asking the board...");
        const asked = new Board(port);
        await asked.open();
        board = asked;
        board.onLost = why => { if (!isBusy) drop(why, "error"); };
        try {
            await identify();
        } catch (error) {
            if (!board.isLost) await drop();
            throw error;
        }
    });
}

async function identify() {
    const facts = await identified(board, tools.scripts);
    const {why} = model.ask("trouble", JSON.stringify(facts));
    const kernels = facts.backends.join(" and ");
    const has = facts.tflm ? `tflm ${facts.tflm}, ${kernels || "no"} kernels` : "no tflm";
    const rom = facts.rom === null ? "none" : facts.rom.join(", ") || "empty";
    const lines = [element("p", `${facts.board}`, {className: "name"}),
        element("p", `MicroPython ${facts.micropython}, ${has}. ${count(facts.heap_free)} bytes of heap are free.`),
        element("p", `/rom: ${rom}`)];
    if (why) lines.push(element("p", `${why}. The list of firmware above says how.`, {className: "error"}));
    else lines.push(element("p", "Ready.", {className: "yes"}));
    mark(facts.board.split(" with ")[0], Boolean(why));
    if (why) await drop();
    byId("board").replaceChildren(...lines);
}

// Shows which firmware is the board's.
function mark(machine, isNeeded) {
    for (const row of document.querySelectorAll("#firmware tr[data-machine]")) {
        row.classList.toggle("own", row.dataset.machine === machine);
    }
    if (isNeeded) byId("firmware").open = true;
}

// Model

async function takeModel(file, bytes) {
    const opened = bytes.length > LARGEST ? {facts: {error: "too large for a microcontroller"}}
        : await open(loadMicroPython, tools, bytes, "plan");
    const {error} = bytes.length > LARGEST ? opened.facts : opened.ask("mistaken", "/model", file);
    const why = error ?? opened.facts.error;
    if (why) {
        say("model", `${file}: ${why}`, "error");
        return;
    }
    [model, name, isOnBoard, waiting, latest] = [opened, file, false, null, null];
    labels = tools.names[model.digest(bytes)] ?? null;
    hideLosses();
    say("answer", "Give the model an input.");
    byId("written").replaceChildren();
    const of = tensor => `${tensor.type} [${tensor.shape}]`;
    const {inputs, outputs, arena_bytes: arena} = model.facts;
    say("model", `${name}: ${count(bytes.length)} bytes, takes ${inputs.map(of).join(", ")}, gives`
        + ` ${outputs.map(of).join(", ")}, arena ${count(arena)} bytes${inputs.length > 1 ? "; inputs after the first are zero" : ""}`);
    const {shape, elements} = inputs[0];
    const picture = pictureShape(shape, elements);
    byId("draw").hidden = !picture || picture[2] !== 1;
    byId("stored").hidden = !picture || elements !== tools.digits[0].length;
    byId("seen").hidden = true;
    clear();
    update();
}

function hideLosses() {
    byId("losses").hidden = true;
}

let plan = null;

function write() {
    return busy("written", async () => {
        say("written", "Checking...");
        plan = await planned(board, tools.scripts, model, name);
        const proof = await there(board, model, plan);
        if (proof) return begin(proof, "was on the board already");
        if (!plan.losses) return send();
        byId("written").replaceChildren();
        byId("loss").textContent = `Writing ${name}: ${plan.losses}. This cannot be undone.`;
        byId("losses").hidden = false;
        byId("keep").focus();
    });
}

function replace() {
    hideLosses();
    return busy("written", send);
}

async function send() {
    const bar = element("progress", "", {max: plan.total, value: 0, ariaLabel: "written"});
    byId("written").replaceChildren(bar);
    isOnBoard = false;
    const proof = await deployed(board, tools.scripts, model, plan, bytes => { bar.value += bytes; });
    await begin(proof, "is on the board");
}

// Lets the board load the model, of which *proof* says what it did.
async function begin(proof, state) {
    await loaded(board, tools.scripts, plan.path);
    isOnBoard = true;
    const place = proof.in_flash ? "read in place" : "copied to RAM";
    say("written", `${plan.path} ${state}, ${place}. Its arena has ${count(proof.arena)} bytes. One run took`
        + ` ${milliseconds(proof.microseconds)}; its outputs are those of this browser.`, "yes");
    update();
    if (latest) waiting = latest;
}

const milliseconds = microseconds => `${(microseconds / 1000).toFixed(1)} ms`;

// Input and output

function answer(note, data) {
    const put = model.put(0, data);
    if (put.error) return say("answer", put.error, "error");
    byId("taken").textContent = note;
    model.facts.inputs.slice(1).forEach((tensor, i) => model.put(i + 1, {bytes: new Uint8Array(tensor.bytes)}));
    const inputs = model.ask("taken").inputs.map(fromHex);
    const here = model.run();
    if (here.error) return say("answer", here.error, "error");
    show(here, "in this browser: the board has no part in it yet");
    latest = waiting = {inputs, here};
    return feed();
}

// Runs the latest input on the board; of those that come meanwhile, the last one.
async function feed() {
    if (!waiting || !isOnBoard || isBusy) return;
    const {inputs, here} = waiting;
    waiting = null;
    await busy("answer", async () => {
        const {microseconds, outputs} = await run(board, inputs);
        const found = model.ask("given", JSON.stringify(outputs));
        const isSame = outputs.every((hex, i) => hex === here.outputs[i].hex);
        const bytes = isSame ? "the same bytes as in this browser" : "other bytes than in this browser";
        show(found, `${milliseconds(microseconds)} on the board, ${bytes}`);
        Object.assign(byId("answer").dataset, {board: outputs.join(" "), taken: inputs.map(toHex).join(" ")});
    });
}

const className = i => labels?.[i] ?? String(i);

function show({outputs}, note) {
    const shown = outputs.flatMap((output, i) => result(model.facts.outputs[i], output, className));
    byId("answer").replaceChildren(...shown, element("p", note, {className: "note"}));
    byId("answer").dataset.hex = outputs.map(output => output.hex).join(" ");
}

const toHex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
const fromHex = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));

function takePixels(note, from) {
    const {shape, elements, type} = model.facts.inputs[0];
    const [height, width] = pictureShape(shape, elements);
    const pixels = resized(from, width, height);
    paint(byId("seen"), pixels, width, height, from.channels);
    return answer(note, elementsOf(pixels, type, null));
}

async function takePicture(file) {
    const {shape, elements, type} = model.facts.inputs[0];
    const picture = pictureShape(shape, elements);
    if (!picture) throw new Error(`a picture does not fit ${type} [${shape}]`);
    const rgba = await rgbaOf(file);
    const note = `${file.name}: ${rgba.width}x${rgba.height} to ${picture[1]}x${picture[0]}`;
    return takePixels(note, channelsOf(rgba, picture[2]));
}

async function takeInput(file) {
    if (PICTURE.test(file.name)) return takePicture(file);
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!/\.(csv|txt)$/i.test(file.name)) return answer(file.name, {bytes});
    const numbers = tableOf(new TextDecoder().decode(bytes));
    if (!numbers) throw new Error("not all of it are numbers");
    return answer(`${file.name}: ${numbers.length} numbers`, {numbers});
}

const isModel = file => !PICTURE.test(file.name) && !/\.(csv|txt|bin)$/i.test(file.name);

// Takes *files*; models first, as the others are their inputs.
async function takeAll(files) {
    for (const file of [...files].sort((a, b) => isModel(b) - isModel(a))) await take(file);
}

async function take(file) {
    if (isModel(file) && isBusy) return say("model", `${file.name}: wait until nothing else goes on here`, "error");
    try {
        if (!isModel(file)) return await takeInput(file);
        // Busy, so that nothing is written or run meanwhile: the board would get parts of two models.
        await busy("model", async () => takeModel(file.name, new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
        say(isModel(file) ? "model" : "answer", `${file.name}: ${error.message}`, "error");
    }
}

function takeStored() {
    const {shape, elements} = model.facts.inputs[0];
    const [height, width] = pictureShape(shape, elements);
    const pixels = Uint8Array.from(tools.digits[nextDigit]);
    nextDigit = (nextDigit + 1) % tools.digits.length;
    clear();
    return takePixels("a stored digit", {width, height, channels: 1, pixels});
}

function takeDrawing(strokes) {
    const {shape, elements} = model.facts.inputs[0];
    const [height, width] = pictureShape(shape, elements);
    return takePixels("drawn", {width, height, channels: 1, pixels: drawn(strokes, width, height)});
}

const clear = asPad(byId("pad"), takeDrawing);

byId("connect").addEventListener("click", connect);
byId("write").addEventListener("click", write);
byId("replace").addEventListener("click", replace);
byId("keep").addEventListener("click", () => {
    hideLosses();
    say("written", "Nothing was written.");
    update();
});
byId("clear").addEventListener("click", clear);
byId("stored").addEventListener("click", takeStored);
for (const input of document.querySelectorAll("input[type=file]")) {
    input.addEventListener("click", () => { input.value = ""; });  // so that the same file is taken again
}
byId("model-file").addEventListener("change", event => takeAll(event.target.files));
byId("input-file").addEventListener("change", event => takeAll(event.target.files));
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, event => {
        event.preventDefault();
        document.body.classList.toggle("over", kind === "dragover" || kind === "dragenter");
        if (kind === "drop") takeAll(event.dataTransfer.files);
    });
}

tools = await unpackTools();
for (const [sample, text] of Object.entries(tools.samples)) {
    await takeModel(sample, Uint8Array.from(atob(text), c => c.charCodeAt(0)));
}
say("board", "serial" in navigator ? "Not connected." : NO_SERIAL, "serial" in navigator ? "" : "error");
byId("connect").hidden = !("serial" in navigator);
byId("all").hidden = false;
isBusy = false;
update();
document.body.dataset.ready = performance.now().toFixed(0);
