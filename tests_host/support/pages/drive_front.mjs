// What a person does in the front page, after DIGITS, point() and others of drive_run.mjs; it ends with
// {shown: [digit], pixels: [hex], outputs: [hex], cleared, wider} as JSON in the body's data-said.
while (byId("try").hidden) await pause(20);
const said = {shown: [], pixels: [], outputs: []};
for (const strokes of DIGITS) {
    write(strokes);
    said.shown.push(byId("digit").textContent);
    said.pixels.push(byId("answer").dataset.pixels);
    said.outputs.push(byId("answer").dataset.hex);
}
byId("clear").click();
said.cleared = byId("digit").textContent;
said.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.body.dataset.said = JSON.stringify(said);
