"""Two cores of an emulated Pico: the same bytes, no races, and what comes in between.

`make races` looks for races for longer. test_split.py has random layers, with two threads.
"""

import time

import pytest

from support.device.rp2040js import require_rp2040js
from support.device.two_cores import SECONDS, cases_of, open_two_cores, sections
from tflm_host.places import ROOT
from tflm_host.targets.repl import ExecError, TargetError

MODELS = ROOT / "models"
CNN = "digits_cnn.tflite"
OWN = (CNN, "digits_ds_cnn.tflite", "digits_gated.tflite", "sine.tflite")
OTHERS = ("kws_ref_model.tflite", "ad01_int8.tflite")
RACED = ("digits_cnn.tflite", "digits_ds_cnn.tflite")
JITTER = 400  # cycles: longer than core 1 takes for its part of many sections
SEEDS = (1, 2)
LEAST_SECTIONS = 100

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


def check_models(paths, is_prepared, **options):
    """Run models on both cores; return in how many sections they shared work."""
    cases, wanted = cases_of(paths, is_prepared)
    with open_two_cores(cases, **options) as target:
        for name in cases:
            got, races = target.exec(f"run({name!r}, 2)", SECONDS).split()
            assert (name, got) == (name, wanted[name])
            assert int(races) == 0
        return sections(target)


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


def test_core_stays_up_between_runs(pair):
    target, wanted = pair
    target.exec(f"tflm.cores(1)\ninterp = load({CNN!r})\ntflm.cores(2)")
    counts = []
    for _ in range(3):
        target.exec(f"fill(interp, {CNN!r})\ninterp.invoke()")
        counts.append(sections(target))
        assert target.exec("print(outputs(interp))").strip() == wanted
    assert counts[0] > 2
    assert counts[2] - counts[1] == counts[1] - counts[0] > counts[0] - 2  # nobody reset a count


def three_runs(after):
    """Return code that runs CNN three times on two cores, and each time does *after*."""
    return f"""
interp = load({CNN!r})
tflm.cores(2)
for i in range(3):
    fill(interp, {CNN!r})
    interp.invoke()
{after}"""


def test_flash_written_between_runs(pair):
    target, wanted = pair
    after = """
    with open("/kept.bin", "wb") as file:
        file.write(b"kept" * 1500)
    print(outputs(interp))
print(os.stat("/kept.bin")[6])
os.remove("/kept.bin")
"""
    assert target.exec(three_runs(after), SECONDS).split() == [wanted] * 3 + ["6000"]


def test_emulator_ends_where_flash_is_written_under_a_running_core():
    code = """
import _thread
ends = False
def spin():
    while not ends:
        pass
_thread.start_new_thread(spin, ())
machine.mem32[0x10180000] = 0
"""
    with open_two_cores({}) as target, pytest.raises(TargetError, match="writes flash where"):
        target.exec(code, timeout=20)


def test_thread_between_runs_gets_core(pair):
    target, wanted = pair
    after = "    print(outputs(interp), thread_starts())"
    assert target.exec(three_runs(after), SECONDS).split() == [wanted, "True"] * 3


def test_stack_goes_after_core(pair):
    target, wanted = pair
    code = f"""
interp = load({CNN!r})
tflm.cores(2)
interp.invoke()
gc.collect()
two = gc.mem_alloc()
tflm.cores(1)
gc.collect()
print(two - gc.mem_alloc())
kept = [b"\\xff" * 512 + bytes([i]) for i in range(40)]  # over the stack, if core 1 still had it
with open("/kept.bin", "wb") as file:
    file.write(b"kept" * 1500)
os.remove("/kept.bin")
print(all([item == b"\\xff" * 512 + bytes([i]) for i, item in enumerate(kept)]))
kept = None
fill(interp, {CNN!r})
interp.invoke()
print(outputs(interp))
"""
    freed, same, got = target.exec(code, SECONDS).split()
    assert int(freed) >= 2048 - 128  # an old word on core 0's stack may keep a small object
    assert (same, got) == ("True", wanted)


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


def test_reset_during_invoke_goes_back_to_one_core():
    """enter() stops the loop by Ctrl-C and resets softly; machine.reset() comes between nodes."""
    cases, wanted = cases_of([MODELS / CNN])
    start = f"interp = load({CNN!r})\ntflm.cores(2)\n"
    loop = start + f"while True:\n    fill(interp, {CNN!r})\n    interp.invoke()"
    with open_two_cores(cases, sync=True) as target:
        for code in (loop, f"invoke_with({CNN!r}, lambda: machine.reset())"):
            target.exec(AGAIN)
            with pytest.raises(TargetError, match="no reply"):
                target.exec(code, timeout=2)
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
