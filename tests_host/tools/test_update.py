"""examples/tflm_update.py: whenever the power fails, a whole model is there afterwards."""

import builtins
import hashlib
import importlib.util
import io
from types import SimpleNamespace

import pytest

from tflm_host.places import ROOT

MODULE = ROOT / "examples" / "tflm_update.py"
DIGITS = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
SINE = (ROOT / "models" / "sine.tflite").read_bytes()
KNOCKS = (ROOT / "models" / "keras" / "knocks.tflite").read_bytes()
CHUNK = 1024
BASE = "/models/wake"
# When a write reaches the disk: at once, as in FAT, or when the file is closed, as in littlefs.
FLAVOURS = ("at once", "at close")
PARTS = ("nothing", "half", "all")  # what is done of the operation in which the power fails


class PowerCut(BaseException):
    pass


class Disk:
    """Files in memory, whose power fails at operation number *cut*."""

    def __init__(self, files, cut, part="nothing", flavour="at once"):
        self.files = dict(files)
        self.folders = {"/models"} if files else set()
        self.cut, self.part, self.flavour = cut, part, flavour
        self.done = 0

    def does(self, work, half=None):
        """Do *work*, an operation on the disk; or a part of it, and fail."""
        self.done += 1
        if self.done == self.cut:
            if self.part == "all":
                work()
            elif self.part == "half" and half:
                half()
            raise PowerCut
        work()

    def open(self, name, mode="r"):
        if mode == "rb":
            if name not in self.files:
                raise FileNotFoundError(name)
            return io.BytesIO(self.files[name])
        return File(self, name, mode)

    def remove(self, name):
        self.does(lambda: self.files.pop(name))

    def mkdir(self, name):
        self.does(lambda: self.folders.add(name))

    def stat(self, name):
        if name in self.folders:
            return (0,) * 10
        if name not in self.files:
            raise FileNotFoundError(name)
        return (0,) * 6 + (len(self.files[name]),) + (0,) * 3


class File:
    def __init__(self, disk, name, mode):
        self.disk, self.name = disk, name
        self.data = disk.files.get(name, b"") if mode == "ab" else b""
        disk.does(self.save)

    def save(self):
        self.disk.files[self.name] = self.data

    def write(self, chunk):
        before, self.data = self.data, self.data + bytes(chunk)
        if self.disk.flavour == "at once":
            half = before + bytes(chunk[: len(chunk) // 2])
            self.disk.does(self.save, lambda: self.disk.files.update({self.name: half}))
        return len(chunk)

    def close(self):
        self.disk.does(self.save if self.disk.flavour == "at close" else lambda: None)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()


@pytest.fixture
def module(monkeypatch):
    """A function that loads the module on a Disk, as a board does after a start."""
    spec = importlib.util.spec_from_file_location("tflm_update", MODULE)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)

    def load(disk):
        names = {"remove": disk.remove, "mkdir": disk.mkdir, "stat": disk.stat}
        monkeypatch.setattr(loaded, "os", SimpleNamespace(**names))
        monkeypatch.setattr(loaded, "open", disk.open, raising=False)
        return loaded

    yield load
    assert builtins.open is open


def update(slots, model):
    slots.begin(len(model), hashlib.sha256(model).hexdigest())
    for start in range(0, len(model), CHUNK):
        slots.write(model[start : start + CHUNK])
    slots.commit()


def installed(module, *models):
    """Return the files of a disk to which *models* came, one after the other, and worked."""
    disk = Disk({}, cut=0)
    slots = module(disk).Slots(BASE)
    for model in models:
        update(slots, model)
        slots.start()
        slots.confirm()
    return disk.files


def operations(module, files, model):
    disk = Disk(files, cut=0)
    update(module(disk).Slots(BASE), model)
    return disk.done


def cuts(module, files, model):
    """Yield (files after a power cut, whether the update was complete) of each possible cut."""
    for flavour in FLAVOURS:
        whole = Disk(files, 0, flavour=flavour)
        update(module(whole).Slots(BASE), model)
        for cut in range(1, whole.done + 1):
            for part in PARTS:
                disk = Disk(files, cut, part, flavour)
                with pytest.raises(PowerCut):
                    update(module(disk).Slots(BASE), model)
                yield disk.files
        assert whole.done >= 4


def loaded(module, files):
    """Return the model that is used after a start from *files*."""
    path = module(Disk(files, cut=0)).Slots(BASE).path
    return files.get(path)


@pytest.mark.parametrize("before", [(DIGITS,), (SINE, DIGITS), (KNOCKS, SINE, DIGITS)])
def test_after_any_cut_the_old_model_or_the_new_one_is_used(before, module):
    files = installed(module, *before)
    found = [loaded(module, left) for left in cuts(module, files, KNOCKS)]
    assert set(found) == {DIGITS, KNOCKS}
    assert len(found) > 30


def test_first_model_is_there_whole_or_not_at_all(module):
    found = {loaded(module, left) for left in cuts(module, {}, SINE)}
    assert found == {None, SINE}


def test_a_second_cut_while_the_update_is_repeated_does_no_harm(module):
    files = installed(module, SINE, DIGITS)
    states = {tuple(sorted(left.items())) for left in cuts(module, files, KNOCKS)}
    assert len(states) > 10
    for state in states:
        again = dict(state)
        used = loaded(module, again)
        assert {loaded(module, left) for left in cuts(module, again, SINE)} == {used, SINE}


def test_a_cut_while_starts_are_counted_does_no_harm(module):
    files = installed(module, SINE)
    disk = Disk(files, cut=0)
    update(module(disk).Slots(BASE), DIGITS)
    for flavour in FLAVOURS:
        for part in PARTS:
            for cut in range(1, 6):
                left = Disk(disk.files, cut, part, flavour)
                try:
                    slots = module(left).Slots(BASE)
                    slots.start()
                    slots.confirm()
                except PowerCut:
                    pass
                assert loaded(module, left.files) == DIGITS


def test_a_model_that_never_works_is_left_after_three_starts(module):
    disk = Disk(installed(module, SINE), cut=0)
    update(module(disk).Slots(BASE), DIGITS)
    used = [disk.files[module(disk).Slots(BASE).start()] for _ in range(5)]
    assert used == [DIGITS] * 3 + [SINE] * 2
    slots = module(disk).Slots(BASE)
    update(slots, KNOCKS)  # in place of the one that failed
    assert disk.files[slots.start()] == KNOCKS
    slots.confirm()
    assert [disk.files[module(disk).Slots(BASE).start()] for _ in range(5)] == [KNOCKS] * 5


def test_the_model_of_the_factory_is_used_first_and_last(module):
    disk = Disk({}, cut=0)
    slots = module(disk).Slots(BASE, factory="/rom/wake.tflite", tries=1)
    assert (slots.start(), slots.checksum) == ("/rom/wake.tflite", "")
    update(slots, DIGITS)
    assert slots.checksum == hashlib.sha256(DIGITS).hexdigest()
    again = module(disk).Slots(BASE, factory="/rom/wake.tflite", tries=1)
    assert again.start() == f"{BASE}-a.tflite"
    last = module(disk).Slots(BASE, factory="/rom/wake.tflite", tries=1)
    assert last.start() == "/rom/wake.tflite"


def test_the_only_model_is_used_even_if_it_failed(module):
    disk = Disk({}, cut=0)
    update(module(disk).Slots(BASE), SINE)
    assert [disk.files[module(disk).Slots(BASE).start()] for _ in range(5)] == [SINE] * 5


def changed(model, at):
    return model[:at] + bytes([model[at] ^ 1]) + model[at + 1 :]


@pytest.mark.parametrize(
    ("sent", "promised", "wanted"),
    [
        (changed(KNOCKS, 1000), KNOCKS, "its SHA-256 is another one"),
        (KNOCKS[:-1], KNOCKS, "1 bytes are missing"),
        (KNOCKS + b"!", KNOCKS, "1 bytes more than the size"),
        (b"<html>404</html>", b"<html>404</html>", "no .tflite file"),
    ],
)
def test_wrong_bytes_are_refused_and_the_old_model_stays(sent, promised, wanted, module):
    disk = Disk(installed(module, SINE), cut=0)
    slots = module(disk).Slots(BASE)
    slots.begin(len(promised), hashlib.sha256(promised).digest())
    with pytest.raises(ValueError, match=wanted):
        for start in range(0, len(sent), CHUNK):
            slots.write(sent[start : start + CHUNK])
        slots.commit()
    assert disk.files[slots.path] == loaded(module, disk.files) == SINE


def test_a_check_of_the_program_can_refuse_the_model(module):
    def check(path):
        raise ValueError(f"{path} is another model")

    disk = Disk(installed(module, SINE), cut=0)
    slots = module(disk).Slots(BASE)
    slots.begin(len(DIGITS), hashlib.sha256(DIGITS).hexdigest())
    slots.write(DIGITS)
    with pytest.raises(ValueError, match="wake-b.tflite is another model"):
        slots.commit(check)
    assert loaded(module, disk.files) == SINE


@pytest.mark.parametrize("kind", ["tflite", "ok"])
def test_a_slot_that_rots_is_not_used(kind, module):
    disk = Disk(installed(module, SINE, DIGITS), cut=0)
    name = f"{BASE}-b.{kind}"
    whole = disk.files[name]
    for at in range(0, len(whole), max(1, len(whole) // 50)):
        disk.files[name] = changed(whole, at)
        assert loaded(module, disk.files) == SINE
    disk.files[name] = whole
    assert loaded(module, disk.files) == DIGITS


@pytest.mark.parametrize("checksum", ["", "00" * 31, b"short"])
def test_what_is_no_checksum_is_refused_before_anything_is_removed(checksum, module):
    disk = Disk(installed(module, SINE, DIGITS), cut=0)
    before = dict(disk.files)
    with pytest.raises(ValueError, match="a SHA-256 of 64 hex digits expected"):
        module(disk).Slots(BASE).begin(len(KNOCKS), checksum)
    assert disk.files == before


def test_calls_in_a_wrong_order_say_what_comes_first(module):
    slots = module(Disk({}, cut=0)).Slots(BASE)
    for call in (lambda: slots.write(b"x"), slots.commit):
        with pytest.raises(ValueError, match="begin"):
            call()
