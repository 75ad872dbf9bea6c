"""Expected outputs: TFLM's, or those of the case's `answer` where TFLM lacks the operator."""

import atexit
import random
from functools import cache

from cases import ALL
from support.draw.one_op import Draw
from tflm.model import Model
from tflm_host.model.oracle import Oracle, OracleError


class Judge(Oracle):
    """An Oracle that knows the models of cases whose operator TFLM lacks."""

    def __init__(self):
        super().__init__()
        self._model = self._answer = None

    def load(self, model, parsed=None):
        parsed = parsed or Model(model)
        self._model, self._answer = bytes(model), answer_of(parsed)
        if self._answer is None:
            super().load(model, parsed)

    def invoke(self, inputs):
        if self._answer is None:
            return super().invoke(inputs)
        try:
            return self._answer(self._model, inputs)
        except (IndexError, ValueError) as error:  # of a wrong model, as an index that is outside
            raise OracleError(f"no answer: {error}") from error


@cache
def shared_judge():
    """Return the `Judge` of this process. It ends with the process, and restarts after a crash."""
    judge = Judge()
    atexit.register(judge.close)
    return judge


def answer_of(model):
    """Return the answer() of the case that has an operator of *model*, None where TFLM has it."""
    for operator in model.operators():
        answer, lacks = answers().get(operator.builtin, (None, ()))
        if answer and (not lacks or not lacks.isdisjoint(_types(operator))):
            return answer
    return None


def _types(operator):
    """Return the types of the first input and of all outputs, as schema names them."""
    tensors = (*operator.inputs[:1], *operator.outputs)
    return {operator.subgraph.tensor(i).type_name.upper() for i in tensors}


@cache
def answers():
    """Return {builtin code: (answer, types that TFLM lacks)} of the cases that have an answer.

    Raises ValueError if cases of one operator differ in either.
    """
    found = {}
    for name, op in ALL.items():
        if op.answer:
            model, _ = op.draw(Draw(random.Random(0)))
            ((code, _, _),) = Model(model).opcodes
            pair = op.answer, frozenset(op.lacks)
            if found.setdefault(code, pair) != pair:
                raise ValueError(f"{name} has another answer or other types than its operator")
    return found
