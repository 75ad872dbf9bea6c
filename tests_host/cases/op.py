"""What a family's cases say of one operator."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Op:
    """Random models of one operator.

    draw     from a Draw (support/draw/one_op.py) to (model, functions that make the bytes of its
             inputs)
    invokes  in a row of one model, with other inputs each
    tie      some result lies a hair from a half: the last bit of a multiplier decides
    step     bytes of the gap that an output which overwrites its input must keep: see test_walks.
             Where outputs are smaller than inputs, a nearer output first spoils the low bytes of
             a number, which may not show. 0: no in-place reuse
    rows     the output overwrites its input by rows of the image
    kernel   the kernel whose calls are drawn from these models; "" where viper_records draws them
    viper    False: they have operators that viper does not run
    answer   for an operator that TFLM lacks: answer(model, inputs) returns the expected outputs.
             judge.py asks it
    lacks    the types of a first input or output that TFLM's operator lacks; answer() is asked for
             these alone. Empty: for all, as TFLM lacks the operator
    """

    draw: object
    invokes: int = 2
    tie: bool = False
    step: int = 0
    rows: bool = False
    kernel: str = ""
    viper: bool = True
    answer: object = None
    lacks: tuple = ()
