"""What is mutated, and by which quick tests a mutant must be noticed."""

RUNTIME = "tests_host/runtime"
KERNELS = "tests_host/kernels"
TOOLS = "tests_host/tools"


def exact(op):
    """Return the tests of random models of *op* against TFLM."""
    file, name = f"{KERNELS}/test_exact_host.py", "one_op_random_models_bytes_equal_tflm"
    return [f"{file}::test_{name}[{op}]", f"{file}::test_more_{name}[{op}]"]


# A file from the clone's root: tests, the one that notices most first.
TARGETS = {
    "mp_modules/tflm/memory/plan_check.py": [f"{RUNTIME}/test_plan_check.py"],
    "mp_modules/tflm/memory/offline.py": [f"{RUNTIME}/test_offline_plan.py"],
    "mp_modules/tflm/file/flexbuffer.py": [f"{RUNTIME}/test_flexbuffer.py"],
    "mp_modules/tflm/file/flatbuffer.py": [
        f"{RUNTIME}/test_flatbuffer.py",
        f"{RUNTIME}/test_model.py",
    ],
    "mp_modules/tflm/model.py": [
        f"{RUNTIME}/test_model_parts.py",
        f"{RUNTIME}/test_model.py",
        f"{RUNTIME}/test_file_budget.py",
        f"{RUNTIME}/test_trust.py",
    ],
    "mp_modules/tflm/base/arena.py": [
        f"{RUNTIME}/test_arena.py",
        f"{RUNTIME}/test_runs.py::test_more_inputs_than_a_gate_has_words_for_may_be_written",
        f"{RUNTIME}/test_runs.py::test_bytes_beside_an_input_that_others_wrote_are_noticed",
        f"{RUNTIME}/test_runs.py::test_input_of_no_bytes_leaves_nothing_out",
        f"{RUNTIME}/test_reentrant.py",
    ],
    "mp_modules/tflm/memory/planner.py": [
        f"{RUNTIME}/test_planner.py",
        f"{RUNTIME}/test_golden_plan.py",
    ],
    "mp_modules/tflm/extra/feeding.py": [f"{KERNELS}/test_feeding.py"],
    "mp_modules/tflm/extra/state.py": [f"{RUNTIME}/test_saved_state.py"],
    "mp_modules/tflm/extra/resizing.py": [
        f"{RUNTIME}/test_saved_state.py",
        f"{RUNTIME}/test_resizing.py",
    ],
    "mp_modules/tflm/peer.py": [
        f"{RUNTIME}/test_peer_limits.py",
        f"{RUNTIME}/test_peer_frames.py",
        f"{RUNTIME}/test_peer.py",
    ],
    "mp_modules/tflm/extra/delegated.py": [
        f"{RUNTIME}/test_delegate_order.py",
        f"{RUNTIME}/test_saved_state.py",
        f"{RUNTIME}/test_delegates.py",
    ],
    "host_tools/tflm_host/deploy/models.py": [
        f"{TOOLS}/test_deploy_plan.py",
        f"{TOOLS}/test_deploy_stops.py",
        f"{TOOLS}/test_proof.py",
    ],
    "host_tools/tflm_host/deploy/flash.py": [f"{TOOLS}/test_flash.py"],
    "host_tools/tflm_host/deploy/project.py": [f"{TOOLS}/test_new.py"],
    "host_tools/tflm_host/prepare/proof.py": [f"{TOOLS}/test_proof.py"],
    "host_tools/tflm_host/targets/answers.py": [f"{TOOLS}/test_answers.py"],
    "mp_modules/tflm/run/prepared.py": [
        f"{RUNTIME}/test_snapshot_trust.py",
        f"{RUNTIME}/test_prepared_tables.py",
        f"{TOOLS}/test_prepare.py",
        f"{RUNTIME}/test_fence.py",
    ],
    "firmware/tflm/runner.c": [
        f"{KERNELS}/test_runner.py",
        f"{KERNELS}/test_slices.py::test_kernel_in_slices_equals_model[conv_2d_s8]",
    ],
    "firmware/tflm/fence.c": [f"{RUNTIME}/test_fence_limits.py", f"{RUNTIME}/test_fence.py"],
    "firmware/tflm/flatbuffer.c": [f"{RUNTIME}/test_flatbuffer.py", f"{RUNTIME}/test_reader_c.py"],
    "firmware/tflm/describe.c": [
        f"{RUNTIME}/test_reader_c.py",
        f"{RUNTIME}/test_convolution_c.py",
    ],
    "firmware/tflm/planning.c": [f"{RUNTIME}/test_planning_c.py"],
    "firmware/tflm/convolution.c": [f"{RUNTIME}/test_convolution_c.py"],
    "firmware/tflm/dispatch.c": [
        f"{KERNELS}/test_runner.py",
        f"{KERNELS}/test_slice_sizes.py",
        f"{RUNTIME}/test_fence_limits.py",
    ],
    "firmware/tflm/slices.c": [
        f"{KERNELS}/test_slice_sizes.py",
        f"{KERNELS}/test_row_groups.py::test_group_that_was_interrupted_begins_anew",
        f"{KERNELS}/test_row_groups.py::test_some_chains_by_rows_give_the_same_bytes",
    ],
    "firmware/tflm/groups.c": [
        f"{KERNELS}/test_row_groups.py::test_rows_that_a_stack_alone_still_needs_are_kept",
        f"{KERNELS}/test_row_groups.py::test_some_chains_by_rows_give_the_same_bytes",
        f"{KERNELS}/test_row_groups.py::test_a_call_makes_eight_strips",
        f"{KERNELS}/test_row_groups.py::test_state_has_the_rows_of_each_tensor_and_nothing_behind",
        f"{KERNELS}/test_row_groups.py::test_nothing_outside_of_some_buffers_is_touched",
        f"{KERNELS}/test_feeding.py::test_arena_has_no_room_for_the_image_and_16_bytes_less_are_refused",
    ],
    "firmware/tflm/kernels/portable/lstm.c": [f"{KERNELS}/test_lstm.py", *exact("lstm_s8")],
    "firmware/tflm/kernels/portable/embedding.c": [
        f"{KERNELS}/test_state.py",
        *exact("embedding_f32"),
    ],
    "firmware/tflm/kernels/portable/decode.c": [
        f"{KERNELS}/test_decode.py",
        f"{KERNELS}/test_state.py",
        *(test for kind in ("table", "pruned", "huffman") for test in exact(f"decode_{kind}")),
    ],
}
