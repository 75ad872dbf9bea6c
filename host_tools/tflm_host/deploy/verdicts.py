"""Why a board cannot take models, by the facts that it emits.

Runs on MicroPython, too: the web page that talks to boards has it. Facts are what functions of
doctor_device.py and deploy_device.py emit. Each function returns a sentence, None where nothing is
wrong.
"""

from tflm import __version__
from tflm.file.op_names import name_of

NO_IMAGE = "the ROMFS partition holds no image now and must be rewritten"


def trouble(facts):
    """Return why the board of these *facts*, of doctor_device.py, cannot be used."""
    if facts["tflm"] is None:
        return "no tflm on this board: give it a firmware, or install/tflm_install.py's package"
    if facts["tflm"] != __version__:
        return f"it has tflm {facts['tflm']}, this is {__version__}: update the board"
    if not facts["backends"]:
        return "the board has neither C nor viper kernels"
    return None


def of_version(facts):
    """Return why the firmware of a board is not the one of these tools."""
    if facts["version"] != __version__:
        return (
            f"the board has tflm {facts['version']}, this is {__version__}:"
            " their arena sizes may differ; update the board"
        )
    if not facts["backends"]:
        return "the board has neither C nor viper kernels"
    return None


def of_room(facts, total):
    """Return why *total* bytes of files cannot be written."""
    room, folder = facts["room"], facts["folder"]
    where = "ROMFS partition" if facts["in_place"] else f"filesystem at {folder}"
    if room is None:
        return f"the board has no folder {folder}"
    if room == 0:
        return "the board has no ROMFS and no filesystem that can be written"
    if total > room:
        return (
            f"the models take {total:,} bytes, the {where} has {room:,}: {total - room:,} too many"
        )
    return None


def of_heap(answer, size, arena, besides):
    """Return why a model does not fit the heap, by the *answer* of check().

    size  bytes of the file, where it is read into RAM; 0 in ROMFS
    """
    if answer["fits"]:
        return None
    model = f"{size:,} for the model, which is no ROMFS, " if size else ""
    return (
        f"needs {model}{arena:,} bytes of arena and some {besides:,} more of heap;"
        f" {answer['free']:,} are free, in pieces"
    )


def missing(answer, ops):
    """Return the names of kernels and operators that the firmware lacks.

    answer  of check();  ops  [(code or name, version)] that check() was given
    """
    return [i if isinstance(i, str) else _op_name(*ops[i]) for i in answer["missing"]]


def _op_name(op, version):
    return f"{op if isinstance(op, str) else name_of(op)} (version {version})"


def replaced(facts, names):
    """Return which files writing files of these *names* removes or replaces, sorted."""
    return [name for name in facts["old"] if facts["in_place"] or name in names]


def losses(facts, names):
    """Return a text with the files that writing *names* destroys, None if there are none."""
    old = replaced(facts, names)
    if not old:
        return None
    if not facts["in_place"]:
        return f"this replaces these files in {facts['folder']}: {', '.join(old)}"
    gone = [name for name in sorted(old) if name not in names]
    text = f"this replaces {facts['folder']}, with {', '.join(old)}"
    return f"{text}; no longer in it: {', '.join(gone)}" if gone else text
