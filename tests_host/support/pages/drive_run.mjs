// What a person does in the page that runs models; it ends with what was seen, as JSON in the body's
// data-said. The test puts {name of a file: its bytes in base64} in, the last of them a bad model.
const byId = id => document.getElementById(id);
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const pad = byId("pad");
pad.setPointerCapture = () => {};  // which only real pointers have

function arc(x, y, wide, tall, from, to) {
    const angles = Array.from({length: 25}, (_, i) => (from + (to - from) * i / 24) * Math.PI / 180);
    return angles.map(angle => [x + wide * Math.cos(angle), y + tall * Math.sin(angle)]);
}

// Each digit in strokes, on paper of 200 x 200.
const DIGITS = [
    [arc(100, 100, 45, 80, 0, 360)],
    [[[80, 50], [105, 20], [105, 180]]],
    [[...arc(100, 60, 45, 40, 180, 380), [55, 180], [150, 180]]],
    [[...arc(95, 60, 42, 40, 200, 450), ...arc(95, 140, 48, 40, 270, 520)]],
    [[[110, 20], [50, 120], [155, 120]], [[120, 80], [120, 185]]],
    [[[145, 20], [65, 20], [60, 90], ...arc(95, 130, 48, 48, 250, 510)]],
    [[[120, 20], ...arc(95, 130, 45, 48, 200, 560)]],
    [[[50, 25], [150, 25], [90, 180]], [[75, 100], [140, 100]]],
    [[...arc(100, 60, 36, 38, 90, 450), ...arc(100, 140, 45, 42, 270, 630)]],
    [[...arc(100, 65, 42, 42, 0, 360), [142, 65], [135, 180]]],
];

function point(kind, [x, y]) {
    const box = pad.getBoundingClientRect();
    const at = {clientX: box.left + x * box.width / 200, clientY: box.top + y * box.height / 200};
    pad.dispatchEvent(new PointerEvent(kind, {...at, bubbles: true}));
}

function write(strokes) {
    byId("clear").click();
    for (const stroke of strokes) {
        point("pointerdown", stroke[0]);
        stroke.slice(1).forEach(place => point("pointermove", place));
        point("pointerup", stroke.at(-1));
    }
    return best();
}

async function drop(name, text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const moved = new DataTransfer();
    moved.items.add(new File([bytes], name));
    byId("answer").dataset.hex = "";
    const last = byId("model").textContent;
    document.dispatchEvent(new DragEvent("drop", {dataTransfer: moved, bubbles: true, cancelable: true}));
    while (!byId("answer").dataset.hex && byId("model").textContent === last) await pause(20);
    return byId("answer").dataset.hex;
}

while (!byId("all").dataset.ready) await pause(20);
const best = () => byId("answer").querySelector("b").textContent;
const said = {stored: [best()], dropped: []};
byId("stored").click();
await pause(20);
said.stored.push(best());
said.digits = DIGITS.map(write);
for (const [name, text] of Object.entries(DROPPED)) said.dropped.push(await drop(name, text));
said.dropped.pop();
said.refused = byId("model").textContent;
document.body.dataset.said = JSON.stringify(said);
