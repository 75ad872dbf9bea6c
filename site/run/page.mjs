import { unpacked } from "../engine.mjs";
import { openCamera } from "./camera.mjs";
import { asPad } from "./pad.mjs";
import { open } from "./runner.mjs";
import { channelsOf, drawn, elementsOf, fitted, int16Of, pictureShape, pixelsOf, resized } from "./samples.mjs";
import { soundOf, tableOf } from "./samples.mjs";
import { drawThings, element, paint, result, rgbaOf } from "./shown.mjs";

const byId = id => document.getElementById(id);
const PICTURE = /\.(png|jpe?g|bmp|gif|webp)$/i;
const LARGEST = 64 << 20;
const PAUSE = 20;  // milliseconds between two frames of the camera, for the rest of the page
let tools = null, model = null, labels = null, known = null, nextDigit = 0, camera = null;
let turn = Promise.resolve();  // what the next file waits for: that all before it are taken

async function unpackTools() {
    const text = new TextDecoder().decode(await unpacked(byId("files").textContent));
    const wasm = new Blob([await unpacked(byId("wasm").textContent)], {type: "application/wasm"});
    const kernels = await unpacked(byId("kernels").textContent);
    return {...JSON.parse(text), wasm: URL.createObjectURL(wasm), kernels};
}

function refuse(place, name, why) {
    byId(place).replaceChildren(element("p", name ? `${name}: ${why}` : why, {className: "error"}));
}

const asked = () => model.facts.inputs[byId("which").selectedIndex];

async function takeModel(name, bytes) {
    const opened = bytes.length > LARGEST
        ? {facts: {error: "too large for a microcontroller"}} : await open(loadMicroPython, tools, bytes);
    byId("all").hidden = false;
    if (opened.facts.error) {
        refuse("model", name, opened.facts.error);
        return byId("model").append(element("p", `Still here is ${model.line}`));
    }
    model = opened;
    const digest = model.digest(bytes);
    labels = tools.names[digest] ?? null;
    known = tools.drawn[tools.known[digest]] ?? null;
    const of = tensor => `${tensor.type} [${tensor.shape}]`;
    const arena = model.facts.arena_bytes.toLocaleString("en");
    model.line = `${name}: takes ${model.facts.inputs.map(of).join(", ")}, gives`
        + ` ${model.facts.outputs.map(of).join(", ")}, arena ${arena} bytes`;
    byId("model").textContent = model.line;
    byId("which").replaceChildren(...model.facts.inputs.map(tensor => element("option", tensor.name)));
    byId("which-part").hidden = model.facts.inputs.length < 2;
    showInput();
    if (known) guarded(takeSample);  // so that there is an answer to look at
}

function showInput() {
    const {shape, elements} = asked();
    const picture = pictureShape(shape, elements);
    byId("draw").hidden = !picture || picture[2] !== 1;
    byId("stored").hidden = !picture || elements !== tools.digits[0].length;
    byId("sample").hidden = !known;
    byId("record-part").hidden = Boolean(picture);
    byId("camera-part").hidden = !picture;
    clearAll();
}

// Nothing is drawn, taken or answered.
function clearAll() {
    stopCamera();
    clear();
    byId("taken").textContent = "";
    byId("seen").hidden = true;
    byId("answer").replaceChildren();
    byId("answer").dataset.hex = "";
}

// The numbers of the field, or null where it is empty.
function limits() {
    const text = byId("limits").value.trim();
    const found = text && tableOf(text);
    if (text && found?.length !== 2) throw new Error(`"${text}" are not two numbers`);
    return found || null;
}

// Fills the input with *data* of runner.mjs and runs the model.
function answer(name, note, data) {
    stopCamera();
    const put = model.put(byId("which").selectedIndex, data);
    if (put.error) return refuse("answer", name, put.error);
    show(name, note);
}

// Runs the model with the inputs that it has; thingsOf() are things found, or null.
function show(name, note, thingsOf = () => null) {
    byId("taken").textContent = [name, note].filter(text => text).join(": ");
    const start = performance.now();
    const found = model.run();
    const milliseconds = performance.now() - start;
    if (found.error) return refuse("answer", name, found.error);
    const things = thingsOf();
    const parts = found.outputs.map((output, i) => result(model.facts.outputs[i], output, className));
    const shown = things ? [list(things), ...parts.map(part => part.at(-1))] : parts.flat();
    byId("answer").replaceChildren(...shown, element("p", `${milliseconds.toFixed(1)} ms`));
    byId("answer").dataset.hex = found.outputs.map(output => output.hex).join(" ");
}

function list(things) {
    if (!things.length) return element("p", "nothing found");
    const lines = element("ul", "");
    lines.append(...things.map(thing => element("li", thing.text)));
    return lines;
}

const className = i => labels?.[i] ?? String(i);

function takePixels(name, note, from) {
    const {shape, elements, type} = asked();
    const [height, width] = pictureShape(shape, elements);
    const pixels = resized(from, width, height);
    paint(byId("seen"), pixels, width, height, from.channels);
    answer(name, note, elementsOf(pixels, type, limits()));
}

async function takePicture(file) {
    const picture = pictureShape(asked().shape, asked().elements);
    if (!picture) throw new Error(`a picture does not fit ${asked().type} [${asked().shape}]`);
    const rgba = await rgbaOf(file);
    takePixels(file.name, `${rgba.width}x${rgba.height} to ${picture[1]}x${picture[0]}`, channelsOf(rgba, picture[2]));
}

// *samples*, -1 to 1, become the input; or, where it is not of a sound's own length, loudnesses.
function takeSound(name, samples) {
    const {elements, type, has_scale: hasScale} = asked();
    const note = `${samples.length.toLocaleString("en")} samples`;
    if (model.hasFront) return answer(name, note, {samples: int16Of(samples)});
    const heard = fitted(samples, elements);
    if (!hasScale && type === "int16") return answer(name, note, {numbers: Array.from(int16Of(heard))});
    const [low, high] = limits() || [-1, 1];
    answer(name, note, {numbers: heard.map(s => (s + 1) / 2 * (high - low) + low)});
}

async function takeWave(file) {
    const count = model.hasFront ? null : asked().elements;
    takeSound(file.name, soundOf(await bytesOf(file), {name: file.name, rate: byId("rate").valueAsNumber, count}));
}

async function takeFront(file) {
    const found = model.loadFront(await bytesOf(file));
    if (found.error) throw new Error(found.error);
    model.hasFront = true;
    byId("taken").textContent = `${file.name} makes loudnesses of sound`;
}

const bytesOf = async file => new Uint8Array(await file.arrayBuffer());
const isModel = file => /\.tflite$/i.test(file.name);

// Takes *files* after those that came before; models first, as the others are their inputs.
function takeAll(files) {
    const sorted = [...files].sort((a, b) => isModel(b) - isModel(a));
    return inTurn(async () => { for (const file of sorted) await take(file); });
}

function inTurn(work) {
    turn = turn.then(() => guarded(work));
    return turn;
}

async function take(file) {
    try {
        if (isModel(file)) await takeModel(file.name, await bytesOf(file));
        else if (PICTURE.test(file.name)) await takePicture(file);
        else if (/\.wav$/i.test(file.name)) await takeWave(file);
        else if (/\.(csv|txt)$/i.test(file.name)) await takeText(file);
        else answer(file.name, "", {bytes: await bytesOf(file)});
    } catch (error) {
        stopCamera();  // whose next frame would hide what is said
        refuse("answer", file.name, error.message);
    }
}

async function takeText(file) {
    const text = await file.text();
    const numbers = tableOf(text);
    if (numbers) answer(file.name, `${numbers.length} numbers`, {numbers});
    else takeLabels(text);
}

function takeLabels(text) {
    labels = text.trimEnd().split(/\r?\n/).map(line => line.trim());
    byId("taken").textContent = `${labels.length} names`;
}

async function record() {
    const input = asked();
    byId("record").disabled = true;
    try {
        const samples = await recorded(Number(byId("rate").value), model.hasFront ? null : input.elements);
        if (asked() !== input) throw new Error("this was recorded for another input: record again");
        takeSound("recorded", samples);
    } finally {
        byId("record").disabled = false;
        byId("record").textContent = "Record";
    }
}

// *count* samples of the microphone, or those of a second; some more come along.
async function recorded(rate, count) {
    const stream = await navigator.mediaDevices.getUserMedia({audio: {channelCount: 1}});
    const recorder = new MediaRecorder(stream);
    const parts = [];
    recorder.addEventListener("dataavailable", event => parts.push(event.data));
    const stopped = new Promise(done => recorder.addEventListener("stop", done));
    byId("record").textContent = "Speak now";
    recorder.start();
    setTimeout(() => recorder.stop(), (count ?? rate) / rate * 1000 + 100);
    await stopped;
    stream.getTracks().forEach(track => track.stop());
    const context = new AudioContext({sampleRate: rate});
    const sound = await context.decodeAudioData(await new Blob(parts).arrayBuffer());
    await context.close();
    return Array.from(sound.getChannelData(0));
}

// Lets the model look through the camera until the button is pressed again or something else is taken.
async function watch() {
    if (camera) return stopCamera();
    clearAll();
    const input = asked();
    byId("camera").disabled = true;
    try {
        const opened = await openCamera(navigator.mediaDevices, byId("view"));
        if (asked() !== input) return opened.stop();
        camera = opened;
    } finally {
        byId("camera").disabled = false;
    }
    byId("view").hidden = false;
    byId("camera").textContent = "Stop the camera";
    byId("answer").ariaLive = "off";  // nobody wants each frame read aloud
    try {
        for (const mine = camera; camera === mine; await new Promise(done => setTimeout(done, PAUSE))) {
            look(mine.frame());
        }
    } catch (error) {
        stopCamera();
        throw error;
    }
}

function look(rgba) {
    const {shape, elements, type} = asked();
    const [height, width, channels] = pictureShape(shape, elements);
    const values = limits();
    const options = {fit: byId("fit").value, ...(values && {values})};
    const taken = model.look(byId("which").selectedIndex, channelsOf(rgba, 3), options);
    if (taken.error) throw new Error(taken.error);
    const bytes = Uint8Array.from(taken.hex.match(/../g), pair => parseInt(pair, 16));
    paint(byId("seen"), pixelsOf(bytes, type, values), width, height, channels);
    show("camera", `${rgba.width}x${rgba.height} to ${width}x${height}`, () => {
        const {things, error} = model.find(byId("which").selectedIndex, labels);
        if (error) throw new Error(error);
        drawThings(byId("view"), things ?? []);
        return things;
    });
}

function stopCamera() {
    camera?.stop();
    camera = null;
    byId("view").hidden = true;
    byId("camera").textContent = "Use the camera";
    byId("answer").ariaLive = null;
}

const clear = asPad(byId("pad"), takeDrawing);

function takeDrawing(strokes) {
    const {shape, elements} = asked();
    const [height, width] = pictureShape(shape, elements);
    guarded(() => takePixels("drawn", "", {width, height, channels: 1, pixels: drawn(strokes, width, height)}));
}

async function guarded(work) {
    try {
        await work();
    } catch (error) {
        refuse("answer", "", error.message);
    }
}

function takeStored() {
    const {shape, elements} = asked();
    const [height, width] = pictureShape(shape, elements);
    const pixels = Uint8Array.from(tools.digits[nextDigit]);
    nextDigit = (nextDigit + 1) % tools.digits.length;
    clear();
    guarded(() => takePixels("stored", "", {width, height, channels: 1, pixels}));
}

// The input that comes with a known model: a grey picture, or the bytes of its input plus 128.
function takeSample() {
    const {width, height, note} = known;
    const grey = Uint8Array.from(atob(known.pixels), c => c.charCodeAt(0));
    const picture = pictureShape(asked().shape, asked().elements);
    clear();
    if (!picture) return answer("sample", note, {bytes: grey.map(value => value ^ 0x80)});
    const channels = picture[2];
    const pixels = new Uint8Array(grey.length * channels).map((_, i) => grey[Math.floor(i / channels)]);
    takePixels("sample", note, {width, height, channels, pixels});
}

byId("clear").addEventListener("click", clearAll);
byId("sample").addEventListener("click", () => guarded(takeSample));
byId("stored").addEventListener("click", takeStored);
byId("which").addEventListener("change", showInput);
byId("camera").addEventListener("click", () => guarded(watch));
byId("record").addEventListener("click", () => guarded(record));
for (const input of document.querySelectorAll("input[type=file]")) {
    input.addEventListener("click", () => { input.value = ""; });  // so that the same file is taken again
}
byId("file").addEventListener("change", event => takeAll(event.target.files));
byId("model-file").addEventListener("change", event => takeAll(event.target.files));
for (const [id, taking] of [["front", takeFront], ["labels", async file => takeLabels(await file.text())]]) {
    byId(id).addEventListener("change", ({target}) => {
        const [file] = target.files;
        inTurn(() => taking(file));
    });
}
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, event => {
        event.preventDefault();
        document.body.classList.toggle("over", kind === "dragover" || kind === "dragenter");
        if (kind === "drop") takeAll(event.dataTransfer.files);
    });
}

const began = performance.now();
turn = unpackTools().then(async unpackedTools => {
    tools = unpackedTools;
    for (const [name, text] of Object.entries(tools.samples)) {
        await takeModel(name, Uint8Array.from(atob(text), c => c.charCodeAt(0)));
    }
    takeStored();  // so that there is an answer to look at
});
await turn;
byId("all").dataset.ready = (performance.now() - began).toFixed(0);
