"""Pick the kernels of a firmware by names and patterns: TFLM_OPS, and a board's kernels.txt.

Families without kernels, such as control, and services, such as state, have names in this list,
too. So has a selection of kernels.
"""

import re
from fnmatch import fnmatchcase

# Selections: their name in TFLM_OPS, and what it stands for.
SELECTIONS = {
    # What the int8 models of tests and of the zoo need, except what only one or two of them do.
    "int8": """
        conv_2d_s8 conv_2d_s8_blocks depthwise_conv_2d_s8
        fully_connected_s8 fully_connected_per_channel_s8
        average_pool_2d_s8 max_pool_2d_s8 mean_s8 reduce_max_s8 softmax_s8
        add_s8 sub_s8 mul_s8 maximum_s8 minimum_s8
        relu_s8 relu6_s8 leaky_relu_s8 logistic_s8 tanh_s8 lookup_s8
        copy concatenation pad_s8 strided shape share
        resize_nearest resize_bilinear_s8
        lstm_s8 svdf_s8 row_group rows_mean_s8 rows_dense_s8
        quantize_f32_s8 requantize_s8 requantize_s8_u8 requantize_u8_s8 dequantize_s8_f32
    """,
}


def picked(text, names):
    """Return the *names* that *text* selects; *names* are all names in order.

    text  names, patterns such as *_s8 and SELECTIONS, with commas or spaces between, "#" before a
          comment. "!" before one removes names that earlier ones selected
    Raises ValueError if a pattern fits no kernel, or nothing is left.
    """
    kept = set()
    for word in re.split(r"[,\s]+", re.sub(r"#.*", "", text)):
        pattern = word.lstrip("!")
        patterns = SELECTIONS.get(pattern, pattern).split()
        found = {name for name in names if any(fnmatchcase(name, one) for one in patterns)}
        if word and not found:
            raise ValueError(f"TFLM_OPS: there is no kernel '{pattern}'")
        kept = kept - found if word.startswith("!") else kept | found
    if not kept:
        raise ValueError(
            "TFLM_OPS names no kernel; `tflm ops MODEL...` prints those that models need"
        )
    return [name for name in names if name in kept]
