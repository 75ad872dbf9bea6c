"""Fixed-point arithmetic of the int8 kernels, on 32-bit words in a shared work area.

A call between viper functions turns integers into objects, and those above 30 bits live on
the heap. So accumulators and Q31 multipliers travel in the words of WORK instead:

    word  name            what                                          of
       0  OFFSET          output offset                                 0 to 4: order of records
       1  MULTIPLIER      in Q31, of the real factor
       2  SHIFT           of the same, positive to the left
       3  MINIMUM         output
       4  MAXIMUM         output
       5  POSITION        next byte of the output
       6  STEP            from it to the one after it                   requantize
       6  LENGTH          weights of a channel                          conv
       6  DEEP            planes, less one                              conv_nine
       8  INPUT_OFFSET    that load() adds to its input                 requantize
       8  INPUT_SCALE     bits of a float32, for load_channels()        requantize
       8  SLOPE1          of the line in input 1                        broadcast_add
       8  START           element of the input, of a window             pool
       8  ABSENT          bit k: tap k has no weight in this row        conv_nine
       9  OUTPUT_SCALE    bits of a float32, for load_channels()        requantize
       9  EXCESS          128 times the sum of a window                 conv
       9  SLOPE2          of the line in input 2                        broadcast_add
       9  ROWS            of a window                                   pool
       9  PLACE           byte of the input at which the image begins   conv_nine
      10  CHANNELS        how many                                      requantize
      10  LINE            its value for bytes of 0                      broadcast_add
      10  COLUMNS         of a window                                   pool
      11  FIRST           byte of the scratch: the channels' words      requantize
      11  DOWN            bits behind the line's point                  broadcast_add
      12  CHANNEL         the first one                                 requantize
      12  CERTAIN         rests of the line below this are sure         broadcast_add
      13  FILTER_OFFSET   filter offset                                 dense
      13  SKIPPED         channels of the filter before the block       conv
      13  TAP_STEP        bytes from a weight of a channel to the next  conv_nine
      14  OUTPUTS         bytes from a group's outputs to the next's    conv
      14  CHANNEL_STEP    bytes from a channel's weight to the next's   conv_nine
      15  REPEAT          channels in a row that have the same input    conv_nine
      16  A               block of 32 accumulators
      48  B               block of 32 accumulators
      57  TAPS            byte of the filter of each of nine taps       conv_nine
      66  PENDING         bytes of UNSURE that are in use               conv_line

Modules call these words `_W_NAME` (the blocks `_A` and `_B`). mpy-cross replaces only names that
the module itself defines by const(), so each module repeats them. A test compares them with this
table. Words with the same number are never in use at the same time.

A viper `int` has 32 bits on boards and 64 on a PC, where a word loads unsigned. There
(v ^ sign) - sign, with sign = 1 << 31, extends its sign; on boards it changes nothing. Sums and
products need no care: a store keeps the low 32 bits. The code writes `one << 31` with a variable,
because a literal beyond 30 bits would be an object.

Source: tensorflow/lite/kernels/internal/common.cc, gemmlowp fixedpoint/fixedpoint.h.
"""

from array import array

import micropython
from micropython import const

_W_MULTIPLIER = const(1)
_W_SHIFT = const(2)
_A = const(16)
_B = const(48)

WORK = bytearray(320)
_kept = bytearray(len(WORK))  # while a callback may run kernels
_waiting = bytearray(1)
_ONCE = (None,)

# exp(-1/8), 1/3, then exp(-2**k) for k = -2..4, in Q31.
_EXP = array(
    "i",
    (
        1895147668,
        715827883,
        1672461947,
        1302514674,
        790015084,
        290630308,
        39332535,
        720401,
        242,
    ),
)


@micropython.viper
def poll():
    """Let Ctrl-C and scheduled callbacks through, which may run other kernels.

    Kernels call it after some 65,000 products, that is 1 to 2 million instructions. Their only
    static memory is WORK.
    """
    waiting = ptr8(_waiting)
    if waiting[0] == 0:  # else in a callback, which no other interrupts
        waiting[0] = 1
        w = ptr32(WORK)
        kept = ptr32(_kept)
        for i in range(80):
            kept[i] = w[i]
        _look()
        for i in range(80):
            w[i] = kept[i]
        waiting[0] = 0


def _look():
    # Bytecode looks for events at each of its jumps, so there are none outside of this function.
    try:
        for _ in _ONCE:
            pass
    except:  # KeyboardInterrupt is no Exception
        _waiting[0] = 0
        raise


@micropython.viper
def scale(words, data, first: int, n: int):
    """Multiply data[first : first + n] by the quantized multiplier in *words* (MBQM).

    The product of a = ah:al and m = mh:ml (16-bit halves) has no step beyond 32 bits. It holds
    that |ah * ml| + 2**16 <= 2**31 - 1 and al * mh + 2**16 <= 2**31 - 1. Never both
    -2**31. A right shift beyond 31 gives 0.
    """
    w = ptr32(words)
    d = ptr32(data)
    one = 1
    spare = 0  # bits of an int beyond 32
    if (one << 16) << 16:
        spare = 32
    m = (w[_W_MULTIPLIER] << spare) >> spare
    left = (w[_W_SHIFT] << spare) >> spare
    right = 0
    if left < 0:
        right = -left
        left = 0
    if right > 31:
        m = right = 0
    left += spare
    mh = m >> 16
    ml = m & 0xFFFF
    mask = (one << right) - 1
    threshold = mask >> 1
    for i in range(first, first + n):
        a = (d[i] << left) >> spare
        t = (a >> 16) * ml + (((a & 0xFFFF) * ml >> 16) & 0xFFFF)
        u = (a & 0xFFFF) * mh + (t & 0xFFFF)
        # (a * m + 2**30) >> 31: to nearest, ties up.
        a = (((a >> 16) * mh + (t >> 16) + (u >> 16)) << 1) + (((u & 0xFFFF) + 0x4000) >> 15)
        # Divided by 2**right: to nearest, ties away from zero.
        t = a & mask
        a >>= right
        d[i] = a + int(t > threshold + int(a < 0))


@micropython.viper
def exponential(words, integer_bits: int):
    """Replace the first word of block A, a <= 0 with *integer_bits*, by exp(a) in Q31."""
    w = ptr32(words)
    c = ptr32(_EXP)
    one = 1
    sign = one << 31
    a = (w[_A] ^ sign) - sign
    if a == 0:
        w[_A] = sign - 1
        return
    # a = x - 1/4 - rest, x in [0, 1/4): a polynomial around -1/8, then one factor a bit of rest.
    quarter = one << (29 - integer_bits)
    a_mod = (a & (quarter - 1)) - quarter
    rest = a_mod - a
    x = (a_mod << integer_bits) + (one << 28)
    w[_A] = x
    w[_W_MULTIPLIER] = x
    w[_W_SHIFT] = 0
    scale(words, words, _A, 1)
    x2 = w[_A]
    w[_B] = x2
    scale(words, words, _B, 1)
    w[_W_MULTIPLIER] = x2
    w[_W_SHIFT] = -2
    scale(words, words, _A, 1)
    w[_A] += w[_B]
    w[_W_MULTIPLIER] = c[1]
    w[_W_SHIFT] = 0
    scale(words, words, _A, 1)
    u = ((w[_A] ^ sign) - sign) + x2
    w[_A] = x + ((u + int(u >= 0)) >> 1)
    w[_W_MULTIPLIER] = c[0]
    scale(words, words, _A, 1)
    w[_A] += c[0]
    for k in range(integer_bits + 2):
        if (rest >> (29 - integer_bits + k)) & 1:
            w[_W_MULTIPLIER] = c[2 + k]
            scale(words, words, _A, 1)


@micropython.viper
def reciprocal(words):
    """Replace the first word of block A, a in [0, 1) in Q31, by 1 / (1 + a) in Q29 (times 2).

    Three Newton steps from 48/17 - 32/17 * (1 + a) / 2.
    """
    w = ptr32(words)
    one = 1
    half = (w[_A] >> 1) + (one << 30)
    w[_W_SHIFT] = 0
    w[_A] = half
    w[_W_MULTIPLIER] = -1010580540
    scale(words, words, _A, 1)
    w[_A] += 757935405 << one
    for _ in range(3):
        x = w[_A]
        w[_W_MULTIPLIER] = half
        scale(words, words, _A, 1)
        w[_A] = (one << 29) - w[_A]
        w[_W_MULTIPLIER] = x
        scale(words, words, _A, 1)
        w[_A] = x + (w[_A] << 2)
