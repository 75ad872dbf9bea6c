"""What the exactness tests share: jobs with TFLM's outputs."""

import random
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from support.nets import one_op_models
from tflm.model import Model
from tflm_host.model.tensor_io import random_tensor
from tflm_host.targets.run import Job

# Models of others: file name without suffix -> invokes in a row.
ZOO = {
    "hello_world_int8": 5,
    "micro_speech_quantized": 5,
    "keyword_scrambled_8bit": 10,  # it has state
    "person_detect": 5,
    "kws_ref_model": 5,
    "vww_96_int8": 5,
    "pretrainedResnet_quant": 5,
    "ad01_int8": 5,
    "simple_add_model": 5,
}


@dataclass
class Judged:
    """A job and TFLM's outputs: one list of bytes an invoke; and the checksum of the model."""

    job: Job
    expected: list
    sum: int


def judge(oracle, name, model, inputs):
    oracle.load(model)
    answers = [oracle.invoke(fed) for fed in inputs]
    return Judged(Job(name, model, inputs, prepared=True), answers, crc32(model))


def zoo_cases(oracle, zoo):
    """Return the `Judged` of every model of ZOO with random inputs."""
    cases = []
    for name, count in ZOO.items():
        model = (zoo / f"{name}.tflite").read_bytes()
        graph = Model(model).subgraphs[0]
        rng = np.random.default_rng(random.Random(name).getrandbits(32))
        inputs = [
            [random_tensor(graph.tensor(i), rng) for i in graph.inputs] for _ in range(count)
        ]
        cases.append(judge(oracle, f"{name}.tflite", model, inputs))
    return cases


def random_cases(oracle, make, seeds):
    """Return the `Judged` of random models *make(seed)*."""
    cases = map(make, seeds)
    return [judge(oracle, f"{c.name}.tflite", c.model, c.inputs) for c in cases]


def one_op_cases(oracle, op, seeds):
    return random_cases(oracle, lambda seed: one_op_models.case_of(op, seed), seeds)


def mismatches(cases, results):
    """Return a line for each job whose outputs are not TFLM's, byte for byte.

    And for each whose model was written to: on the host kernels run on these very bytes.
    """
    lines = []
    for judged, result in zip(cases, results, strict=True):
        if crc32(judged.job.model) != judged.sum:
            lines.append(f"{judged.job.name}: a kernel wrote into the model")
        if result.error:
            lines.append(f"{judged.job.name}: {result.error}")
        elif result.outputs != judged.expected:
            wrong = [
                i
                for i, pair in enumerate(zip(judged.expected, result.outputs, strict=True))
                if pair[0] != pair[1]
            ]
            lines.append(f"{judged.job.name}: invokes {wrong} differ")
    return lines
