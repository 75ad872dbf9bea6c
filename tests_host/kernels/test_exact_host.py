"""The host target gives the same bytes as TensorFlow Lite Micro: one-op models and whole ones."""

from functools import partial
from zlib import crc32

import pytest

from cases import OPS, TIES
from support.expected.exact import judge, mismatches, one_op_cases, random_cases, zoo_cases
from support.models.model_builder import VALID, ModelBuilder, Quant
from support.nets.one_op_models import case_of
from tflm import ArenaError, Interpreter
from tflm_host.targets.run import run_jobs

MODELS_PER_OP = 20
FIRST = 8  # of them that `make check` tries
TIES_PER_OP = 20


def run_here(cases):
    return run_jobs("host", [judged.job for judged in cases])


@pytest.mark.parametrize("op", OPS)
def test_one_op_random_models_bytes_equal_tflm(oracle, op):
    cases = one_op_cases(oracle, op, range(FIRST))
    assert mismatches(cases, run_here(cases)) == []


@pytest.mark.draws
@pytest.mark.parametrize("op", OPS)
def test_more_one_op_random_models_bytes_equal_tflm(oracle, op):
    cases = one_op_cases(oracle, op, range(FIRST, MODELS_PER_OP))
    assert mismatches(cases, run_here(cases)) == []


def test_int16_output_of_a_tiny_scale_bytes_equal_tflm(oracle):
    """The seed at which RELU6 bounded an output whose scale was too small for it."""
    cases = random_cases(oracle, partial(case_of, "transpose_conv_s16"), [21])
    assert mismatches(cases, run_here(cases)) == []


@pytest.mark.parametrize("op", TIES)
def test_one_op_results_next_to_a_tie_bytes_equal_tflm(oracle, op):
    cases = one_op_cases(oracle, op, range(TIES_PER_OP))
    assert mismatches(cases, run_here(cases)) == []


def test_zoo_models_random_inputs_bytes_equal_tflm(oracle, zoo):
    cases = zoo_cases(oracle, zoo)
    assert mismatches(cases, run_here(cases)) == []


def test_zoo_models_at_any_alignment_bytes_equal_tflm(oracle, zoo):
    for judged in zoo_cases(oracle, zoo)[:3]:
        for shift in (1, 2, 3):
            padded = bytearray(shift) + judged.job.model
            interpreter = Interpreter(memoryview(padded)[shift:])
            for fed, expected in zip(judged.job.inputs, judged.expected, strict=True):
                for tensor, data in zip(interpreter.inputs, fed, strict=True):
                    tensor.data[:] = data
                interpreter.invoke()
                assert [bytes(t.data) for t in interpreter.outputs] == expected, judged.job.name


def test_zoo_models_arena_of_the_used_bytes_works_and_16_less_raises(zoo, oracle):
    for judged in zoo_cases(oracle, zoo):
        need = Interpreter(judged.job.model).arena_used_bytes()
        interpreter = Interpreter(judged.job.model, bytearray(need + 15))  # room to align
        assert interpreter.arena_used_bytes() == need
        with pytest.raises(ArenaError) as caught:
            Interpreter(judged.job.model, need - 16)
        assert caught.value.requested == need
        assert caught.value.available <= need - 16
        assert caught.value.missing == caught.value.requested - caught.value.available


@pytest.mark.parametrize("op", ["svdf_s8", "svdf_s16"])
def test_reset_stateful_model_repeats_its_first_answers(oracle, op):
    for judged in one_op_cases(oracle, op, range(MODELS_PER_OP)):
        interpreter = Interpreter(judged.job.model)
        for _ in range(2):
            for fed, expected in zip(judged.job.inputs, judged.expected, strict=True):
                interpreter.inputs[0].data[:] = fed[0]
                interpreter.invoke()
                assert bytes(interpreter.outputs[0].data) == expected[0], judged.job.name
            interpreter.reset()


# TFLM's true minimum on a 32-bit target, in bytes: found by bisection on a Cortex-M4.
TFLM_MINIMUM = {
    "hello_world_int8": 1072,
    "micro_speech_quantized": 6800,
    "keyword_scrambled_8bit": 10400,
    "person_detect": 82304,
    "kws_ref_model": 22820,
    "vww_96_int8": 100708,
    "pretrainedResnet_quant": 54996,
    "ad01_int8": 2580,
}


@pytest.mark.parametrize("name", TFLM_MINIMUM)
def test_arena_used_bytes_zoo_model_at_most_tflm_minimum(zoo, name):
    assert Interpreter(str(zoo / f"{name}.tflite")).arena_used_bytes() <= TFLM_MINIMUM[name]


def depthwise(with_bias):
    builder = ModelBuilder()
    x = builder.tensor([1, 4, 4, 3], "INT8", Quant(0.05, -3))
    data = bytes((17 * i + 3) & 0xFF for i in range(3 * 3 * 3))
    kernel = builder.tensor([1, 3, 3, 3], "INT8", Quant([0.01, 0.02, 0.03], 0, 3), data)
    y = builder.tensor([1, 2, 2, 3], "INT8", Quant(0.1, 5))
    inputs = [x, kernel]
    if with_bias:
        inputs.append(builder.tensor([3], "INT32", Quant([0.0005, 0.001, 0.0015]), bytes(12)))
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "depth_multiplier": 1}
    builder.op("DEPTHWISE_CONV_2D", inputs, [y], dilation_w=1, dilation_h=1, **options)
    return builder.build([x], [y])


def test_depthwise_conv_2d_no_bias_equals_zero_bias(oracle):
    # Without a bias the reference crashes in prepare, so its outputs for a zero bias count.
    inputs = [[bytes((29 * i + 7) & 0xFF for i in range(48))]]
    judged = judge(oracle, "bias", depthwise(True), inputs)
    judged.job.model = depthwise(False)
    judged.sum = crc32(judged.job.model)
    assert mismatches([judged], run_here([judged])) == []
