"""Pick the kernels of a firmware by names and patterns: TFLM_OPS, and a board's kernels.txt.

Families without kernels, such as control, and services, such as state, have names in this list,
too.
"""

import re
from fnmatch import fnmatchcase


def picked(text, names):
    """Return the *names* that *text* selects; *names* are all names in order.

    text  names and patterns such as *_s8, with commas or spaces between, "#" before a comment. A
          pattern with "!" removes names that earlier patterns selected
    Raises ValueError if a pattern fits no kernel, or nothing is left.
    """
    kept = set()
    for word in re.split(r"[,\s]+", re.sub(r"#.*", "", text)):
        pattern = word.lstrip("!")
        found = {name for name in names if fnmatchcase(name, pattern)}
        if word and not found:
            raise ValueError(f"TFLM_OPS: there is no kernel '{pattern}'")
        kept = kept - found if word.startswith("!") else kept | found
    if not kept:
        raise ValueError(
            "TFLM_OPS names no kernel; `tflm ops MODEL...` prints those that models need"
        )
    return [name for name in names if name in kept]
