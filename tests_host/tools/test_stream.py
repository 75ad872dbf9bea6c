"""`tflm prepare --stream`: the next frame gives what the model gives on the latest frames."""

import json
import struct

import pytest
from click.testing import CliRunner
from flatbuffers import flexbuffers

import _tflm
from support.models.model_builder import SAME, VALID, ModelBuilder, Quant
from support.nets import streams
from tflm import Interpreter, Model
from tflm.base.errors import ModelError
from tflm.model import STREAM
from tflm_host.__main__ import main
from tflm_host.measure.bench import measure
from tflm_host.model import flatfile
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.stream import stream
from tflm_host.targets.isa import isa_of
from tflm_host.targets.run import Job, run_jobs

CHAINS = 60
OF_TFLM = 20
ON_BOARDS = 8
QUANT = Quant(0.05, 3)
PYTHON = 8000  # instructions by which a run in Python varies: names meet in hash tables


def made(count):
    """Yield (seed, model, axis, Streamed) of the first *count* chains that have a stream."""
    seed = 0
    while count:
        try:
            yield seed, *streams.made_of(seed)
            count -= 1
        except ModelError:
            pass
        seed += 1


def filters(builder, shape):
    data = bytes(i * 37 % 251 for i in range(shape[0] * shape[1] * shape[2] * shape[3]))
    return builder.tensor(shape, "INT8", Quant([0.01] * shape[0]), data)


def conv(builder, source, shape, taps, padding=VALID, stride=1):
    """Add a convolution over rows of *taps*; return its output of *shape*."""
    channels = builder.subgraphs[0].tensors[source].shape[3]
    output = builder.tensor(shape, "INT8", QUANT)
    bias = struct.pack(f"<{shape[3]}i", *range(shape[3]))
    scales = Quant([0.01 * QUANT.scale] * shape[3])
    inputs = [source, filters(builder, [shape[3], taps, 1, channels])]
    inputs.append(builder.tensor([shape[3]], "INT32", scales, bias))
    options = {"padding": padding, "stride_h": stride, "stride_w": 1, "activation": 0}
    builder.op("CONV_2D", inputs, [output], dilation_h=1, dilation_w=1, **options)
    return output


def image(rows, dtype="INT8"):
    builder = ModelBuilder()
    return builder, builder.tensor([1, rows, 4, 2], dtype, QUANT)


@pytest.mark.slow
def test_random_chains_answer_as_the_model_on_the_latest_frames():
    periods = set()
    for seed, model, axis, streamed in made(CHAINS):
        frames, expected = streams.windows(model, axis, streamed, seed)
        assert len(expected) == streams.RESULTS
        assert streams.answers(streamed.data, frames, expected) == expected, seed
        prepared = prepare(streamed.data, _tflm.isa)
        assert streams.answers(prepared, frames, expected) == expected, seed
        periods.add(streamed.period)
    assert len(periods) > 3


def test_tflm_runs_the_stream_of_a_plain_model(oracle):
    for seed, model, axis, streamed in made(OF_TFLM):
        frames, expected = streams.windows(model, axis, streamed, seed)
        oracle.load(streamed.data)
        for came, frame in enumerate(frames, 1):
            outputs = oracle.invoke([frame])
            assert came not in expected or list(outputs) == expected[came], seed


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["unix", "MPS2_AN386", "M0PLUS", "MPS3_AN547"])
def test_streams_on_boards_answer_as_the_model_and_need_the_same_arena(target):
    jobs, wanted = [], []
    for seed, model, axis, streamed in made(ON_BOARDS):
        frames, expected = streams.windows(model, axis, streamed, seed)
        inputs = [[frame] for frame in frames]
        data = prepare(streamed.data, isa_of(target))
        jobs.append(Job(f"s{seed}", data, inputs, lock=True, probe=True, prepared=True))
        wanted.append(expected)
    for job, result, expected in zip(jobs, run_jobs(target, jobs), wanted, strict=True):
        assert result.error is None, (job.name, result.error)
        assert {came: result.outputs[came - 1] for came in expected} == expected, job.name
        need = Interpreter(job.model, measure=True, prepared=True).arena_used_bytes()
        assert (result.arena_used_bytes, result.exact) == (need, need), job.name
        assert result.short == [need, need - 16, 16]
        assert result.answered == (
            len(job.inputs) % Model(job.model, prepared=True).stream[1] == 0
        ), job.name


@pytest.mark.firmware
@pytest.mark.parametrize("backend", ["c", "viper"])
def test_bench_counts_the_mean_of_the_runs_of_a_period(backend):
    """One of three goes on behind the buffer; where no period is told, the first is counted."""
    root = flatfile.read(thirds())
    flatfile.drop_metadata(root, STREAM)
    first = measure("MPS2_AN386", "first", flatfile.write(root), backend)
    mean = measure("MPS2_AN386", "thirds", thirds(), backend)
    assert first.nodes[0][0] == "CIRCULAR_BUFFER"
    third = sum(count for _, count in first.nodes[1:]) / 3
    assert third > 2 * PYTHON
    # What Python does beside the nodes varies by some percent of a viper node's, too.
    assert abs(mean.invoke - first.invoke - third) < PYTHON + third / 20
    assert mean.cycles > first.cycles


def thirds():
    """Return the stream of a model that gives a result in one run of three."""
    builder, data = image(11)
    output = conv(builder, data, [1, 3, 4, 200], 5, stride=3)
    return stream(builder.build([data], [output]), 1).data


@pytest.mark.parametrize("hooked", [False, True])
def test_answered_tells_whether_the_last_run_came_to_its_end(hooked):
    interp = Interpreter(Model(thirds(), prepared=True))
    assert interp.model.stream == (11, 3)
    if hooked:
        interp.on_node = lambda _node: None
    found = []
    for _ in range(7):
        interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
        interp.invoke()
        found.append(interp.answered)
    assert found == [False, False, True, False, False, True, False]


def test_model_without_frames_is_no_stream_and_always_answers():
    builder, data = image(5)
    model = builder.build([data], [conv(builder, data, [1, 3, 4, 2], 3)])
    interp = Interpreter(model, prepared=True)
    interp.invoke()
    assert interp.answered
    assert interp.model.stream is None


@pytest.mark.parametrize("words", [b"", bytes(7), bytes(8), bytes(12), struct.pack("<2I", 3, 0)])
def test_bad_words_are_no_stream(words):
    builder, data = image(5)
    root = flatfile.read(builder.build([data], [conv(builder, data, [1, 3, 4, 2], 3)]))
    flatfile.add_metadata(root, STREAM, words)
    assert Model(flatfile.write(root), prepared=True).stream is None


def test_reset_begins_a_new_stream():
    """Also between two results: the count of runs that end begins again."""
    chains = ((m, axis, new) for _, m, axis, new in made(CHAINS) if new.period > 1)
    model, axis, streamed = next(chains)
    frames, expected = streams.windows(model, axis, streamed, 0)
    interp = Interpreter(Model(prepare(streamed.data, _tflm.isa), prepared=True))
    for begun in range(streamed.period + 1):
        found = {}
        for came, frame in enumerate(frames[-begun:] + frames if begun else frames, 1):
            if came == begun + 1:
                interp.reset()
            interp.inputs[0].data[:] = frame
            interp.invoke()
            if came - begun in expected:
                found[came - begun] = [bytes(tensor.data) for tensor in interp.outputs]
        assert found == expected, begun


def test_layer_that_pads_runs_on_all_rows():
    builder, data = image(9)
    first = conv(builder, data, [1, 7, 4, 3], 3)
    second = conv(builder, first, [1, 7, 4, 3], 3, SAME)
    model = builder.build([data], [second])
    streamed = stream(model, 1)
    assert (streamed.frames, streamed.period, streamed.layers) == (9, 1, 1)
    assert streamed.whole == [(1, "CONV_2D pads the frames (padding SAME; VALID keeps rows)")]
    frames, expected = streams.windows(model, 1, streamed, 5)
    assert streams.answers(streamed.data, frames, expected) == expected


def test_step_over_frames_beside_a_branch_that_needs_each_runs_on_all_rows():
    builder, data = image(9)
    halves = conv(builder, data, [1, 4, 4, 2], 3, stride=2)
    each = conv(builder, data, [1, 7, 4, 2], 3)
    model = builder.build([data], [halves, each])
    streamed = stream(model, 1)
    assert streamed.whole[0] == (0, "CONV_2D skips frames beside a branch that needs each")
    frames, expected = streams.windows(model, 1, streamed, 6)
    assert streams.answers(streamed.data, frames, expected) == expected


@pytest.mark.parametrize("name", ["ADD", "CONCATENATION"])
def test_rows_that_do_not_follow_each_other_are_not_kept(name):
    """One image high, frames along its columns, until an operator makes it higher."""
    builder = ModelBuilder()
    data = builder.tensor([1, 1, 9, 2], "INT8", QUANT)
    pooled = builder.tensor([1, 1, 7, 2], "INT8", QUANT)
    sizes = {"filter_height": 1, "filter_width": 3, "stride_h": 1, "stride_w": 1}
    builder.op("MAX_POOL_2D", [data], [pooled], padding=VALID, activation=0, **sizes)
    constant = builder.tensor([1, 2, 1, 2], "INT8", QUANT, b"\x0a\xc8\x1e\x5a")
    higher = builder.tensor([1, 2, 7, 2], "INT8", QUANT)
    if name == "ADD":
        builder.op(name, [pooled, constant], [higher], activation=0)
    else:
        builder.op(name, [pooled, pooled], [higher], axis=1, activation=0)
    output = builder.tensor([1, 2, 5, 2], "INT8", QUANT)
    builder.op("MAX_POOL_2D", [higher], [output], padding=VALID, activation=0, **sizes)
    model = builder.build([data], [output])
    streamed = stream(model, 2)
    said = f"{name} makes (1, 2, 7, 2), which are not frames in a row"
    assert (streamed.layers, streamed.whole[0]) == (1, (1, said))
    frames, expected = streams.windows(model, 2, streamed, 4)
    assert streams.answers(streamed.data, frames, expected) == expected


def test_pool_of_all_rows_answers_at_each_frame_whatever_its_stride():
    builder, data = image(9)
    rows = conv(builder, data, [1, 7, 4, 2], 3)
    mean = builder.tensor([1, 1, 1, 2], "INT8", QUANT)
    options = {"stride_h": 7, "stride_w": 4, "padding": VALID, "activation": 0}
    builder.op("AVERAGE_POOL_2D", [rows], [mean], filter_height=7, filter_width=4, **options)
    model = builder.build([data], [mean])
    streamed = stream(model, 1)
    assert (streamed.frames, streamed.period, streamed.layers) == (9, 1, 2)
    frames, expected = streams.windows(model, 1, streamed, 7)
    assert streams.answers(streamed.data, frames, expected) == expected


def test_model_with_a_state_of_its_own_is_refused():
    builder = ModelBuilder()
    data = builder.tensor([1, 1, 9, 2], "INT8", QUANT)
    latest = builder.tensor([1, 3, 9, 2], "INT8", QUANT)
    options = bytes(flexbuffers.Dumps({"cycles_max": 1}))
    builder.op("CIRCULAR_BUFFER", [data], [latest], custom_options=options)
    with pytest.raises(ModelError, match="#0 CIRCULAR_BUFFER keeps state from run to run"):
        stream(builder.build([data], [latest]), 2)


def test_branches_that_look_at_other_frames_are_refused():
    builder, data = image(9)
    all_nine = conv(builder, data, [1, 7, 4, 2], 3)
    flat = builder.tensor([1, 56], "INT8", QUANT)
    builder.op("RESHAPE", [all_nine], [flat], new_shape=[1, 56])
    of_eight = builder.tensor([1, 1, 1, 2], "INT8", QUANT)
    options = {"stride_h": 3, "stride_w": 1, "padding": VALID, "activation": 0}
    builder.op("MAX_POOL_2D", [data], [of_eight], filter_height=8, filter_width=4, **options)
    with pytest.raises(ModelError, match="branches of the model look at 9 and at 8 frames"):
        stream(builder.build([data], [flat, of_eight]), 1)


@pytest.mark.parametrize(
    ("axis", "words"),
    [(0, "axis 0 has no frames"), (2, "several before it"), (4, "axis 4 has no")],
)
def test_axis_without_frames_is_refused(axis, words):
    builder, data = image(9)
    model = builder.build([data], [conv(builder, data, [1, 7, 4, 3], 3)])
    with pytest.raises(ModelError, match=words):
        stream(model, axis)


def test_models_of_which_no_stream_is_made_say_why():
    builder, data = image(9)
    model = builder.build([data], [conv(builder, data, [1, 9, 4, 3], 3, SAME)])
    with pytest.raises(ModelError, match="#0 CONV_2D pads the frames"):
        stream(model, 1)
    builder, data = image(9, "FLOAT32")
    output = builder.tensor([1, 7, 4, 2], "FLOAT32")
    options = {"stride_h": 1, "stride_w": 1, "padding": VALID, "activation": 0}
    builder.op("MAX_POOL_2D", [data], [output], filter_height=3, filter_width=1, **options)
    with pytest.raises(ModelError, match="'t0' is float32: only rows of int8 can be kept"):
        stream(builder.build([data], [output]), 1)


def test_command_says_how_often_a_result_comes(tmp_path):
    builder, data = image(9)
    model = builder.build([data], [conv(builder, data, [1, 4, 4, 3], 3, stride=2)])
    (tmp_path / "model.tflite").write_bytes(model)
    output = tmp_path / "stream.tflite"
    arguments = "prepare", str(tmp_path / "model.tflite"), "-o", str(output), "--stream", "1"
    done = CliRunner().invoke(main, arguments)
    assert "a run takes one frame; one run in 2 answers for the latest 9" in done.output
    found = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).output)["stream"]
    assert found == {"frames": 9, "period": 2, "layers": 1, "whole": []}
    said = CliRunner().invoke(main, ["inspect", str(output)]).output
    assert "a stream: a run takes one frame; one run in 2 answers for the latest 9" in said
    run = "run", str(output), "--count"
    for count, answered in (("3", False), ("4", True)):
        assert ("the last run ended" in CliRunner().invoke(main, [*run, count]).output) != answered
        said = CliRunner().invoke(main, [*run, count, "--json"]).output
        assert json.loads(said)["answered"] is answered
    assert CliRunner().invoke(main, [*arguments, "--feed"]).exit_code == 2
    digits = str(ROOT / "models/digits_cnn.tflite")
    done = CliRunner().invoke(main, ["prepare", digits, "-o", str(output), "--stream", "1"])
    assert done.exit_code == 1


def test_stream_does_not_wait_for_rows_that_no_window_reads():
    builder, source = image(24)
    output = conv(builder, source, [1, 11, 4, 3], 3, stride=2)
    model = builder.build([source], [output])
    streamed = stream(model, 1)
    assert Model(streamed.data).stream == (23, 2)
    frames, expected = streams.windows(model, 1, streamed, 8)
    assert streams.answers(streamed.data, frames, expected) == expected
    interpreter = Interpreter(model)
    for came, answer in expected.items():
        read = b"".join(frames[came - 23 : came])
        for unread in (bytes(8), b"\xff" * 8):  # the row of 4 x 2 behind them
            interpreter.inputs[0].data[:] = read + unread
            interpreter.invoke()
            assert [bytes(tensor.data) for tensor in interpreter.outputs] == answer
