"""The kernels of each ISA pass the tests of the portable ones."""

import os
import subprocess
import sys

import pytest

import _tflm
from cases import OPS, TIES
from kernels import (
    test_add,
    test_constants,
    test_conv_extremes,
    test_exact_host,
    test_extremes_s16,
    test_kernels_c,
    test_quantize_f32,
    test_slices,
)
from kernels.test_walks import ROWS, distances  # noqa: F401 - a fixture
from support.native.each_isa import ISAS, grouped, with_each_isa, with_part

KERNELS = "conv", "fully", "svdf"
MODELS = "conv", "fully", "svdf", "matmul", "lstm", "pool"

test_random_records = with_each_isa(
    test_kernels_c.test_kernel_random_records_equals_model,
    name=grouped(with_part(test_kernels_c.NAMES, KERNELS)),
)
test_more_random_records = with_each_isa(
    test_kernels_c.test_kernel_more_random_records_equals_model,
    name=grouped(with_part(test_kernels_c.NAMES, KERNELS)),
)
test_one_op_models = with_each_isa(
    test_exact_host.test_one_op_random_models_bytes_equal_tflm, op=with_part(OPS, MODELS)
)
test_more_one_op_models = with_each_isa(
    test_exact_host.test_more_one_op_random_models_bytes_equal_tflm, op=with_part(OPS, MODELS)
)
test_ties = with_each_isa(
    test_exact_host.test_one_op_results_next_to_a_tie_bytes_equal_tflm,
    op=with_part(TIES, KERNELS),
)
test_no_bias = with_each_isa(test_exact_host.test_depthwise_conv_2d_no_bias_equals_zero_bias)
test_stateful = with_each_isa(test_exact_host.test_reset_stateful_model_repeats_its_first_answers)
test_zoo_models = with_each_isa(test_exact_host.test_zoo_models_random_inputs_bytes_equal_tflm)
test_alignment = with_each_isa(test_exact_host.test_zoo_models_at_any_alignment_bytes_equal_tflm)
test_int16_sums = with_each_isa(test_extremes_s16.test_int16_sums_at_their_ends_equal_tflm)
test_quantize = with_each_isa(test_quantize_f32.test_quantize_equals_floats)
test_large_records = with_each_isa(test_constants.test_kernel_large_records_equals_model)
test_prepared_constants = with_each_isa(
    test_constants.test_kernel_with_prepared_constants_equals_model
)
test_streams = with_each_isa(test_constants.test_conv_with_a_stream_equals_model, isas=("dsp",))
test_all_pairs = with_each_isa(test_add.test_all_pairs_equal_double_rounding)
test_ends = with_each_isa(
    test_conv_extremes.test_conv_weights_and_inputs_at_their_ends_equals_model
)
test_dead_channels = with_each_isa(
    test_conv_extremes.test_conv_dead_channels_and_any_factor_equals_model
)
test_depthwise_dead_channels = with_each_isa(
    test_conv_extremes.test_depthwise_conv_dead_channels_and_large_windows_equals_model
)
test_in_slices = with_each_isa(
    test_slices.test_kernel_in_slices_equals_model,
    name=grouped(with_part(test_slices.NAMES, (*KERNELS, "add_s8"))),
)
test_rows_in_slices = with_each_isa(test_slices.test_slices_use_rows_up_in_order, op=ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("isa", ISAS)
def test_isa_library_is_another_one(isa):
    code = "import _tflm; print(_tflm.isa)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TFLM_ISA": isa, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == isa + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("isa", ISAS, indirect=True)
def test_isa_fixture_gives_this_process_that_library(isa):
    assert _tflm.isa == isa
    assert f"libtflm-{isa}-" in _tflm._lib._name
