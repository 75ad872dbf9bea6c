"""Models load while callbacks and other threads load and look at models: the same results.

TFLM_LOAD_COUNT sets how many loads each test tries.
"""

import os
import sys
import threading
from collections import Counter

import pytest

import tflm
from support.device import device_models
from support.nets import one_op_models
from tflm_host.targets.open_target import open_target

LOADS = int(os.environ.get("TFLM_LOAD_COUNT", "60"))
THREADS = 3
OPS = (
    "conv_2d",
    "fully_connected",
    "add",
    "softmax",
    "mean",
    "svdf_s8",
    "relu_f32",
    "quantize_s8",
)

# run(model): outputs of a model; models, expected: those that are tried; attempt(i, outcomes)
# counts in *outcomes* how the i-th of them fares.
RUN = """
import tflm
def run(model):
    interp = tflm.Interpreter(model, backend=backend)
    for tensor in interp.inputs:
        tensor.data[:] = bytes([7 * i & 63 for i in range(tensor.nbytes)])
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs], interp.arena_used_bytes()
def attempt(i, outcomes):
    i %= len(models)
    try:
        outcome = "right" if run(models[i]) == expected[i] else "wrong results"
    except Exception as error:
        outcome = "%s: %s" % (type(error).__name__, error)
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
"""

# A callback at every place where one can run: it looks at a tensor, and now and then loads and
# runs a model of its own.
CALLBACKS = """
import micropython
from tflm.file.views import TensorInfo
calls = 0
outcomes = {}
going = True
def called(_):
    global calls
    calls += 1
    graph = views[calls % len(views)].subgraphs[0]
    TensorInfo(graph, calls % graph.tensor_count)
    if calls % 997 == 0:
        attempt(calls // 997, outcomes)
    if going:
        micropython.schedule(called, 0)
views = [tflm.Model(model) for model in models]
micropython.schedule(called, 0)
for i in range(loads):
    attempt(i, outcomes)
going = False
print(calls > 100 * loads, outcomes)
"""

# Each thread counts for itself: a number that two threads raise loses counts.
IN_THREADS = """
import _thread, time
_thread.stack_size(1 << 18)
counts = [{} for _ in range(threads)]
ended = [False] * threads
def work(first):
    for i in range(loads):
        attempt(first + i, counts[first])
    ended[first] = True
for first in range(threads):
    _thread.start_new_thread(work, (first,))
while not all(ended):
    time.sleep_ms(1)
print(counts)
"""


def models():
    made = [device_models.cnn(), device_models.memory()]
    return made + [one_op_models.case_of(op, 1).model for op in OPS]


def run_on_unix(code, backend, loads):
    """Return what *code* prints, on the unix port with the models at hand."""
    files = [(f"{i}.tflite", model) for i, model in enumerate(models())]
    with open_target("unix", models=files) as target:
        paths = [target.path(name) for name, _ in files]
        target.exec(f"backend = {backend!r}\nloads = {loads}\nthreads = {THREADS}\n{RUN}")
        target.exec(f"models = {paths!r}\nexpected = [run(model) for model in models]")
        return target.exec(code, timeout=100 + loads).strip()


@pytest.mark.firmware
@pytest.mark.parametrize("backend", ["c", "viper"])
def test_models_load_while_callbacks_look_at_tensors_and_load_models(backend):
    called, outcomes = run_on_unix(CALLBACKS, backend, LOADS).split(" ", 1)
    assert called == "True"  # callbacks ran all the time
    assert list(eval(outcomes)) == ["right"]


@pytest.mark.firmware
def test_models_load_in_threads_of_micropython():
    """Which really run side by side there; viper kernels share a work area, so they may not."""
    assert eval(run_on_unix(IN_THREADS, "c", LOADS)) == [{"right": LOADS}] * THREADS


@pytest.fixture
def switches():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_here(model):
    interp = tflm.Interpreter(model)
    for tensor in interp.inputs:
        tensor.data[:] = bytes(7 * i & 63 for i in range(tensor.nbytes))
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs], interp.arena_used_bytes()


@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("make", [bytes, tflm.Model], ids=["own", "shared"])
def test_models_load_in_threads_of_cpython(make):
    """Each thread loads all models; `shared`: three interpreters at a time have one Model."""
    given = [make(model) for model in models()]
    expected = [run_here(model) for model in given]
    outcomes = Counter()

    def work(first):
        for k in range(first, first + LOADS):
            i = k % len(given)
            try:
                right = run_here(given[i]) == expected[i]
                outcomes["right" if right else "wrong results"] += 1
            except Exception as error:  # which one it is, is the question
                outcomes[f"{type(error).__name__}: {error}"] += 1

    threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) == {"right"}
