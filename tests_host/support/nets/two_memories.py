"""Models in an arena of two memories: what they need of each, and what they answer there."""

from tflm import Arena, Interpreter


def needs(model, first=None, **options):
    """Return the bytes that *model* needs of each of two memories; the first has *first*."""
    probe = Arena()
    probe._is_split = True
    if first is not None:
        probe.size = first & -16
    Interpreter(model, probe, measure=True, **options)
    return probe.used_in_each()


def in_two(model, need, **options):
    """Return an interpreter of *model* in two memories of just these bytes."""
    first, second = need
    return Interpreter(model, Arena(first, tail=second), **options)


def answers(interp, fed):
    """Return the bytes of all outputs after a run on the bytes *fed*, one item an input."""
    for tensor, data in zip(interp.inputs, fed, strict=True):
        tensor.data[:] = data
    interp.invoke()
    return [bytes(tensor.data) for tensor in interp.outputs]
