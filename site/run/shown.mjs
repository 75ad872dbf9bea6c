// Outputs of a model as elements of a page.

const RANKED = 5;  // classes that are shown with a bar

export function element(kind, text, properties = {}) {
    return Object.assign(document.createElement(kind), {textContent: text, ...properties});
}

// The elements that show one output: *facts* and {hex, values} are session.py's, className(i) the
// name of a class.
export function result(facts, {hex, values}, className) {
    const details = element("details", "");
    details.append(element("summary", `${facts.name}: ${values.length} values, ${facts.type}`),
        element("p", values.join(" ")), element("p", hex, {className: "bytes"}));
    const scores = values.map(Number);
    const share = scores.reduce((a, b) => a + b, 0);
    const isShare = values.length > 1 && scores.every(v => v >= 0 && v <= 1) && Math.abs(share - 1) < 0.05;
    if (values.length < 2) return [element("p", values.join(" ")), details];
    const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
    const best = element("p", "");
    best.append(element("b", className(order[0])));
    const table = element("table", "");
    for (const i of order.slice(0, RANKED)) {
        const row = table.insertRow();
        row.insertCell().textContent = className(i);
        const number = isShare ? `${Math.round(scores[i] * 100)} %` : String(values[i]);
        row.insertCell().textContent = number;
        if (isShare) row.insertCell().append(element("meter", number, {value: scores[i], ariaLabel: className(i)}));
    }
    return [best, table, details];
}

// Paints *pixels* of one or three *channels* on the canvas *seen* and shows it.
export function paint(seen, pixels, width, height, channels) {
    Object.assign(seen, {width, height, hidden: false});
    const image = new ImageData(width, height);
    for (let i = 0; i < width * height; i++) {
        for (let c = 0; c < 3; c++) image.data[4 * i + c] = pixels[channels === 3 ? 3 * i + c : i];
        image.data[4 * i + 3] = 255;
    }
    seen.getContext("2d").putImageData(image, 0, 0);
}

const INKS = ["#40e060", "#ff60e0", "#ffd040", "#40b0ff", "#ff6040", "#a080ff"];  // of boxes, by class

// Draws the boxes and points of *things*, as session.py's find() has them, on the canvas *view*.
export function drawThings(view, things) {
    const pen = view.getContext("2d");
    pen.lineWidth = 2;
    for (const {kind, box, points} of things) {
        pen.strokeStyle = pen.fillStyle = INKS[kind % INKS.length];
        pen.strokeRect(...box);
        for (const [x, y] of points) pen.fillRect(x - 1, y - 1, 3, 3);
    }
}

// The {width, height, data} of a picture *file*, red, green, blue and opacity of each pixel.
export async function rgbaOf(file) {
    const image = await createImageBitmap(file, {premultiplyAlpha: "none", colorSpaceConversion: "none"});
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
}
