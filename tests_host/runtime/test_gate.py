"""The gate of an arena lets one run at a time begin, whichever threads and backends ask."""

import threading
from array import array

import pytest

import _tflm
from support.device.stock import open_stock
from support.models.small_models import chain
from tflm.base.layout import ALIGNMENT
from tflm_host.targets.open_target import open_target

ROUNDS = 3_000

# Two threads begin runs until each has begun some, of graphs in one arena. None runs any node.
RACE = """
import _thread, time
import tflm
arena = tflm.Arena(4096)
graphs = [tflm.Interpreter(PATH, arena, backend=b).graph for b in BACKENDS]
class Any:  # what may begin whoever ran before: neither has inputs that it would have set
    def __init__(self, graph):
        self.run = graph.runners[0].run
        self.turns = graph.turns
        self.end = self.run.end
    def begin(self):
        while True:
            self.turns.turn = arena._gate[1]
            reason = self.run.begin()
            if reason != -5:
                return reason
runs = [Any(graph) for graph in graphs]
inside, begun, clashes, ended = [0, 0], [0, 0], [0, 0], [0, 0]
def work(i):
    run = runs[i]
    try:
        while min(begun) < ROUNDS:
            reason = run.begin()
            if reason == 0:
                inside[i] = 1
                begun[i] += 1
                clashes[i] += inside[1 - i]
                inside[i] = 0
                run.end(0)
            elif reason != -1:
                clashes[i] += 1
    finally:
        ended[i] = 1
for i in range(2):
    _thread.start_new_thread(work, (i,))
while not all(ended):
    time.sleep(0.01)
print(sum(clashes), arena._gate[1] - sum(begun), arena._gate[0])
"""


def race(target, *backends):
    setting = f"PATH = {target.path('chain')!r}\nBACKENDS = {backends}\nROUNDS = {ROUNDS}"
    return target.exec(setting + RACE).strip()


@pytest.mark.firmware
@pytest.mark.parametrize("backends", [("c", "c"), ("viper", "viper"), ("c", "viper")])
def test_one_of_two_threads_without_a_lock_of_the_interpreter_passes(backends):
    """The unix port has no global lock: its threads run side by side, as an RP2040's cores do."""
    with open_target("unix", models=[("chain", chain())]) as target:
        assert race(target, *backends) == "0 0 0"


@pytest.mark.firmware
@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_one_of_two_threads_on_stock_firmware_passes(package, backend):
    with open_stock("unix-stock", package, [("chain", chain())]) as target:
        assert race(target, backend, backend) == "0 0 0"


def test_handler_of_a_signal_may_begin_a_run_within_the_beginning_of_another():
    class Gate(array):
        def __getitem__(self, i):
            if i == 0 and threading.current_thread() not in asked:
                asked.append(threading.current_thread())
                reasons.append(other.begin())
                other.end(reasons[-1])
            return super().__getitem__(i)

    asked, reasons = [], []
    gate = Gate("i", (0, 0, 0, 0))
    memory = bytearray(ALIGNMENT)
    graph, other = (_tflm.Graph(memory, b"", 0, 0, gate) for _ in range(2))
    graph.turn, other.turn = 1, 0
    work = threading.Thread(target=lambda: reasons.append(graph.begin()), daemon=True)
    work.start()
    work.join(10)
    assert (reasons, list(gate)) == ([0, 0], [1, 2, 0, 0])
