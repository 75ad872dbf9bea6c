"""What an operator or a delegate holds is freed, whatever fails."""

import pytest

import tflm
from support.models.small_models import chain

LENGTH = 6


class Delegate:
    """Runs node *node*, and notes what is called of it."""

    def __init__(self, node, calls, raises=()):
        self.name = f"delegate of {node}"
        self._node, self._calls, self._raises = node, calls, raises

    def supports(self, operator):
        return operator.index == self._node

    def _note(self, what):
        self._calls.append((what, self._node))
        if what in self._raises:
            raise OSError(f"{what} {self._node}")

    def init(self, _context, _node):
        self._note("init")

    def prepare(self, _context, _node):
        self._note("prepare")

    def invoke(self, context, node):
        context.output_data(node, 0)[:] = context.input_data(node, 0)

    def free(self, _context, _node):
        self._note("free")


def freed(calls):
    return [node for what, node in calls if what == "free"]


@pytest.mark.parametrize("raising", [(0,), (2,), (0, 2, 4)])
def test_free_that_raises_keeps_no_other_from_running(raising):
    calls = []
    mine = [Delegate(i, calls, ("free",) if i in raising else ()) for i in (0, 2, 4)]
    interp = tflm.Interpreter(chain(LENGTH), delegates=mine)
    with pytest.raises(OSError, match=f"free {raising[0]}"):
        interp.close()
    assert freed(calls) == [0, 2, 4]
    interp.close()
    assert freed(calls) == [0, 2, 4]


@pytest.mark.parametrize("step", ["init", "prepare"])
@pytest.mark.parametrize("node", [0, 2, 4])
def test_load_that_fails_frees_what_was_initialised(step, node):
    calls = []
    mine = [Delegate(i, calls, (step, "free") if i == node else ()) for i in (0, 2, 4)]
    with pytest.raises(OSError, match=f"{step} {node}"):
        tflm.Interpreter(chain(LENGTH), delegates=mine)
    initialised = [i for what, i in calls if what == "init" and (step, i) != ("init", node)]
    assert freed(calls) == initialised


def test_load_that_finds_no_room_frees_what_was_initialised():
    calls = []
    with pytest.raises(tflm.ArenaError):
        tflm.Interpreter(chain(LENGTH, 64), 96, delegates=[Delegate(2, calls)])
    assert freed(calls) == [i for what, i in calls if what == "init"] != []


def test_measuring_frees_what_it_initialised():
    calls = []
    with tflm.Interpreter(chain(LENGTH), delegates=[Delegate(2, calls)]) as interp:
        interp.arena_report()
    assert freed(calls) == [i for what, i in calls if what == "init"] != []


@pytest.mark.parametrize("wrong", [None, 7, "name"])
def test_delegate_that_is_none_is_refused_by_its_place(wrong):
    mine = [Delegate(0, []), wrong]
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"delegates\[1\] is {kind}: it has no name, or no supp"):
        tflm.Interpreter(chain(LENGTH), delegates=mine)


@pytest.mark.parametrize("wrong", [b"x", b"", 5, "name"])
@pytest.mark.parametrize("delegates", [(), [Delegate(0, [])]])
def test_resolver_that_is_none_is_refused(wrong, delegates):
    with pytest.raises(TypeError, match=f"resolver is {type(wrong).__name__}, no OpResolver"):
        tflm.Interpreter(chain(LENGTH), resolver=wrong, delegates=delegates)
