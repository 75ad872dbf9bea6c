// What a hasty person does on the page that runs models; posts what was seen after each step, by name.
const byId = id => document.getElementById(id);
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const SECONDS = 20;

async function until(condition) {
    const end = performance.now() + SECONDS * 1000;
    while (!condition() && performance.now() < end) await pause(20);
}

const fetched = async name => new File([await (await fetch(`/${name}`)).arrayBuffer()], name);

function dropFiles(...files) {
    const moved = new DataTransfer();
    for (const file of files) moved.items.add(file);
    document.dispatchEvent(new DragEvent("drop", {dataTransfer: moved, bubbles: true, cancelable: true}));
}

const drop = async (...names) => dropFiles(...await Promise.all(names.map(fetched)));

async function choose(id, name) {
    const moved = new DataTransfer();
    moved.items.add(await fetched(name));
    byId(id).files = moved.files;
    byId(id).dispatchEvent(new Event("change"));
}

const shows = (id, text) => until(() => byId(id).textContent.includes(text));
const state = () => Object.fromEntries(["model", "taken", "answer"].map(id => [id, byId(id).textContent]));
const said = {};

STEPS

await fetch("/answer", {method: "POST", body: JSON.stringify(said)});
