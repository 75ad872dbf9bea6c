// Drops the model /same.tflite, whose output is its input, on the page that runs models, and uses the
// camera. Then the camera is a canvas, red with a green square, for /means.tflite, and then it is
// refused. Posts what was seen.
const byId = id => document.getElementById(id);
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
while (!byId("all").dataset.ready) await pause(20);
async function drop(name) {
    const moved = new DataTransfer();
    moved.items.add(new File([await (await fetch(`/${name}.tflite`)).arrayBuffer()], `${name}.tflite`));
    document.dispatchEvent(new DragEvent("drop", {dataTransfer: moved, bubbles: true, cancelable: true}));
    while (!byId("model").textContent.startsWith(name)) await pause(20);
}

await drop("same");

const tracks = [];
const media = navigator.mediaDevices;
const real = media.getUserMedia.bind(media);
media.getUserMedia = async wanted => {
    const stream = await real(wanted);
    tracks.push(...stream.getTracks());
    return stream;
};
const seen = [];
for (const fit of ["crop", "letterbox"]) {
    byId("fit").value = fit;
    byId("camera").click();
    while (!byId("taken").textContent.startsWith("camera")) await pause(20);
    const [state, hidden] = [byId("camera").textContent, byId("view").hidden];
    if (fit === "letterbox") tracks.at(-1).stop();  // as if it was unplugged
    else byId("camera").click();
    while (!byId("view").hidden) await pause(20);
    const canvas = byId("seen");
    const pixels = Array.from(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data);
    seen.push({state, hidden, pixels, hex: byId("answer").dataset.hex, taken: byId("taken").textContent,
        said: byId("answer").innerText, after: byId("camera").textContent, ended: tracks.at(-1).readyState});
}

await drop("means");
const scene = Object.assign(document.createElement("canvas"), {width: 48, height: 32});
const brush = scene.getContext("2d");
const painting = setInterval(() => {
    brush.fillStyle = "#f00";
    brush.fillRect(0, 0, 48, 32);
    brush.fillStyle = "#0f0";
    brush.fillRect(16, 0, 16, 16);
}, 20);
media.getUserMedia = async () => scene.captureStream(30);
byId("fit").value = "squash";
byId("camera").click();
while (!/ at \d/.test(byId("answer").innerText)) await pause(20);
const things = byId("answer").innerText;
const edge = Array.from(byId("view").getContext("2d").getImageData(24, 16, 1, 1).data);
byId("clear").click();
clearInterval(painting);

const refused = [];
for (const name of ["NotAllowedError", "NotFoundError", "NotReadableError", "AbortError"]) {
    media.getUserMedia = async () => { throw new DOMException("no luck", name); };
    byId("answer").replaceChildren();
    byId("camera").click();
    while (!byId("answer").innerText) await pause(20);
    refused.push([byId("answer").innerText, byId("view").hidden, byId("camera").disabled]);
}
await fetch("/answer", {method: "POST", body: JSON.stringify({seen, things, edge, refused})});
