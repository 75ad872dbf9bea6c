"""The models of `make bench-operators`."""

import bench_operators
from bench_operators import GOALS, LIBRARY, MODELS, TARGETS, goal_of, runs
from tflm_host.measure import ledger
from tflm_host.measure.bench_table import FOLDER
from tflm_host.model.oracle import Oracle


def test_peers_have_a_figure_of_every_model_on_every_core():
    peers = ledger.parse((FOLDER / "peers.csv").read_text(), ("target", "model", "library"))
    missing = [
        (target, name)
        for target in TARGETS
        for name in MODELS
        if not peers.get((target, name, LIBRARY), {}).get("invoke")
    ]
    assert missing == []
    assert set(GOALS) <= set(MODELS)


def test_tflm_takes_all_models():
    with Oracle() as oracle:
        for make in MODELS.values():
            oracle.load(make())


def test_goals_are_lower_on_a_cortex_m4_alone():
    assert goal_of("MPS2_AN386", "dw3x3_i16") < goal_of("M0PLUS", "dw3x3_i16")
    assert runs(bench_operators.lstm())
