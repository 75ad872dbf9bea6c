import { BoardError, ExecError } from "./serial.mjs";

// `tflm deploy` in the browser: deploy/models.py has the same steps. *scripts* are the files of
// targets/device; *model* is what open() of runner.mjs returns, with plan.py in it.

const MARK = "tflm:";
const PROVE = 600;  // seconds for a model's first run
const FILE_CHUNK = 3072;
const DRIVER = "import tflm, hashlib, binascii, json";

const quoted = text => JSON.stringify(text);  // which Python reads as the same text
const base64 = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));

// The only value that *code* prints behind MARK on the board.
export async function call(board, code, seconds) {
    const printed = await board.exec(code, seconds);
    const lines = printed.split("\n").filter(line => line.startsWith(MARK));
    try {
        return JSON.parse(lines.at(-1).slice(MARK.length));
    } catch {
        throw new BoardError(`The board answers what the page does not understand: ${printed.slice(-80)}`);
    }
}

// What the board is, as `tflm doctor` asks it.
export async function identified(board, scripts) {
    await board.exec(scripts.doctor_device);
    return call(board, "say_facts()");
}

function refuse({error}) {
    if (error) throw new BoardError(error);
}

// Checks whether the board takes the file *name* with this *model*; writes nothing. Returns
// {name, facts, total, in_place, losses, state}.
export async function planned(board, scripts, model, name) {
    await board.exec(DRIVER);
    await board.exec(scripts.deploy_device);
    const facts = await call(board, 'look("")');
    const plan = model.ask("planned", JSON.stringify(facts), name);
    refuse(plan);
    const {ops, kernels, sizes} = plan;
    const answer = await call(board, `check(${JSON.stringify(ops)}, ${JSON.stringify(kernels)}, ${JSON.stringify(sizes)})`);
    refuse(model.ask("verdict", JSON.stringify(answer), plan.in_place));
    return {...plan, facts, name, path: `${facts.folder.replace(/\/$/, "")}/${name}`};
}

// What deployed() returns, where the very file that was planned is on the board; else null.
export async function there(board, model, {facts, name, path}) {
    if (!facts.old.includes(name)) return null;
    try {
        const proof = await call(board, `prove(${quoted(path)})`, PROVE);
        return model.ask("proved", JSON.stringify(proof)).error ? null : proof;
    } catch (error) {
        if (error instanceof ExecError) return null;
        throw error;
    }
}

// Writes what was planned, compares its checksum, resets the board and runs the model once. Returns
// {arena, microseconds, in_flash}. advance(bytes) is called as it goes.
export async function deployed(board, scripts, model, plan, advance) {
    try {
        if (plan.in_place) await writeRom(board, model, advance);
        else await writeFile(board, model, plan, advance);
    } catch (error) {
        if (!(error instanceof BoardError)) throw error;
        throw new BoardError(`Writing failed: ${error.message} On the board, ${plan.state}. Write it again.`);
    }
    await board.enter();
    await board.exec(DRIVER);
    await board.exec(scripts.deploy_device);
    const proof = await call(board, `prove(${quoted(plan.path)})`, PROVE);
    refuse(model.ask("proved", JSON.stringify(proof)));
    return proof;
}

async function writeRom(board, model, advance) {
    const image = model.file("/image");
    const chunk = await call(board, `begin(${image.length})`);
    if (!Number.isInteger(chunk) || chunk < 1) throw new BoardError(`The board wants chunks of ${chunk} bytes.`);
    const padded = new Uint8Array(Math.ceil(image.length / chunk) * chunk).fill(0xff);
    padded.set(image);
    const send = async start => {
        const part = padded.subarray(start, start + chunk);
        await board.exec(`write(${start}, ${quoted(base64(part))})`);
        advance(Math.min(chunk, image.length - start));
    };
    const compare = async (start, end) => {
        const found = await call(board, `digest(${start}, ${end})`);
        if (found !== model.digest(padded.subarray(start, end))) throw new BoardError("It reads back differently.");
    };
    for (let start = chunk; start < padded.length; start += chunk) await send(start);
    await compare(chunk, padded.length);
    await send(0);
    await board.exec("rom.complete()");
    try {
        await compare(0, image.length);
    } catch (error) {
        await board.exec(`begin(${image.length})`);  // no header, no image
        throw error;
    }
}

async function writeFile(board, model, {path}, advance) {
    const bytes = model.file("/model");
    for (let start = 0; start < bytes.length; start += FILE_CHUNK) {
        const part = bytes.subarray(start, start + FILE_CHUNK);
        await board.exec(`append(${quoted(path)}, ${start ? '"ab"' : '"wb"'}, ${quoted(base64(part))})`);
        advance(part.length);
    }
    const found = await call(board, `file_digest(${quoted(path)})`);
    if (found !== model.digest(bytes)) throw new BoardError("It reads back differently.");
    await board.exec(`rename(${quoted(path)})`);
}

// Loads the model at *path* on the board, so that run() can feed it.
export async function loaded(board, scripts, path) {
    await board.exec(scripts.page_device);
    await board.exec(`load(${quoted(path)})`);
}

// Runs the loaded model on *inputs*, a Uint8Array each. Returns {microseconds, outputs: [hex]}.
export async function run(board, inputs) {
    for (const [i, bytes] of inputs.entries()) {
        for (let start = 0; start < bytes.length; start += FILE_CHUNK) {
            const part = base64(bytes.subarray(start, start + FILE_CHUNK));
            await board.exec(`put(${i}, ${start}, ${quoted(part)})`);
        }
    }
    const {microseconds, outputs: sizes} = await call(board, "go()", PROVE);
    const outputs = [];
    for (const [i, size] of sizes.entries()) {
        const parts = [];
        for (let start = 0; start < size; start += FILE_CHUNK) {
            parts.push(await call(board, `take(${i}, ${start}, ${Math.min(start + FILE_CHUNK, size)})`));
        }
        outputs.push(parts.join(""));
    }
    return {microseconds, outputs};
}

// What is said of an *error* of the board's.
export function reason(error) {
    if (error instanceof ExecError && /no module named 'tflm'/.test(error.message)) {
        return "MicroPython runs on this board, but without tflm.";
    }
    return error.message;
}
