"""Ten handwritten digits for the REPL of the web page. MicroPython runs this in the browser.

digits[n] are the 8x8 pixels of a digit n as 64 numbers, 0 to 1, ink white.
"""


def _read(path):
    """Return (pixels in a digit, white, all shades) of the plain text PGM picture *path*."""
    with open(path) as file:
        words = [word for line in file for word in line.split("#")[0].split()]
    width, _, white = [int(word) for word in words[1:4]]
    return width * width, white, [int(word) for word in words[4:]]


_size, _white, _shades = _read("/rom/digits.pgm")
digits = [
    [shade / _white for shade in _shades[start : start + _size]]
    for start in range(0, len(_shades), _size)
]
