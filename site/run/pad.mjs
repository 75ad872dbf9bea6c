// Makes *canvas* paper: *done* is called after each stroke with all strokes [[[x, y], ...], ...].
// Returns the function that clears it.
export function asPad(canvas, done) {
    const pen = canvas.getContext("2d");
    let strokes = [], isDrawing = false;

    function clear() {
        strokes = [];
        isDrawing = false;  // what is left of a stroke is for nobody
        pen.clearRect(0, 0, canvas.width, canvas.height);
    }

    function draw(event) {
        const scale = canvas.width / canvas.clientWidth;
        const point = [event.offsetX * scale, event.offsetY * canvas.height / canvas.clientHeight];
        const stroke = strokes.at(-1);
        stroke.push(point);
        Object.assign(pen, {strokeStyle: getComputedStyle(canvas).color, lineWidth: 22, lineCap: "round"});
        pen.beginPath();
        pen.moveTo(...stroke[Math.max(stroke.length - 2, 0)]);
        pen.lineTo(...point);
        pen.stroke();
    }

    canvas.addEventListener("pointerdown", event => {
        isDrawing = true;
        canvas.setPointerCapture(event.pointerId);
        strokes.push([]);
        draw(event);
    });
    canvas.addEventListener("pointermove", event => { if (isDrawing) draw(event); });
    for (const kind of ["pointerup", "pointercancel"]) {
        canvas.addEventListener(kind, () => {
            if (isDrawing) done(strokes);
            isDrawing = false;
        });
    }
    return clear;
}
