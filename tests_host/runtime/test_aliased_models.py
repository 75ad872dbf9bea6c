"""Files that are made to be read for hours: their size bounds the time that they take."""

import time

import pytest

import tflm
from support.models.aliased_models import MODELS, Aliasing, aliased_model, call_tree, fan
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain
from tflm.memory import plan_check
from tflm.memory.planner import ONLINE, is_crowded
from tflm_host.plan.optimal import solve
from tflm_host.plan.write import plan_model
from tflm_host.targets.open_target import open_target

INSTRUCTIONS = 400  # a byte of the file, on a Cortex-M0+
SECONDS = 2.0  # of processor time; without a limit each takes from ten on


@pytest.fixture
def in_time():
    start = time.process_time()
    yield
    assert time.process_time() - start < SECONDS


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", MODELS)
def test_aliased_model_raises(name):
    with pytest.raises(tflm.ModelError, match="vectors share bytes"):
        tflm.Interpreter(aliased_model(name))


@pytest.mark.usefixtures("in_time")
def test_names_that_are_read_on_demand_may_not_share_bytes():
    b, name = ModelBuilder("aliased"), "n" * 100000
    x = b.tensor([1, 4], "INT8", Quant(0.1, 3))
    b.bind([x], [x])
    b.metadata = [(name, 0)] * 3000
    b.signatures = [(name, 0, {"x": x}, {"y": x})] * 3000
    model = tflm.Model(Aliasing(b).model())
    with pytest.raises(tflm.ModelError, match="metadata: vectors share bytes"):
        model.metadata  # noqa: B018
    with pytest.raises(tflm.ModelError, match="signatures: more names than fit into the file"):
        model.signatures  # noqa: B018


@pytest.mark.firmware
@pytest.mark.parametrize("name", MODELS)
def test_aliased_model_raises_on_micropython_what_it_raises_here(name):
    model = aliased_model(name)
    with pytest.raises(tflm.ModelError) as expected:
        tflm.Interpreter(model)
    with open_target("unix", models=[("m", model)]) as target:
        code = (
            "import tflm\ntry:\n    tflm.Interpreter(%r)\nexcept tflm.ModelError as error:\n"
            "    print(error)"
        )
        assert target.exec(code % target.path("m"), timeout=10).strip() == str(expected.value)


@pytest.mark.firmware
def test_aliased_models_take_few_instructions_a_byte():
    files = [(name.replace(" ", "_"), aliased_model(name)) for name in MODELS]
    with open_target("M0PLUS", models=files, icount=True) as target:
        setup = (
            "import tflm\ndef load(path):\n    try:\n        tflm.Interpreter(path)\n"
            "    except tflm.ModelError:\n        pass"
        )
        for name, model in files:
            load = f"load({target.path(name)!r})"
            count = target.count_instructions(f"{setup}\n{load}", load)
            assert count < INSTRUCTIONS * len(model), name


@pytest.mark.usefixtures("in_time")
def test_subgraphs_that_call_others_many_times_raise():
    resolver = tflm.default_resolver()
    resolver.add_builtin(129, tflm.Registration(invoke=print))
    with pytest.raises(tflm.ModelError, match=r"subgraph \d: control flow calls it too often"):
        tflm.Interpreter(call_tree(), resolver=resolver)
    tflm.Interpreter(call_tree(levels=3, calls=3), resolver=resolver)


@pytest.mark.usefixtures("in_time")
def test_model_with_a_crowd_of_buffers_is_planned_apart():
    count = 400
    model = fan(count)
    interp = tflm.Interpreter(model, planner="overlap")
    report = interp.arena_report()
    assert report["head_bytes"] == 16 * (count + 1)
    interp.inputs[0].data[:] = bytes([3, 4, 5, 127])
    interp.invoke()
    assert {bytes(tensor.data) for tensor in interp.outputs} == {bytes([3, 4, 5, 127])}
    with pytest.raises(tflm.ModelError, match="too many buffers are in use at one moment"):
        plan_model(model)


@pytest.mark.parametrize(("count", "alive"), [(1500, 400), (20000, 2)])
def test_planners_of_the_host_end_in_time(count, alive):
    """The first has too many pairs for the solver, the second too many buffers."""
    buffers = [(16 + 16 * (i % 7), i, i + alive, ONLINE) for i in range(count)]
    start = time.monotonic()
    solution = solve(buffers, effort=0.2)
    assert plan_check.check(buffers, solution.offsets, solution.height) is None
    assert time.monotonic() - start < 30  # and not for hours


@pytest.mark.usefixtures("in_time")
def test_no_chain_is_a_crowd_and_a_long_one_is_planned_in_time():
    assert not is_crowded([(16, i, i + 1, -1) for i in range(5000)])
    assert is_crowded([(16, 0, i, -1) for i in range(200)])
    assert tflm.Interpreter(chain(1000)).arena_report()["head_bytes"] == 16
