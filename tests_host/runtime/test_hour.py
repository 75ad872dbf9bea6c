"""A minute of `make hour`: wake words in speech, beside TFLM and pymicro-wakeword."""

import pytest

import hour
from support.reference import spoken, wake_judges

SEED = 4


@pytest.mark.slow
def test_a_minute_of_speech_is_heard_as_tflm_and_pymicro_wakeword_hear_it(shared):
    reason = wake_judges.missing()
    if not reason and not spoken.is_there():
        reason = f"{spoken.PROGRAM} is not installed"
    if reason:
        pytest.skip(reason)
    preprocessor = (shared / "models" / "audio_preprocessor_int8.tflite").read_bytes()
    samples, places = spoken.minutes_of(1, SEED, hour.PHRASE)
    assert len(samples) == 60 * 16000
    outcome = hour.listen(samples, wake_judges.paths_of_models(), preprocessor)
    assert outcome.lines == {"micro": (5998, 0), "micro_speech": (2999, 0)}
    assert [word.label for word in outcome.words] == ["Okay Nabu", "Alexa", "Hey Jarvis"]
    for word in outcome.words:
        assert (word.runs, word.wrong) == (1999, 0)
        assert word.differences() == []
    heard = outcome.words[0].events
    assert heard
    assert all(hour.is_in(line, places) for line in heard)
    assert outcome.words[1].events == outcome.words[2].events == []


def test_events_are_paired_with_the_nearest_and_differences_listed():
    word = hour.Word("", 0, 0, [100, 400, 900], [103, 396, 1500], 3)
    assert word.matched() == [(100, 103), (400, 396), (900, None), (None, 1500)]
    assert word.differences() == [(400, 396), (900, None), (None, 1500)]
    places = [(16000, 32000)]
    assert [hour.is_in(line, places) for line in (80, 100, 310, 330)] == [False, True, True, False]
