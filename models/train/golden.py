"""Run the committed models in TFLM and complete models/*.json with what it gives.

Needs the extra `test` of pyproject.toml (tflite-micro, scikit-learn), no TensorFlow.

    sha256, bytes       of the .tflite file that everything below belongs to
    reference           the TFLM build that ran it
    int8                accuracy in TFLM; for digits over the whole test part, with the
                        sha256 of all its output bytes in order
    golden              count, inputs, outputs: that many inferences, bytes in hexadecimal
"""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import dataset
import numpy as np
from tflite_micro import runtime

MODELS = Path(__file__).resolve().parent.parent
SEED = 2
DIGITS = ("digits_cnn", "digits_ds_cnn", "digits_gated")


class Reference:
    """One model in TFLM, with int8 input and output."""

    def __init__(self, name):
        self.tflite = (MODELS / f"{name}.tflite").read_bytes()
        self._interpreter = runtime.Interpreter.from_bytes(self.tflite, arena_size=200_000)
        self.input = self._interpreter.get_input_details(0)
        self.output = self._interpreter.get_output_details(0)

    def run(self, inputs):
        """Return int8 outputs [n, ...] of int8 *inputs* [n, ...], one inference each."""
        shape = tuple(self.input["shape"])
        outputs = []
        for x in inputs:
            self._interpreter.set_input(x.reshape(shape), 0)
            self._interpreter.invoke()
            outputs.append(self._interpreter.get_output(0)[0].copy())
        return np.stack(outputs)


def parameters(details):
    """Return (scale, zero point) of a tensor quantized as a whole."""
    quantization = details["quantization_parameters"]
    return np.float32(quantization["scales"][0]), int(quantization["zero_points"][0])


def golden(inputs, outputs):
    """Return *inputs* and *outputs* as they stand in the .json file."""
    return {
        "count": len(inputs),
        "inputs": inputs.tobytes().hex(),
        "outputs": outputs.tobytes().hex(),
    }


def measure_sine(reference):
    """Run all 256 inputs: (figures, golden)."""
    inputs = np.arange(-128, 128, dtype=np.int8)[:, None]
    outputs = reference.run(inputs)
    in_scale, in_zero = parameters(reference.input)
    out_scale, out_zero = parameters(reference.output)
    x = (inputs.astype(np.float64) - in_zero) * in_scale
    error = np.abs((outputs.astype(np.float64) - out_zero) * out_scale - np.sin(x))
    figures = {
        "max_error": round(float(error.max()), 6),
        "mean_error": round(float(error.mean()), 6),
    }
    return figures, golden(inputs, outputs)


def measure_digits(reference):
    """Run the test part for the figures; golden: six of its images and six of random bytes."""
    _, (images, labels) = dataset.split()
    inputs = dataset.quantize(images, *parameters(reference.input))
    outputs = reference.run(inputs)
    correct = int(np.sum(np.argmax(outputs, axis=1) == labels))
    figures = {
        "correct": correct,
        "samples": len(labels),
        "accuracy": correct / len(labels),
        "outputs_sha256": hashlib.sha256(outputs.tobytes()).hexdigest(),
    }
    noise = np.random.RandomState(SEED).randint(-128, 128, (6,) + images.shape[1:])
    chosen = np.concatenate([inputs[:6], noise.astype(np.int8)])
    return figures, golden(chosen, reference.run(chosen))


def main():
    """Complete every record that training left in models/."""
    for name in ("sine",) + DIGITS:
        path = MODELS / f"{name}.json"
        record = json.loads(path.read_text())
        reference = Reference(name)
        measure = measure_digits if name in DIGITS else measure_sine
        record["bytes"] = len(reference.tflite)
        record["sha256"] = hashlib.sha256(reference.tflite).hexdigest()
        record["reference"] = f"tflite_micro {version('tflite_micro')}"
        record["int8"], record["golden"] = measure(reference)
        path.write_text(json.dumps(record, indent=1) + "\n")
        print(name, "float", record["float"], "int8", record["int8"])


if __name__ == "__main__":
    main()
