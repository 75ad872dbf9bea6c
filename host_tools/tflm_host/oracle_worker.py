"""The process behind oracle.Oracle: answers pickled requests with tflite-micro."""

import pickle
import sys

import numpy as np
from tflite_micro.python.tflite_micro import runtime

SPARE_ARENA_BYTES = 4 << 20


class _Server:
    def __init__(self):
        self.interpreter = None
        self.inputs = []
        self.outputs = 0

    def load(self, model):
        self.interpreter = runtime.Interpreter.from_bytes(
            model, arena_size=10 * len(model) + SPARE_ARENA_BYTES
        )
        graph = runtime.schema_fb.Model.GetRootAsModel(model, 0).Subgraphs(0)
        self.outputs = graph.OutputsLength()
        self.inputs = [self.interpreter.get_input_details(i) for i in range(graph.InputsLength())]

    def invoke(self, inputs):
        for i, (details, data) in enumerate(zip(self.inputs, inputs, strict=True)):
            values = np.frombuffer(data, details["dtype"])
            self.interpreter.set_input(values.reshape(details["shape"]), i)
        self.interpreter.invoke()
        return [self.interpreter.get_output(i).tobytes() for i in range(self.outputs)]

    def reset(self, _):
        self.interpreter.reset()


def _serve(requests, answers):
    server = _Server()
    while True:
        try:
            what, argument = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = (True, getattr(server, what)(argument))
        except Exception as error:  # whatever it is, the parent reports it
            answer = (False, f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
