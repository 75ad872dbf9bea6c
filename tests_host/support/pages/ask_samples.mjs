// ask_samples.mjs SAMPLES: what site/run/samples.mjs makes of pictures, sounds and tables. Each line of
// stdin is JSON: {"kind", "file", "width", "height", "shape", "elements", "type", "limits"}.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const js = await import(pathToFileURL(process.argv[2]));

// The file of a picture is its red, green, blue and alpha, as a browser decodes it.
function picture({ file, width, height, shape, elements, type, limits }) {
    const [tall, wide, channels] = js.pictureShape(shape, elements);
    const from = js.channelsOf({ width, height, data: fs.readFileSync(file) }, channels);
    return js.elementsOf(js.resized(from, wide, tall), type, limits);
}

function sound({ file, rate, elements, type, limits }) {
    const wanted = { name: file, rate, count: elements };
    let heard;
    try {
        heard = js.soundOf(new Uint8Array(fs.readFileSync(file)), wanted);
    } catch (error) {
        return { numbers: error.message };
    }
    if (type === "int16") return { numbers: Array.from(js.int16Of(heard)) };
    const [low, high] = limits;
    return { numbers: heard.map(s => (s + 1) / 2 * (high - low) + low) };
}

const kinds = { picture, sound, table: ({ file }) => ({ numbers: js.tableOf(fs.readFileSync(file, "utf8")) }) };
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(text => text)) {
    const asked = JSON.parse(line);
    const { bytes, numbers } = kinds[asked.kind](asked);
    process.stdout.write(JSON.stringify(bytes ? { bytes: Array.from(bytes) } : { numbers }) + "\n");
}
