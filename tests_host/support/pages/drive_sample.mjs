// What a person does who drops known models on the page that runs them; it ends with what was seen,
// as JSON in the body's data-said. The test puts {name of a file: its bytes in base64} in.
const byId = id => document.getElementById(id);
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const answered = async () => {
    while (!byId("answer").dataset.hex) await pause(20);
    return byId("answer").dataset.hex;
};

while (!byId("all").dataset.ready) await pause(20);
const said = [];
for (const [name, text] of Object.entries(DROPPED)) {
    const moved = new DataTransfer();
    moved.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
    byId("answer").dataset.hex = "";
    document.dispatchEvent(new DragEvent("drop", {dataTransfer: moved, bubbles: true, cancelable: true}));
    while (!byId("model").textContent.startsWith(name)) await pause(20);
    const seen = {dropped: await answered(), taken: byId("taken").textContent};
    byId("clear").click();
    seen.cleared = [byId("taken").textContent, byId("answer").textContent, byId("seen").hidden];
    byId("sample").click();
    seen.again = await answered();
    said.push(seen);
}
document.body.dataset.said = JSON.stringify(said);
