"""`tflm.listen`: an ear for the models of microWakeWord, and of words of a few classes."""

from .audio import BANDS, Features
from .ear import Ear
from .interpreter import Interpreter
from .schema import INT8, UINT8
from .stream import Recogniser, WakeWord, Word

_STREAM_LINES = 8  # a model that reads fewer at a time keeps the others itself
_HOP_MS = 100  # from a run to the next, of a model that reads all lines each time


def listen(*models, front=None, labels=None, vad=None, rule=None, hop=None, **options):
    """Return an Ear for *models*: call it with a source of sound, and it yields events.

    models   names of .json files of microWakeWord, whose model lies beside them, or of .tflite
             files; several share one front end
    front    "micro" or "micro_speech": what a .tflite file was trained with; JSON needs none
    labels   of a .tflite file, one for each score
    vad      the .json file of a model that hears voices: events come only while it does
    rule     in place of the usual one, see tflm.stream
    hop      lines from a run to the next, for a model that reads all of its lines each time
    options  of Interpreter; warm_up, cool_down: see tflm.stream.WakeWord

    Raises ValueError, which names the key of the file or both forms of a model that does not fit.
    """
    if not models:
        raise ValueError("listen: the name of a model expected")
    if rule is not None and len(models) > 1:
        raise ValueError("listen: rule= is for one model, %d given" % len(models))
    waits = {}
    for name in ("warm_up", "cool_down"):
        if name in options:
            waits[name] = options.pop(name)
    found = [Description(name, front, labels) for name in models]
    if vad is not None:
        found.append(Description(vad, front))
    step, fronts = found[0].step, found[0].front
    for plan in found:
        if plan.step != step or plan.front != fronts:
            raise ValueError(
                "%s takes %s lines each %d ms, %s %s each %d ms: one front end has one step"
                % (found[0].name, fronts, step, plan.name, plan.front, plan.step)
            )
    words = [plan.word(rule, hop, waits, options) for plan in found[: len(models)]]
    voice = found[-1].word(None, hop, {"warm_up": 0}, options) if vad is not None else None
    return Ear(words, Features(fronts, step=16 * step), voice)


class Description:
    """Facts of a model that are known before it is loaded: its path, *step* in milliseconds."""

    def __init__(self, path, front=None, labels=None):
        path = str(path)  # CPython's may be a Path
        self.name = path.replace("\\", "/").split("/")[-1]
        self.labels = labels
        self.micro = None
        self.front = front
        self.path = path
        self.step = 20 if front == "micro_speech" else 10
        if path.endswith(".json"):
            self._read()
        if self.front is None:
            self.front = _look(self.path, self.name)
            self.step = 20 if self.front == "micro_speech" else 10

    def _read(self):
        from json import load

        with open(self.path) as file:
            try:
                facts = load(file)
            except ValueError:
                raise ValueError("%s is no JSON file" % self.name) from None
        version = self._of(facts, "version", (1, 2))
        micro = self._of(facts, "micro")
        if not isinstance(micro, dict):
            raise ValueError('%s: "micro" is %r, an object expected' % (self.name, micro))
        size = "sliding_window_size" if version == 2 else "sliding_window_average_size"
        cutoff = self._of(micro, "probability_cutoff")
        if type(cutoff) not in (int, float) or not 0 <= cutoff <= 1:
            self._refuse("probability_cutoff", cutoff, "0 to 1")
        count = self._of(micro, size)
        if type(count) is not int or not 0 < count < 256:
            self._refuse(size, count, "1 to 255")
        self.step = 20
        if version == 2:
            self.step = self._of(micro, "feature_step_size", (10, 20, 30))
        self.micro = count, cutoff
        self.labels = (self._name_of(facts, "wake_word"),)
        self.front = "micro"
        model = self._name_of(facts, "model")
        folder = self.path[: len(self.path) - len(self.name)]
        self.path = model if model.startswith("/") else folder + model.split("/")[-1]

    def _of(self, facts, key, allowed=None):
        if not isinstance(facts, dict) or key not in facts:
            raise ValueError('%s: no key "%s"' % (self.name, key))
        value = facts[key]
        if allowed and (type(value) is not int or value not in allowed):
            self._refuse(key, value, "one of %s" % (allowed,))
        return value

    def _name_of(self, facts, key):
        value = self._of(facts, key)
        if not isinstance(value, str) or not value:
            self._refuse(key, value, "a name")
        return value

    def _refuse(self, key, value, expected):
        raise ValueError('%s: "%s" is %r, %s expected' % (self.name, key, value, expected))

    def word(self, rule, hop, waits, options):
        interp = Interpreter(self.path, **options)
        source, output = interp.inputs[0], interp.outputs[0]
        lines, count = source.nbytes // BANDS, output.nbytes
        is_fit = source.type == INT8 and source.nbytes % BANDS == 0 and lines > 0
        is_fit = is_fit and output.type in (INT8, UINT8) and len(interp.inputs) == 1
        if not is_fit or (self.micro and count != 1):
            _refuse_form(self.name, source, output)
        labels = self.labels
        if labels is None and count == 1:
            labels = (self.name.rsplit(".", 1)[0],)
        if labels is None or len(labels) != count:
            raise ValueError(
                "%s gives %d scores: labels=(...) with so many names expected" % (self.name, count)
            )
        if lines < _STREAM_LINES:
            hop = lines
        hop = hop or max(_HOP_MS // self.step, 1)
        if not 0 < hop <= lines:
            raise ValueError("hop %s: 1 to %d lines expected" % (hop, lines))
        if rule is None and count == 1:
            rule = WakeWord(*(self.micro or (5, 0.9)), **waits)
        # A sound of one second has one run: one may be enough.
        rule = rule or Recogniser(count, hop * self.step, least=1)
        return Word(self.name, interp, labels, rule, hop)


def _look(path, name):
    """Return which front end the model at *path* looks like."""
    from .model import Model

    graph = Model(path).subgraphs[0]
    source, output = graph.tensor(graph.inputs[0]), graph.tensor(graph.outputs[0])
    front = _front_of(source, output)
    if front is None:
        _refuse_form(name, source, output)
    return front


def _type(tensor):
    return getattr(tensor, "dtype", None) or tensor.type_name.lower()


def _front_of(source, output):
    if _type(source) != "int8" or source.nbytes % BANDS:
        return None
    return "micro" if output.nbytes == 1 else "micro_speech"


def _refuse_form(name, source, output):
    """Raise an error that shows both forms, and the front end that they look like."""
    front = _front_of(source, output)
    hint = ""
    if front:
        hint = "; it looks like front='%s'" % front
    elif _type(source) == "float32":
        hint = "; quantize it to int8"
    elif _type(source) == "int16":
        hint = "; it takes sound, as a front end does"
    raise ValueError(
        "%s takes %s %s and gives %s %s: int8 lines of %d numbers and 8-bit scores expected%s"
        % (
            name,
            _type(source),
            tuple(source.shape),
            _type(output),
            tuple(output.shape),
            BANDS,
            hint,
        )
    )
