"""The form of a certificate: its keys, its checksum, and parts that it must not have.

A certificate is one object of JSON. "sha256" is the checksum of all other keys in canonical form:
keys sorted, no spaces, ASCII. It shows that a file was damaged or edited carelessly. It is no
signature: who edits a file can compute the checksum again.
"""

import json
import re
from hashlib import sha256
from pathlib import Path

from ..model.files import InputError
from ..targets.answers import fits, is_count, is_size, is_text, one_of

FORMAT = 1
PASSED, FAILED, SKIPPED, NOT_RUN = "passed", "failed", "skipped", "not run"
SILICON, EMULATED, UNIX = "board", "emulated", "unix"
STEPS = (
    "identity",
    "models",
    "two cores",
    "flash write",
    "soak",
    "large model",
    "resets",
    "device tests",
)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_BOARD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
# Folders of people, as Unix, macOS and Windows have them.
_HOMES = re.compile(r"(?:/home/|/Users/|\b[A-Za-z]:[\\/]+Users[\\/]+)[^\s/\\'\":,;()]+|/root\b")
_TEMPORARY = re.compile(r"(/[\w/]*)?/tflm-\w+")


def _is_digest(value):
    return isinstance(value, str) and bool(_DIGEST.fullmatch(value))


def _is_date(value):
    return isinstance(value, str) and bool(_DATE.fullmatch(value))


def _is_board(value):
    return isinstance(value, str) and bool(_BOARD.fullmatch(value))


IDENTITY = {
    "machine": is_text,
    "build": is_text,
    "version": is_text,
    "platform": is_text,
    "hertz": (None, is_size),
    "tflm": is_text,
    "backends": [one_of("c", "viper"), ...],
    "isa": (None, is_text),
    "layout": (None, is_count),
    "way": one_of("firmware", "native module", "viper"),
    "heap_free": is_count,
}
MODEL = {
    "name": is_text,
    "bytes": is_size,
    "sha256": _is_digest,
    "backend": one_of("c", "viper"),
    "cores": is_size,
    "in_flash": bool,
    "arena_bytes": is_size,
    "expected_arena_bytes": is_size,
    "runs": is_size,
    "outputs_sha256": _is_digest,
    "expected_sha256": _is_digest,
    "microseconds": {"min": is_count, "median": is_count, "max": is_count},
    "modelled_microseconds": (None, is_count),
}
FORM = {
    "format": lambda value: value == FORMAT,
    "date": _is_date,
    "tool": {"tflm": is_text, "python": is_text},
    "kind": one_of(SILICON, EMULATED, UNIX),
    "emulator": (None, is_text),
    "board": _is_board,
    "identity": {
        **IDENTITY,
        "firmware_bytes": (None, is_size),
        "firmware_sha256": (None, _is_digest),
    },
    "complete": bool,
    "passed": bool,
    "steps": [
        {
            "name": one_of(*STEPS),
            "result": one_of(PASSED, FAILED, SKIPPED, NOT_RUN),
            "why": is_text,
            "milliseconds": is_count,
        },
        ...,
    ],
    "models": [MODEL, ...],
    "flash_write": (None, {"cores": is_size, "writes": is_count, "runs": is_count}),
    "soak": (
        None,
        {
            "model": is_text,
            "seconds": is_count,
            "runs": is_count,
            "different": is_count,
            "heap_free_first": is_count,
            "heap_free_last": is_count,
        },
    ),
    "resets": [one_of("soft", "hard"), ...],
    "scripts": [
        {
            "name": is_text,
            "passed": is_count,
            "skipped": is_count,
            "failed": is_count,
            "why_skipped": [is_text, ...],
        },
        ...,
    ],
    "transcript_sha256": _is_digest,
    "sha256": _is_digest,
}


def canonical(certificate):
    """Return the bytes of *certificate* that its checksum covers."""
    covered = {key: value for key, value in certificate.items() if key != "sha256"}
    return json.dumps(covered, sort_keys=True, separators=(",", ":")).encode()


def sealed(certificate):
    """Return *certificate* with its checksum."""
    return {**certificate, "sha256": sha256(canonical(certificate)).hexdigest()}


def written(certificate):
    """Return the text of a file with *certificate*."""
    return json.dumps(certificate, indent=1) + "\n"


def clean(text, port):
    """Return *text* without the path *port* of the board ("" for none) and folders of people."""
    if port:
        text = text.replace(port, "the board")
    home = str(Path.home())
    if len(home) > 1:
        text = text.replace(home, "~")
    return _TEMPORARY.sub("tflm", _HOMES.sub("~", text))


def private_parts(text):
    """Return what *text* says of people: their folders."""
    home = str(Path.home())
    return sorted({*_HOMES.findall(text), *([home] if len(home) > 1 and home in text else [])})


def is_passed(steps):
    """Tell whether no step failed, and whether all were run."""
    results = {step["result"] for step in steps}
    return not results & {FAILED, NOT_RUN}


def load(path):
    """Return the object in the file *path*. Raises InputError where there is none."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no certificate: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} is no certificate: it has no object of JSON")
    return found


def faults(certificate, known, transcript=None):
    """Return a sentence for each reason why *certificate* cannot be trusted as it is.

    known  {sha256 of a model: sha256 of TFLM's outputs}, of this version's models
    transcript  bytes of the file beside it; None where there is none
    """
    wrong = [
        key
        for key, form in FORM.items()
        if key not in certificate or not fits(certificate[key], form)
    ]
    wrong += sorted(set(certificate) - set(FORM))
    if wrong:
        return [f"these keys are missing, unknown or of another form: {', '.join(wrong)}"]
    found = []
    if sealed(certificate)["sha256"] != certificate["sha256"]:
        found.append("the checksum differs: the file was changed after it was written")
    told = certificate["transcript_sha256"]
    if transcript is not None and sha256(transcript).hexdigest() != told:
        found.append("the transcript beside it is of another run, or was changed")
    return found + _contradictions(certificate, known)


def _contradictions(certificate, known):
    """Return what the parts of a certificate say against each other."""
    found = []
    steps = certificate["steps"]
    results = {step["name"]: step["result"] for step in steps}
    if tuple(results) != STEPS or len(steps) != len(STEPS):
        found.append("its steps are not those of this format")
    if certificate["complete"] != (NOT_RUN not in results.values()):
        found.append("complete contradicts its steps")
    if certificate["passed"] != is_passed(steps):
        found.append("passed contradicts its steps")
    for model in certificate["models"]:
        expected = known.get(model["sha256"], model["expected_sha256"])
        if model["expected_sha256"] != expected:
            found.append(f"{model['name']}: TFLM's outputs are others")
        if certificate["passed"] and model["outputs_sha256"] != expected:
            found.append(f"{model['name']}: passed, but the outputs differ from TFLM's")
    if certificate["passed"] and any(script["failed"] for script in certificate["scripts"]):
        found.append("passed, but a device test failed")
    return found
