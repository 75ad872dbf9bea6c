"""Two cores of an emulated Pico: the same bytes, no races, and what comes in between.

test_split.py has random layers, with two threads of the PC.
"""

import random
import time
from functools import cache

import pytest

from support.device.rp2040js import require_rp2040js
from support.device.two_cores import NAME, SECONDS, open_two_cores, sections
from tflm import Interpreter, Model
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import load_board
from tflm_host.targets.repl import ExecError, TargetError

MODELS = ROOT / "models"
CNN = "digits_cnn.tflite"
OWN = (CNN, "digits_ds_cnn.tflite", "digits_gated.tflite", "sine.tflite")
OTHERS = ("kws_ref_model.tflite", "ad01_int8.tflite")
RACED = ("digits_cnn.tflite", "digits_ds_cnn.tflite")
JITTER = 400  # cycles: longer than core 1 takes for its part of many sections
SEEDS = (1, 2)
LEAST_SECTIONS = 40

# again(function) calls it in each pause of invoke(), while core 1 is lent.
AGAIN = """
class Again:
    def __init__(self, function):
        self.function, self.calls, self.stop = function, 0, False
        micropython.schedule(self.call, 0)
    def call(self, _):
        if not self.stop:
            self.calls += 1
            micropython.schedule(self.call, 0)
            self.function()
def invoke_with(path, function):
    interp = load(path)
    tflm.cores(2)
    machine.mem32[RACES] = 0
    again = Again(function)
    try:
        interp.invoke()
    finally:
        again.stop = True
    print(again.calls, outputs(interp), machine.mem32[RACES])
def thread_starts():
    "Whether a thread can have core 1."
    import _thread
    done = []
    _thread.start_new_thread(done.append, (1,))
    start = time.ticks_ms()
    while not done and time.ticks_diff(time.ticks_ms(), start) < 1000:
        pass
    time.sleep_ms(1)
    return bool(done)
"""


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


@cache
def judged(path, is_prepared=False):
    """Return a model for the Pico, the bytes of random inputs, its outputs in hex digits."""
    model = path.read_bytes()
    graph = Model(model).subgraphs[0]
    rng = random.Random(path.name)
    inputs = [rng.randbytes(graph.tensor(i).nbytes) for i in graph.inputs]
    interp = Interpreter(model)
    for tensor, data in zip(interp.inputs, inputs, strict=True):
        tensor.data[:] = data
    interp.invoke()
    wanted = "".join(bytes(tensor.data).hex() for tensor in interp.outputs)
    if is_prepared:
        model = prepare(model, load_board(NAME).isa)
    return model, b"".join(inputs), wanted


def cases_of(paths, is_prepared=False):
    """Return the cases of open_two_cores(), and {name: outputs in hex digits}."""
    found = {path.name: judged(path, is_prepared) for path in paths}
    cases = {name: (model, inputs) for name, (model, inputs, _) in found.items()}
    return cases, {name: wanted for name, (_, _, wanted) in found.items()}


def check_models(paths, is_prepared, **options):
    """Run models on both cores; return in how many sections they shared work."""
    cases, wanted = cases_of(paths, is_prepared)
    count = 0
    with open_two_cores(cases, **options) as target:
        for name in cases:
            got, races = target.exec(f"run({name!r}, 2)", SECONDS).split()
            assert (name, got) == (name, wanted[name])
            assert int(races) == 0
            count += sections(target)
    return count


@pytest.mark.parametrize("is_prepared", [False, True], ids=["plain", "prepared"])
def test_own_models_on_two_cores_bytes_equal(is_prepared):
    assert check_models([MODELS / name for name in OWN], is_prepared) > 0


@pytest.mark.parametrize("is_prepared", [False, True], ids=["plain", "prepared"])
def test_models_of_others_on_two_cores_bytes_equal(zoo, is_prepared):
    assert check_models([zoo / name for name in OTHERS], is_prepared) > 0


@pytest.mark.parametrize("is_prepared", [False, True], ids=["plain", "prepared"])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_schedules_no_races(seed, is_prepared):
    paths = [MODELS / name for name in RACED]
    count = check_models(paths, is_prepared, sync=True, jitter=JITTER, seed=seed)
    assert count > LEAST_SECTIONS


# The words of synchronisation are not named, so nothing orders the cores: what they share races.
def test_without_order_every_section_races():
    cases, wanted = cases_of([MODELS / CNN])
    with open_two_cores(cases, sync=[0]) as target:
        got, races = target.exec(f"run({CNN!r}, 2)", SECONDS).split()
    assert got == wanted[CNN]
    assert int(races) > 2


@pytest.fixture(scope="module")
def pair():
    """A Pico that looks for races, and what digits_cnn gives."""
    cases, wanted = cases_of([MODELS / CNN])
    with open_two_cores(cases, sync=True) as target:
        target.exec(AGAIN)
        yield target, wanted[CNN]


def check_between(pair, code, name, may_race=False):
    """Define and call function *name* of *code* in each pause of invoke(); bytes must be equal."""
    target, wanted = pair
    target.exec(code)
    calls, got, races = target.exec(f"invoke_with({CNN!r}, {name})", SECONDS).split()
    assert int(calls) > 3
    assert got == wanted
    assert may_race or int(races) == 0
    assert target.exec("print(thread_starts())") == "True\n"
    got, _ = target.exec(f"run({CNN!r}, 2)", SECONDS).split()
    assert got == wanted


def test_flash_written_between_nodes(pair):
    code = """
def write():
    with open("/kept.bin", "ab") as file:
        file.write(b"kept" * 300)
"""
    check_between(pair, code, "write")
    target, _ = pair
    assert int(target.exec("print(os.stat('/kept.bin')[6])")) >= 1200
    target.exec("os.remove('/kept.bin')")


def test_garbage_collected_between_nodes(pair):
    code = """
def collect():
    for i in range(20):
        bytearray(500)
    gc.collect()
    for i in range(8):
        bytearray(b"\\xff" * 2000)  # over what was free, if core 1's stack was
"""
    check_between(pair, code, "collect")


def test_thread_refused_between_nodes(pair):
    code = """
import _thread
refused = 0
def start():
    global refused
    try:
        _thread.start_new_thread(int, ())
    except OSError as error:
        refused += str(error) == "core1 in use"
"""
    # The first call comes before core 1 is lent, and threads of MicroPython race with each other.
    check_between(pair, code, "start", may_race=True)
    target, _ = pair
    assert int(target.exec("print(refused)")) > 3


def test_thread_has_core_invoke_raises(pair):
    target, wanted = pair
    target.exec(f"""
import _thread
ends = False
def spin():
    while not ends:
        time.sleep_ms(1)
interp = load({CNN!r})
tflm.cores(2)
_thread.start_new_thread(spin, ())
""")
    with pytest.raises(ExecError, match=r"RuntimeError: a thread has core 1: let it end, or call"):
        target.exec("interp.invoke()")
    one = f"tflm.cores(1)\nfill(interp, {CNN!r})\ninterp.invoke()\nprint(outputs(interp))"
    assert target.exec(one).strip() == wanted
    target.exec("ends = True\ntime.sleep_ms(20)")
    assert target.exec(f"run({CNN!r}, 2)", SECONDS).split()[0] == wanted


def test_exception_in_hook_gives_core_back(pair):
    target, wanted = pair
    target.exec(f"""
interp = load({CNN!r})
tflm.cores(2)
def hook(node):
    if node == 2:
        raise ValueError("from the hook")
interp.on_node = hook
""")
    with pytest.raises(ExecError, match="from the hook"):
        target.exec("interp.invoke()", SECONDS)
    assert target.exec("print(thread_starts())") == "True\n"
    target.exec(f"interp.on_node = None\nfill(interp, {CNN!r})\ninterp.invoke()")
    assert target.exec("print(outputs(interp))").strip() == wanted


def test_another_model_runs_between_nodes(pair):
    target, wanted = pair
    target.exec(f"second = load({CNN!r})")
    code = f"""
def invoke_second():
    if not again_runs:
        again_runs.append(1)
        fill(second, {CNN!r})
        second.invoke()
        again_runs.pop()
again_runs = []
"""
    check_between(pair, code, "invoke_second")
    assert target.exec("print(outputs(second))").strip() == wanted


def test_ctrl_c_during_invoke(pair):
    target, wanted = pair
    target.exec(f"interp = load({CNN!r})\ntflm.cores(2)\ninterp.invoke()")
    loop = f"print('begins')\nwhile True:\n    fill(interp, {CNN!r})\n    interp.invoke()"
    for pause in (0.05, 0.11, 0.23):

        def interrupt(_line, pause=pause):
            time.sleep(pause)
            target.link.write(b"\x03")

        with pytest.raises(ExecError, match="KeyboardInterrupt"):
            target.follow(loop, interrupt, SECONDS)
        assert target.exec("print(thread_starts())") == "True\n"
        assert target.exec(f"run({CNN!r}, 2)", SECONDS).split()[0] == wanted


def test_soft_reset_between_nodes_goes_back_to_one_core():
    cases, wanted = cases_of([MODELS / CNN])
    with open_two_cores(cases, sync=True) as target:
        for restart in ("machine.soft_reset()", "machine.reset()"):
            target.exec(AGAIN)
            with pytest.raises(TargetError, match="no reply"):
                target.exec(f"invoke_with({CNN!r}, lambda: {restart})", timeout=2)
            target.repl.enter(30)
            assert target.exec("import tflm\nprint(tflm.cores(1))").strip() == "1"
            target.exec(target.device)
            assert target.exec(f"run({CNN!r}, 2)", SECONDS).split() == [wanted[CNN], "0"]


def test_no_heap_for_stack_one_core_stays(pair):
    target, wanted = pair
    code = f"""
tflm.cores(1)
gc.collect()
interp = load({CNN!r})
kept = []
try:
    while True:
        kept.append(bytearray(1024))
except MemoryError:
    pass
try:
    tflm.cores(2)
except MemoryError:
    print("none left")
kept = None
gc.collect()
interp.invoke()
print(tflm.cores(1), outputs(interp))
"""
    assert target.exec(code).split() == ["none", "left", "1", wanted]
