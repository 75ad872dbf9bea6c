// What people have, as elements of an input, by the rules of `tflm run` (model/samples.py):
// a picture resized by Pillow's rule, to the same bytes or, where it is tall, the next ones, a .wav file
// of just the input's form, a table of numbers, strokes of a pen.

const FRACTION = 22;  // bits behind the point of a weight
const SUB = 4;  // a drawn pixel's shade is the number of its SUB x SUB points that have ink
const PEN = 0.07;  // half the width of a stroke, of the picture's height

// [height, width, channels] of the pictures that an input of this *shape* takes, or null.
export function pictureShape(shape, elements) {
    let found = shape.slice();
    if (found.length === 4 && found[0] === 1) found = found.slice(1);
    else if (found.length === 3 && ![1, 3].includes(found[2]) && found[0] === 1) found = [...found.slice(1), 1];
    else if (found.length === 2 && found[0] !== 1) found.push(1);
    else if (found.length === 1 || found.length === 2) {
        const channels = Number.isInteger(Math.sqrt(elements)) ? 1 : 3;
        const side = Math.floor(Math.sqrt(elements / channels));
        found = [side, side, channels];
    }
    const known = found.length === 3 && [1, 3].includes(found[2]);
    return known && found[0] * found[1] * found[2] === elements ? found : null;
}

// The pixels of *rgba* {width, height, data} as a picture of that many *channels*: grey or RGB.
export function channelsOf(rgba, channels) {
    const {width, height, data} = rgba;
    const pixels = new Uint8Array(width * height * channels);
    for (let i = 0, at = 0; i < data.length; i += 4) {
        if (channels === 1) pixels[at++] = (data[i] * 19595 + data[i + 1] * 38470 + data[i + 2] * 7471 + 0x8000) >> 16;
        else for (let c = 0; c < 3; c++) pixels[at++] = data[i + c];
    }
    return {width, height, channels, pixels};
}

// For each of *count* places: [first, weights] of the pixels, of *size*, that it is made of.
function weights(size, count) {
    const scale = size / count;
    const reach = Math.max(scale, 1);
    return Array.from({length: count}, (_, i) => {
        const centre = (i + 0.5) * scale;
        const first = Math.max(Math.trunc(centre - reach + 0.5), 0);
        const end = Math.min(Math.trunc(centre + reach + 0.5), size);
        const parts = [];
        for (let x = first; x < end; x++) parts.push(Math.max(1 - Math.abs((x - centre + 0.5) / reach), 0));
        const sum = parts.reduce((a, b) => a + b, 0);
        return [first, parts.map(part => Math.trunc(part / sum * 2 ** FRACTION + 0.5))];
    });
}

// *lines* lines of *size* pixels each, made *count* long; at(line, x) is where a pixel is.
function stretch(pixels, channels, lines, size, count, at, to) {
    const made = new Uint8Array(lines * count * channels);
    weights(size, count).forEach(([first, parts], i) => {
        for (let line = 0; line < lines; line++) {
            for (let c = 0; c < channels; c++) {
                let sum = 2 ** (FRACTION - 1);
                parts.forEach((part, x) => { sum += part * pixels[at(line, first + x) * channels + c]; });
                made[to(line, i) * channels + c] = Math.min(Math.floor(sum / 2 ** FRACTION), 255);
            }
        }
    });
    return made;
}

// The picture *from* in another size: its pixels, row by row.
export function resized(from, width, height) {
    let {pixels} = from;
    const n = from.channels;
    if (width !== from.width) {
        const at = (y, x) => y * from.width + x;
        pixels = stretch(pixels, n, from.height, from.width, width, at, (y, x) => y * width + x);
    }
    if (height !== from.height) {
        const at = (x, y) => y * width + x;
        pixels = stretch(pixels, n, width, from.height, height, at, at);
    }
    return pixels;
}

// {bytes} or {numbers} for an input of *type*, of pixels 0..255. limits: [low, high], the numbers
// that black and white stand for; null: the range of an int8 or uint8 input, else 0 and 1.
export function elementsOf(pixels, type, limits) {
    if (!limits && (type === "int8" || type === "uint8")) {
        return {bytes: type === "int8" ? pixels.map(p => p ^ 0x80) : pixels};
    }
    const [low, high] = limits || [0, 1];
    return {numbers: Array.from(pixels, p => p / 255 * (high - low) + low)};
}

// The pixels, 0 to 255, that the *bytes* of an input of *type* show; limits as of elementsOf().
export function pixelsOf(bytes, type, limits) {
    if (type !== "float32") return type === "int8" ? bytes.map(value => value ^ 0x80) : bytes;
    const [low, high] = limits || [0, 1];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Uint8ClampedArray.from({length: bytes.length / 4},
        (_, i) => (view.getFloat32(4 * i, true) - low) * 255 / (high - low));
}

// The shades, 0 to 255, of a picture that shows the *strokes* [[[x, y], ...], ...] as large as it
// can be, with ink of one width: so that it does not matter how large or where one draws.
export function drawn(strokes, width, height) {
    const points = strokes.flat();
    const pen = PEN * height * SUB;
    const [xs, ys] = [0, 1].map(axis => points.map(point => point[axis]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = [width, height].map(size => size * SUB - 2 * pen - 1);
    const scale = Math.min(room[0] / Math.max(right - left, 1), room[1] / Math.max(bottom - top, 1));
    const place = ([x, y]) => [
        (x - (left + right) / 2) * scale + width * SUB / 2, (y - (top + bottom) / 2) * scale + height * SUB / 2];
    const shades = new Uint8Array(width * height);
    const lines = strokes.map(stroke => stroke.map(place));
    for (let y = 0; y < height * SUB; y++) {
        for (let x = 0; x < width * SUB; x++) {
            if (hasInk(lines, x + 0.5, y + 0.5, pen)) shades[Math.floor(y / SUB) * width + Math.floor(x / SUB)]++;
        }
    }
    return shades.map(count => Math.round(count * 255 / SUB ** 2));
}

function hasInk(lines, x, y, pen) {
    return lines.some(line => line.some((to, i) => {
        const from = line[Math.max(i - 1, 0)];
        const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1);
        const t = Math.min(Math.max(along, 0), 1);
        return Math.hypot(x - from[0] - t * dx, y - from[1] - t * dy) <= pen;
    }));
}

// The samples, -1 to 1, of the .wav file of these *bytes*. wanted: {name, rate, count}, the file, its
// samples a second, and how many an input takes, or null. Throws where the sound is another, with a cure.
export function soundOf(bytes, wanted) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const tag = at => String.fromCharCode(...bytes.subarray(at, at + 4));
    if (bytes.length < 12 || tag(0) !== "RIFF" || tag(8) !== "WAVE") throw new Error("no .wav file");
    let form = null;
    for (let at = 12; at + 8 <= bytes.length;) {
        const size = view.getUint32(at + 4, true);
        if (tag(at) === "fmt ") {
            form = {kind: view.getUint16(at + 8, true), channels: view.getUint16(at + 10, true),
                rate: view.getUint32(at + 12, true), bits: Math.ceil(view.getUint16(at + 22, true) / 8) * 8};
        }
        if (tag(at) === "data") {
            const length = Math.min(size, bytes.length - at - 8);
            compare(form, length, wanted);
            return decoded(form, view, at + 8, length);
        }
        at += 8 + size + size % 2;
    }
    throw new Error("no sound in it");
}

// By bits of a sample: the function that reads the one at a place of a DataView, as -1 to 1.
const READERS = {8: (view, at) => (view.getUint8(at) - 128) / 128,
    16: (view, at) => view.getInt16(at, true) / 2 ** 15, 32: (view, at) => view.getInt32(at, true) / 2 ** 31};

// How many samples of one channel lie in *size* bytes.
const countOf = ({bits, channels}, size) => Math.floor(size / (bits / 8 * channels));

// The samples of the only channel.
function decoded(form, view, start, size) {
    return Array.from({length: countOf(form, size)}, (_, i) => READERS[form.bits](view, start + i * form.bits / 8));
}

// Throws unless a sound of *size* bytes has the *form* that is wanted: model/sounds.py has the rule.
function compare(form, size, wanted) {
    if (!form) throw new Error("no sound in it");
    const {kind, channels, rate, bits} = form;
    const wrong = [], effects = [], group = n => n.toLocaleString("en");
    const toLength = wanted.count === null ? [] : [`pad 0 ${wanted.count}s`, `trim 0 ${wanted.count}s`];
    const refuse = (problem, options) => {
        const words = ["sox", wanted.name, ...options, "out.wav", ...effects];
        throw new Error(`${problem}: ${words.join(" ")}`);
    };
    if (kind !== 1) {
        effects.push("remix -", `rate ${wanted.rate}`, ...toLength);
        refuse(`unknown format: ${kind}, integers are read`, ["-b 16 -e signed-integer"]);
    }
    const count = countOf(form, size);
    if (channels !== 1) {
        wrong.push(`${channels} channels, the model takes one`);
        effects.push("remix -");
    }
    if (rate !== wanted.rate) {
        wrong.push(`${group(rate)} samples a second, the model takes ${group(wanted.rate)}`);
        effects.push(`rate ${wanted.rate}`);
    }
    if (wanted.count !== null && (!rate || Math.round(count / rate * wanted.rate) !== wanted.count)) {
        wrong.push(`${group(count)} samples, the model takes ${group(wanted.count)}`);
    }
    if (!count) throw new Error("no samples: record it again");
    if (wrong.length > 0) effects.push(...toLength);
    const isRead = bits in READERS;
    if (!isRead) wrong.unshift(`samples of ${bits} bits, 8, 16 or 32 are read`);
    if (wrong.length > 0) refuse(wrong.join("; "), isRead ? [] : ["-b 16"]);
}

// *samples*, cut or filled with silence to *count*.
export function fitted(samples, count) {
    return Array.from({length: count}, (_, i) => samples[i] ?? 0);
}

// The nearest integer, of two the even one.
function nearest(value) {
    const low = Math.floor(value);
    return value - low === 0.5 ? low + Math.abs(low % 2) : Math.round(value);
}

// *samples* as int16.
export function int16Of(samples) {
    return Int16Array.from(samples, s => Math.min(Math.max(nearest(s * 2 ** 15), -(2 ** 15)), 2 ** 15 - 1));
}

// The numbers in a table of *text*, or null where something else is in it.
export function tableOf(text) {
    const numbers = text.split(/[\s,;]+/).filter(word => word).map(Number);
    return numbers.some(Number.isNaN) ? null : numbers;
}
