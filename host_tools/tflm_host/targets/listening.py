"""Let models listen: in this process, or on a board, to a wave file or to the board's microphone.

listen_device.py does the work at both ends. What happens is given to take(kind, value), as it
happens; its Listening names the kinds.
"""

import base64
import hashlib
import json
from pathlib import Path

from tflm.audio import BANDS, RATE

from ..model.descriptions import split
from ..model.files import InputError
from .answers import MARK, below, checked, fits, is_count, is_hex, is_text, one_of
from .boards import UNIX_TARGETS, load_board
from .device import listen_device, script
from .open_target import is_port, open_target
from .repl import TargetError

SOUND = "sound.pcm"  # in /rom of an emulated board
FILE_OVERHEAD = 256  # at most, of a file there
CHUNK = 1024  # bytes of sound that are sent at once
QUIET_SECONDS = 300  # without a line; 30 ms of sound take an emulated Pico less than a second
HOUR = 3600 * RATE  # samples; no more are lost at once


def forms_of(words):
    """Return the form of each kind of line of a board whose Listening has *words*."""

    def is_run(value):
        if not fits(value, [below(len(words)), is_count, below(256), is_hex, is_hex]):
            return False
        number, _, _, scores, line = value
        return len(scores) == 2 * len(words[number].labels) and len(line) == 2 * BANDS

    labels = [label for word in words for label in word.labels]
    return {
        "run": is_run,
        "event": [one_of(*labels), below(256), is_count, below(RATE), is_count],
        "sound": is_base64,
        "lost": below(HOUR),
        "error": [is_text, is_text],
    }


def is_base64(value):
    try:
        return is_text(value) and bool(base64.b64decode(value, validate=True))
    except ValueError:
        return False


def listening_here(models, options, take):
    """Return a Listening of this process."""
    return listen_device.Listening(models, options, take)


def files_of(paths):
    """Return pairs (file name, bytes) of *paths* and of the models that .json files name."""
    files = {}
    models, descriptions = split(paths)
    for path in descriptions + models:
        data = path.read_bytes()
        if files.setdefault(path.name, data) != data:
            raise InputError(f"two files are called {path.name}")
    return list(files.items())


def listen_there(port, models, options, words, take, sound=None, mic=None, **microphone):
    """Let *models* listen on target *port*.

    words    of listening_here(), which the board must have, too
    models   paths; a real board has them in /rom
    options  of tflm.listen(); vad is a path, too
    sound    a Wav that is sent there; None: its microphone
    mic      path of a wave file that an emulated microphone hears
    microphone  pins, samples (None: until Ctrl-C), is_kept
    """
    paths = [*models, options["vad"]] if options.get("vad") else list(models)
    files = files_of(paths)
    sent = [] if is_port(port) else list(files)
    has_sound = sound is not None and sent and _fits(port, files, sound)
    if has_sound:
        samples = bytearray(2 * sound.count)
        sound.readinto(samples)
        sent.append((SOUND, samples))
    with open_target(port, sent, mic=mic) as target:
        if is_port(port):
            _check_rom(target, files)
            places = {name: "/rom/" + name for name, _ in files}
        else:
            places = {name: target.path(name) for name, _ in files}
        target.exec(script("listen_device"))
        there = dict(options)
        if options.get("vad"):
            there["vad"] = places[Path(options["vad"]).name]
        names = [places[Path(path).name] for path in models]
        reader = Lines(target.name, forms_of(words), take)
        is_kept = microphone.get("is_kept", False)
        reader.read(
            target.exec(
                f"ear = attempt(lambda: Listening({names!r}, {there!r}, is_kept={is_kept}))"
            )
        )
        if sound is not None and not has_sound:
            _send(target, sound, reader)
            return
        code = f"attempt(ear.hear_pins, {microphone['pins']!r}, {microphone['samples']})"
        if has_sound:
            code = f"attempt(ear.hear_file, {target.path(SOUND)!r})"
        try:
            target.follow(code, reader.line_of_many, QUIET_SECONDS)
        except RefusedLine as refused:
            raise refused.error from None


def _fits(port, files, sound):
    """Return whether an emulated board's /rom, or the unix build, has room for the sound."""
    if port in UNIX_TARGETS:
        return True
    nbytes = 2 * sound.count + sum(len(data) for _, data in files)
    return nbytes + FILE_OVERHEAD * (len(files) + 1) <= load_board(port).romfs_size


def _send(target, sound, reader):
    """Send *sound* in pieces, each after the reply to the one before."""
    buffer = bytearray(CHUNK)
    count = sound.readinto(buffer)
    while count:
        text = base64.b64encode(buffer[:count]).decode()
        reader.read(target.exec(f"attempt(ear.take, {text!r})", QUIET_SECONDS))
        count = sound.readinto(buffer)


class RefusedLine(Exception):
    """A line that is an error, while more of them come."""

    def __init__(self, error):
        super().__init__(str(error))
        self.error = error


class Session:
    """A target that runs *program*, of device/, while this is open. Its lines go to _keep().

    begins  the first call there; forms  as of Lines
    """

    seconds_to_spare = QUIET_SECONDS  # of a call, besides what the work takes

    def __init__(self, target, program, begins, forms):
        self._target = target
        self._reader = Lines(target.name, forms, self._keep)
        try:
            target.exec(script(program))
            self._do(begins)
        except BaseException:
            target.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._target.close()

    def _do(self, code, seconds=0):
        """Run *code*, which takes about so many *seconds*, and read its lines."""
        self._reader.read(self._target.exec(code, seconds + self.seconds_to_spare))


class Lines:
    """Pass on lines of the board *name*: marked ones of *forms* to *take*, others to the user."""

    def __init__(self, name, forms, take):
        self._name = name
        self._forms = forms
        self._take = take

    def read(self, text):
        for line in text.splitlines():
            self.line(line)

    def line_of_many(self, line):
        try:
            self.line(line)
        except TargetError as error:
            raise RefusedLine(error) from None

    def line(self, line):
        if not line.startswith(MARK):
            if line.strip():
                self._take("said", line)
            return
        try:
            reply = json.loads(line.removeprefix(MARK))
        except (ValueError, RecursionError):
            reply = line
        kind, value = checked(self._name, reply, [one_of(*self._forms), lambda _: True])
        checked(self._name, value, self._forms[kind])
        if kind == "error":
            raise TargetError(f"{self._name}: {value[1]}")
        self._take(kind, value)


def _check_rom(target, files):
    """Raise TargetError unless the board's /rom holds *files*, byte for byte."""
    target.exec("import tflm")
    target.exec(script("files_device"))
    missing = []
    for name, data in files:
        found = target.exec(f"has({'/rom/' + name!r}, {len(data)})").strip()
        if found != hashlib.sha256(data).hexdigest():
            missing.append(name)
    if missing:
        raise TargetError(
            f"{target.name} does not have {', '.join(missing)} in /rom, or another one:"
            f" `tflm deploy {files[0][0]} --port {target.name}` writes it"
        )
