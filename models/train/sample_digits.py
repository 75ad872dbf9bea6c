"""Write examples/digits.pgm: the first image of each digit in the test part, one below the other.

The format is plain text ("P2"), so the file can be read in any editor and opened by any viewer.
"""

from pathlib import Path

import dataset

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def main():
    """Write ten digits, 8x8 pixels each, 0 to 9 downwards."""
    _, (images, labels) = dataset.split()
    lines = [
        "P2",
        "# Ten handwritten digits that no training has seen, from scikit-learn's load_digits()",
        f"{dataset.SIDE} {10 * dataset.SIDE}",
        str(dataset.WHITE),
    ]
    for digit in range(10):
        image = images[list(labels).index(digit), :, :, 0] * dataset.WHITE
        lines += [" ".join(f"{int(pixel):2}" for pixel in row) for row in image]
    (EXAMPLES / "digits.pgm").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
