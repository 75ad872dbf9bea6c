import { unpacked } from "../engine.mjs";
import { kernels } from "../run/kernels.mjs";
import { asPad } from "../run/pad.mjs";
import { drawn } from "../run/samples.mjs";

const byId = id => document.getElementById(id);
const SIGN = 0x80;  // what makes a pixel, 0 to 255, the byte of an int8 input
const DIGITS = 10;
const LEVELS = 256;  // of a score

// A function that runs the prepared model on a Uint8Array of pixels and returns the output's bytes.
// No Python is in it: the kernels read the table of nodes from the file, as a board's do.
async function loaded({model, table, count, arena, input, output}) {
    const file = Uint8Array.from(atob(model), c => c.charCodeAt(0));
    const memory = new Uint8Array(arena + file.length);
    memory.set(file, arena);
    const code = await unpacked(byId("kernels").textContent);
    const { run } = await kernels(code, {_module: {HEAPU8: memory}});
    return pixels => {
        memory.fill(0, 0, arena);
        memory.set(pixels.map(p => p ^ SIGN), input);
        const node = run(0, arena, arena, file.length, table, 0, count);
        if (node !== count) throw new Error(`node ${node} cannot run`);
        return memory.slice(output, output + DIGITS);
    };
}

const facts = JSON.parse(byId("facts").textContent);
const answer = await loaded(facts);

const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");

function show(pixels) {
    const start = performance.now();
    const bytes = answer(pixels);
    const milliseconds = performance.now() - start;
    const scores = Array.from(bytes, byte => (byte ^ SIGN) / LEVELS);
    const best = scores.indexOf(Math.max(...scores));
    byId("digit").textContent = best;
    byId("spent").textContent = `${Math.round(scores[best] * 100)} %, ${milliseconds.toFixed(1)} ms in this browser`;
    [...byId("scores").children].forEach((row, i) => {
        row.style.setProperty("--share", scores[i]);
        row.classList.toggle("best", i === best);
    });
    Object.assign(byId("answer").dataset, {pixels: hexOf(pixels), hex: hexOf(bytes)});
}

function empty() {
    clear();
    byId("digit").textContent = "?";
    byId("spent").textContent = "draw a digit";
    [...byId("scores").children].forEach(row => row.style.setProperty("--share", 0));
}

const clear = asPad(byId("pad"), strokes => show(drawn(strokes, facts.side, facts.side)));
byId("clear").addEventListener("click", empty);
empty();
byId("try").hidden = false;
