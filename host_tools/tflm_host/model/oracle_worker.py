"""The process behind oracle.Oracle: answers pickled requests with tflite-micro.

A child of it does, which has all modules at once when it is forked: TFLM ends its process over
many a bad model, and the next child is there in a millisecond.
"""

import os
import pickle
import signal
import sys

import numpy as np
from tflite_micro.python.tflite_micro import runtime

SPARE_ARENA_BYTES = 4 << 20
REQUEST_SECONDS = 60  # of processor time; what takes longer counts as dead
DIED = "it died"


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
    """Answer until there are no more requests."""
    server = _Server()
    while True:
        try:
            what, argument = pickle.load(requests)
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, REQUEST_SECONDS)
        try:
            answer = (True, getattr(server, what)(argument))
        except Exception as error:  # whatever it is, the parent reports it
            answer = (False, f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers)
        answers.flush()


def _serve_for_ever(requests, answers):
    """Let children answer; where one dies of a request, that is the answer."""
    while True:
        child = os.fork()
        if child == 0:
            _serve(requests, answers)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        pickle.dump((False, f"{DIED} (status {status})"), answers)
        answers.flush()


if __name__ == "__main__":
    _serve_for_ever(sys.stdin.buffer, sys.stdout.buffer)
