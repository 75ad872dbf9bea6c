"""The results of a model for people: classes by name and share, or the numbers themselves."""

import math

from ..model.samples import tensor_of
from .terminal import number, say, short

TOP = 5  # classes shown
SHOWN = 16  # numbers shown of an output that has no classes
BYTES = 16
_SUM = 0.05  # shares add up to 1 within so much, quantized as they are


def numbers_of(info, data):
    """Return the elements of the output *info* as real numbers, integers where it has no scale.

    None where its bytes stand for no numbers: of types that Python lacks, or with a wrong scale.
    """
    try:
        return list(tensor_of(info, data).dequantize())
    except (TypeError, ValueError):
        return None


def is_ranking(info):
    """Tell whether the output *info* has a number for each of several classes."""
    return info.elements > 1 and info.elements == info.shape[-1]


def are_shares(numbers):
    """Tell whether *numbers* are shares of one whole, as SOFTMAX gives."""
    sound = all(-_SUM <= value <= 1 + _SUM for value in numbers)
    return sound and abs(math.fsum(numbers) - 1) <= _SUM


def best(numbers):
    """Return the index of the first largest number, as `Tensor.argmax` does."""
    return max(range(len(numbers)), key=lambda i: (numbers[i], -i))


def name_of(labels, i):
    """Return the name of class *i*, its number where it has none."""
    return labels[i] if labels and i < len(labels) and labels[i] else str(i)


def amount(value, is_share):
    """Return *value* as text: a share in percent."""
    if is_share:
        return f"{100 * value:.1f} %"
    return number(value) if isinstance(value, int) else f"{value:.6g}"


def ranked(numbers):
    """Return the indices of *numbers*, the largest first."""
    return sorted(range(len(numbers)), key=lambda i: (-numbers[i], i))


def show_output(info, data, labels):
    """Print the prediction of output *info*, whose bytes are *data*."""
    head = f"output {short(info.name)} {info.type_name} {list(info.shape)}"
    numbers = numbers_of(info, data)
    if numbers is None:
        say(f"{head}: {data[:BYTES].hex(' ')}{' ...' if data[BYTES:] else ''}")
    elif any(math.isnan(value) for value in numbers) or not is_ranking(info):
        _show_numbers(head, numbers)
    else:
        _show_classes(head, numbers, labels)


def _show_numbers(head, numbers):
    text = ", ".join(amount(value, False) for value in numbers[:SHOWN])
    more = f" ... {number(len(numbers))} numbers in all" if numbers[SHOWN:] else ""
    say(f"{head}: {text}{more}")


def _show_classes(head, numbers, labels):
    shares = are_shares(numbers)
    order = ranked(numbers)[:TOP]
    say(f"{head}:")
    names = [name_of(labels, i) for i in order]
    values = [amount(numbers[i], shares) for i in order]
    wide, width = max(map(len, names)), max(map(len, values))
    for name, value in zip(names, values, strict=True):
        say(f"  {name:<{wide}}  {value:>{width}}")
    if len(numbers) > TOP:
        say(f"  and {number(len(numbers) - TOP)} more")
