"""Examples at the end of each command's help. A test parses every one of them."""

import re

from ..places import IN_CLONE

EXAMPLES = {
    "arena": (
        ("the arena of a model", "tflm arena models/digits_cnn.tflite"),
        ("does it fit on this board?", "tflm arena models/digits_cnn.tflite --board RPI_PICO"),
        ("a page with a picture of the memory", "tflm arena model.tflite --html arena.html"),
    ),
    "get": (
        ("what is there?", "tflm get"),
        ("a wake word, with its JSON", "tflm get okay_nabu"),
    ),
    "inspect": (
        ("operators, inputs and outputs", "tflm inspect models/digits_cnn.tflite"),
        ("the same for a script", "tflm inspect models/digits_cnn.tflite --json"),
    ),
    "run": (
        ("run on the PC with random inputs", "tflm run models/digits_cnn.tflite"),
        ("classify a picture", "tflm run model.tflite --input cat.png --labels labels.txt"),
        ("run on a board", "tflm run models/sine.tflite --target /dev/ttyACM0 --profile"),
    ),
    "train": (
        ("from sounds or tables, a folder for each class", "tflm train data -o words.tflite"),
        ("with more patterns", "tflm train data -o words.tflite --filters 32"),
    ),
    "accuracy": (
        ("with a folder for each class", "tflm accuracy model.tflite --input data"),
        ("on a board", "tflm accuracy model.tflite --input data --port /dev/ttyACM0"),
    ),
    "record": (
        ("20 words of a second", "tflm record --port /dev/ttyACM0 -o data/yes --count 20"),
        ("an emulated Pico hears a file", "tflm record --port RPI_PICO --mic yes.wav -o data/yes"),
        ("movements", "tflm record --port COM3 --source imu --driver imu.py -o data/wave"),
    ),
    "listen": (
        ("where is the wake word?", "tflm listen okay_nabu.json --wav hello.wav"),
        ("and why at 12.4 s?", "tflm listen okay_nabu.json --wav hello.wav --why 12.4"),
    ),
    "watch": (
        ("pictures of a folder, as a page", "tflm watch faces.tflite pictures --html seen.html"),
        ("raw frames, run on a board", "tflm watch m.tflite a.rgb565 --size 80x60 --port COM3"),
        ("its camera", "tflm watch m.tflite --port /dev/ttyACM0 --driver cam.py"),
    ),
    "features": (
        (
            "log-mel: 40 bands of voices, a line each 10 ms",
            "tflm features model.tflite --n-fft 512 --win-length 480 --hop-length 160 --fmin 20"
            " -o model.features",
        ),
        (
            "MFCC as librosa computes them",
            "tflm features model.tflite --kind mfcc --n-fft 512 --hop-length 320 --n-mfcc 13"
            " --lifter 22 -o model.features",
        ),
        (
            "Edge Impulse's MFE block",
            "tflm features ei.tflite --kind ei-mfe --frame-length 0.02 --frame-stride 0.01"
            " --num-filters 40 --fft-length 512 --noise-floor-db -52 -o ei.features",
        ),
        (
            "its MFCC block",
            "tflm features ei.tflite --kind ei-mfcc --frame-length 0.02 --frame-stride 0.02"
            " --num-filters 32 --fft-length 256 --num-cepstral 13 --win-size 101 -o ei.features",
        ),
        (
            "a model of TFLM's operators, for MLPerf's model of machines",
            "tflm features ad01_int8.tflite --n-fft 1024 --mels 128 -o ad01_features.tflite",
        ),
    ),
    "verify": (
        ("the PC against TensorFlow Lite Micro", "tflm verify models/digits_cnn.tflite"),
        ("a board against it", "tflm verify models/sine.tflite --target COM3"),
    ),
    "compare": (
        ("which layer lost accuracy?", "tflm compare float.tflite int8.tflite --input pictures/"),
        ("the same for a script", "tflm compare float.tflite int8.tflite --json"),
    ),
    "bench": (
        ("each operator on the PC", "tflm bench models/digits_cnn.tflite"),
        ("on an emulated Pico", "tflm bench models/digits_cnn.tflite --target RPI_PICO"),
    ),
    "plan": (
        ("a model with the lowest plan inside", "tflm plan model.tflite -o planned.tflite"),
        ("a planning problem of MiniMalloc", "tflm plan problem.csv -o solved.csv"),
    ),
    "prepare": (
        ("for a Pico", "tflm prepare model.tflite --target RPI_PICO -o pico.tflite"),
        (
            "for the smallest file",
            "tflm prepare model.tflite --target dsp --small -o m4.tflite",
        ),
    ),
    "convert": (
        ("from uint8 to int8", "tflm convert old.tflite -o new.tflite"),
        ("then ask what the result needs", "tflm convert old.tflite -o new.tflite --json"),
    ),
    "resize": (
        ("one picture at a time", "tflm resize model.tflite -o one.tflite --input 0=1x96x96x1"),
        (
            "by the name of an input",
            "tflm resize model.tflite -o one.tflite --input x=1x96x96x1",
        ),
    ),
    "split": (
        ("all nodes after node 3", "tflm split model.tflite --after 3 -o part.tflite"),
        ("nodes 4 to 8", "tflm split model.tflite --after 3 --until 8 -o part.tflite"),
    ),
    "ops": (
        ("the kernels of two models", "tflm ops models/sine.tflite models/digits_cnn.tflite"),
        ("a firmware with only these", 'make firmware TFLM_OPS="$(tflm ops models/sine.tflite)"'),
    ),
    "romfs": (
        ("an image of a folder's models", "tflm romfs models -o models.img"),
        ("of two models", "tflm romfs models/sine.tflite models/digits_cnn.tflite -o two.img"),
    ),
    "new": (
        ("a project with the sample model", "tflm new blinky --board RPI_PICO"),
        ("with a model of yours", "tflm new doorbell --board RPI_PICO --model bell.tflite"),
        (
            "with a picture and class names",
            "tflm new cats --board RPI_PICO --model cats.tflite --input cat.png --labels cats.txt",
        ),
    ),
    "flash": (
        ("the Pico in BOOTSEL mode", "tflm flash RPI_PICO.uf2"),
        ("firmware that was built in a clone", "tflm flash --board RPI_PICO"),
    ),
    "deploy": (
        ("a model, then compare outputs", "tflm deploy models/digits_cnn.tflite --port COM3"),
        ("all models of a folder", "tflm deploy models --port /dev/ttyACM0 --yes"),
    ),
    "repl": (
        ("a board's prompt", "tflm repl /dev/ttyACM0"),
        ("an emulated Pico with a model in /rom", "tflm repl RPI_PICO models/sine.tflite"),
    ),
    "certify": (
        ("a board, in some minutes", "tflm certify --port /dev/ttyACM0"),
        ("an emulated board, with a short soak", "tflm certify --target RPI_PICO --soak 5"),
        ("is this file unchanged?", "tflm certify --check certificate-RPI_PICO-2026-11-27.json"),
    ),
    "doctor": (
        ("programs, boards and ports", "tflm doctor"),
        ("ask the board at a port", "tflm doctor --port COM3"),
    ),
    "completion": (
        ("complete commands, boards, ports", "tflm completion bash --install"),
        ("print the script only", "tflm completion zsh"),
    ),
}


# What only a clone has: builds, and emulated boards.
CLONES = re.compile(r"^make |tflm flash --board|tflm repl [A-Z]|--(?:port|target) RPI_PICO(?! -o)")


def examples_of(name):
    """Return the examples of command *name* that can run here."""
    return [one for one in EXAMPLES[name] if IN_CLONE or not CLONES.search(one[1])]


def epilog(name):
    """Return the end of the help of command *name*, as click keeps its lines."""
    shown = examples_of(name)
    wide = max(len(command) for _, command in shown)
    lines = [f"  {command:{wide}}  {what}" for what, command in shown]
    return "\b\nExamples:\n" + "\n".join(lines)
