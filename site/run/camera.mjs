// Frames of the machine's camera, or a sentence that says why there are none.

const SIZE = {width: {ideal: 320}, height: {ideal: 240}};  // more than most models see

const REASONS = {
    NotAllowedError: "The browser does not allow the camera: allow it for this page, and press the button again.",
    NotFoundError: "There is no camera.",
    NotReadableError: "Another program uses the camera.",
};

// Starts the camera, whose frames are painted on the canvas *view*; *media* is navigator.mediaDevices.
// Returns {frame, stop}: frame() is {width, height, data}, red, green, blue and opacity of each pixel.
export async function openCamera(media, view) {
    if (!media?.getUserMedia) throw new Error("The browser gives its camera only to pages of https or of this machine.");
    let stream = null;
    try {
        stream = await media.getUserMedia({video: {...SIZE, facingMode: "environment"}});
    } catch (error) {
        throw new Error(REASONS[error.name] ?? `The camera does not start: ${error.message}`);
    }
    const video = Object.assign(document.createElement("video"), {muted: true, playsInline: true, srcObject: stream});
    await video.play();
    Object.assign(view, {width: video.videoWidth, height: video.videoHeight});
    const context = view.getContext("2d", {willReadFrequently: true});

    function frame() {
        if (stream.getTracks().every(track => track.readyState === "ended")) throw new Error("The camera has stopped.");
        context.drawImage(video, 0, 0, view.width, view.height);
        return context.getImageData(0, 0, view.width, view.height);
    }

    function stop() {
        stream.getTracks().forEach(track => track.stop());
        video.srcObject = null;
    }

    return {frame, stop};
}
