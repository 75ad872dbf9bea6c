"""The process behind oracle.Oracle: serves requests with tflite-micro.

Requests and replies are lines of JSON: [what, blobs] and [True, blobs] or [False, text], blobs as
base64.

A child process does the work. It is forked with all modules loaded. TFLM ends its process for many
bad models, and the next child starts in a millisecond.
"""

import base64
import json
import os
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

    def answer(self, what, blobs):
        if what == "load":
            self.load(blobs[0])
        elif what == "invoke":
            return self.invoke(blobs)
        else:
            self.interpreter.reset()
        return []


def _say(answers, ok, answer):
    answers.write(json.dumps([ok, answer]).encode() + b"\n")
    answers.flush()


def _serve(requests, answers):
    """Serve until there are no more requests."""
    server = _Server()
    while True:
        line = requests.readline()
        if not line:
            return
        what, blobs = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, REQUEST_SECONDS)
        try:
            found = server.answer(what, [base64.b64decode(text) for text in blobs])
        except Exception as error:  # whatever it is, the parent reports it
            _say(answers, False, f"{type(error).__name__}: {error}")
        else:
            _say(answers, True, [base64.b64encode(data).decode() for data in found])


def _serve_for_ever(requests, answers):
    """Let children serve the requests. If one dies of a request, the reply says so."""
    while True:
        child = os.fork()
        if child == 0:
            _serve(requests, answers)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        _say(answers, False, f"{DIED} (status {status})")


if __name__ == "__main__":
    _serve_for_ever(sys.stdin.buffer, sys.stdout.buffer)
