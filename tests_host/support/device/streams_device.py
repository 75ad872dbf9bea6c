"""Runs on the target: goes on where the host was, from every cut of a stream.

A file holds the inputs of all frames, the host's outputs of all frames, and its states before each
frame and after the last: bytes, without gaps.
"""

import tflm


def load(path):
    with open(path, "rb") as file:
        try:
            return memoryview(file)  # in flash
        except TypeError:
            return memoryview(file.read())


class Stream:
    def __init__(self, model, path, frames):
        self.interp = tflm.Interpreter(model, prepared=True)
        data = load(path)
        self.inputs, data = self.split(data, frames, self.interp.inputs)
        self.outputs, self.states = self.split(data, frames, self.interp.outputs)
        self.size = len(self.states) // (frames + 1)
        self.frames = frames

    def split(self, data, frames, tensors):
        nbytes = frames * sum([tensor.nbytes for tensor in tensors])
        return data[:nbytes], data[nbytes:]

    def state(self, i):
        return self.states[i * self.size : (i + 1) * self.size]

    def step(self, i):
        """Run frame *i*; return whether the outputs are the host's."""
        self.give(self.inputs, i)
        self.interp.invoke()
        data, at = self.outputs, i * sum([tensor.nbytes for tensor in self.interp.outputs])
        for tensor in self.interp.outputs:
            if tensor.data != data[at : at + tensor.nbytes]:
                return False
            at += tensor.nbytes
        return True

    def give(self, data, i):
        at = i * sum([tensor.nbytes for tensor in self.interp.inputs])
        for tensor in self.interp.inputs:
            tensor.data[:] = data[at : at + tensor.nbytes]
            at += tensor.nbytes

    def check(self):
        """Return the (cut, frame) where something differs: outputs, or the state afterwards."""
        wrong = []
        for cut in range(self.frames):
            self.interp.load_state(self.state(cut))
            for i in range(cut, self.frames):
                if not self.step(i):
                    wrong.append((cut, i))
            if self.interp.save_state() != bytes(self.state(self.frames)):
                wrong.append((cut, -1))
        # And the other way: the host goes on from any of these.
        self.interp.reset()
        self.interp.load_state(self.state(0))
        for i in range(self.frames):
            self.step(i)
            if self.interp.save_state() != bytes(self.state(i + 1)):
                wrong.append((-1, i))
        return wrong
