"""Runs on the target: the cost of a second of sound, of loading, and the heap."""

import gc
import time

import tflm
import tflm.audio

CHUNK = 640  # bytes that are fed at a time: 20 ms
SECOND = 32000
WAITING_MS = 170  # less than the buffer of a microphone
READ, ROUNDS = 8, 5  # chunks that are read of it, so that reading never waits; so often


def bench_front(name, path, count, nothing):
    """Print the counts of a second of the sound at *path* and of making the front end, its heap.

    count(function) returns what a call of the function costs
    """
    with open(path, "rb") as file:
        sound = memoryview(file.read(2 * SECOND))
    line = bytearray(tflm.audio.BANDS)
    features = tflm.audio.Features(name)

    def feed(samples):
        at = features.feed(samples, 0, line)
        while features.ready:
            at = features.feed(samples, at, line)

    second = a_second(feed, sound, count) - count(nothing)
    features = None
    before = in_use()
    features = tflm.audio.Features(name)
    heap = in_use() - before
    load = count(lambda: tflm.audio.Features(name)) - count(nothing)
    print(second, load, heap, 0)


def bench_ear(paths, path, count, nothing):
    """Print the same of an ear with the models at *paths*, without its models, and their heap."""
    from tflm.hearing import Description, listen

    models = [Description(one).path for one in paths]

    def load():
        loaded = [tflm.Interpreter(model) for model in models]
        return [(one, one.inputs[0].data, one.outputs[0].data) for one in loaded]

    listen(*paths)  # imports
    before = in_use()
    kept = load()
    heap_of_models = in_use() - before
    del kept
    before = in_use()
    ear = listen(*paths)
    heap = in_use() - before - heap_of_models
    ear = None
    of_models = count(load)
    of_all = count(lambda: listen(*paths))
    ear = listen(*paths)
    with open(path, "rb") as file:
        sound = memoryview(file.read(2 * SECOND))
    second = a_second(ear.feed, sound, count) - count(nothing)
    print(second, of_all - of_models, heap, heap_of_models)


def bench_microphone(path, count, nothing):
    """Print the counts of reading and of making a PDM microphone, and its heap.

    Only samples that wait are read. The cost does not depend on the sound.
    """
    from tflm.sources import PdmMicrophone

    del path
    buffer = bytearray(CHUNK)
    before = in_use()
    mic = PdmMicrophone(14, 15)
    heap = in_use() - before
    mic.readinto(buffer)

    def read():
        for _ in range(READ):
            mic.readinto(buffer)

    total = 0
    for _ in range(ROUNDS):
        mic._skip()
        time.sleep_ms(WAITING_MS)
        total += count(read) - count(nothing)
    mic.close()
    load = count(lambda: PdmMicrophone(14, 15).close()) - count(nothing)
    print(total * SECOND // (CHUNK * READ * ROUNDS), load, heap, 0)


def a_second(feed, sound, count):
    """Feed the first second of *sound*; return the count of the next one."""
    feed(sound[:SECOND])
    parts = [sound[i : i + CHUNK] for i in range(SECOND, 2 * SECOND, CHUNK)]

    def run():
        for part in parts:
            feed(part)

    return count(run)


def in_use():
    """Return the bytes of heap that are in use, what calls left on the C stack not counted."""
    wipe(20)
    gc.collect()
    return gc.mem_alloc()


def wipe(depth):
    if depth > 0:
        wipe(depth - 1)
