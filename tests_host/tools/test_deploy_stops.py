"""`tflm deploy` to files, stopped at each rename and remove: what it says is there is there.

The board is this process: deploy_device.py renames and removes files of a folder of ours.
"""

import errno
import os

import pytest

from support.device.local_board import LocalBoard
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.places import ROOT

NAMES = "sine.tflite", "digits_cnn.tflite", "digits_ds_cnn.tflite"
OLD = b"what was there before"
MOST = 12  # renames and removes of one deploy, and more


class Stop:
    """Stops at call *number* of os.rename and os.remove: before it, or behind it.

    replaces  False: files are not replaced by os.rename, as on some filesystems
    """

    def __init__(self, monkeypatch, number, is_before, raises, replaces):
        self.left = number
        self.was_reached = False
        plain = {name: getattr(os, name) for name in ("rename", "remove")}

        def call(name, *paths):
            if name == "rename" and not replaces and os.path.exists(paths[1]):
                if is_before:
                    self.count(raises)
                raise OSError(errno.EEXIST, "exists")
            if is_before:
                self.count(raises)
            plain[name](*paths)
            if not is_before:
                self.count(raises)

        for name in plain:
            monkeypatch.setattr(os, name, lambda *paths, name=name: call(name, *paths))

    def count(self, raises):
        self.left -= 1
        if self.left == -1:
            self.was_reached = True
            raise raises


def state_of(folder, name):
    path = folder / name
    if not path.exists():
        return "missing"
    data = path.read_bytes()
    return "as before" if data == OLD else "new" if data == wanted(name) else "damaged"


def wanted(name):
    return (ROOT / "models" / name).read_bytes()


def check_message(text, folder):
    """Compare what the error says with what is there."""
    found = {name: state_of(folder, name) for name in NAMES}
    if "is still there" in text:
        assert set(found.values()) == {"as before"}
        return
    said = {}
    for part in text.partition(f"in {folder} ")[2].partition("; deploy again")[0].split("; "):
        if part.startswith("new are "):
            said.update(dict.fromkeys(part[8:].split(", "), ("new",)))
        elif part.startswith("as before are "):
            said.update(dict.fromkeys(part[14:].split(", "), ("as before",)))
        else:
            name, _, rest = part.partition(" may be ")
            assert rest == "new, as before or missing"
            said[name] = ("new", "as before", "missing")
    assert set(said) == set(NAMES), text
    for name, states in said.items():
        assert found[name] in states, text


@pytest.mark.slow
@pytest.mark.parametrize("replaces", [True, False], ids=["replaces", "as FAT"])
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "behind"])
@pytest.mark.parametrize(
    "raises", [KeyboardInterrupt(), OSError(errno.EIO, "the flash failed")], ids=["Ctrl-C", "EIO"]
)
def test_what_a_stopped_deploy_says_is_true(tmp_path, replaces, is_before, raises):
    paths = [ROOT / "models" / name for name in NAMES]
    stopped = 0
    with pytest.MonkeyPatch.context() as outer:
        board = LocalBoard("board")
        try:
            plan = Plan(board, paths, str(tmp_path))
            for number in range(MOST):
                for name in NAMES:
                    (tmp_path / name).write_bytes(OLD)
                with outer.context() as patch:
                    stop = Stop(patch, number, is_before, raises, replaces)
                    try:
                        plan.write()
                    except DeployError as error:
                        assert stop.was_reached
                        check_message(str(error), tmp_path)
                        stopped += 1
                        continue
                assert not stop.was_reached
                break
            again = Plan(board, paths, str(tmp_path))
            again.write()
            assert len(again.prove()) == len(NAMES)
        finally:
            board.close()
    assert {state_of(tmp_path, name) for name in NAMES} == {"new"}
    # For each file, where nothing is replaced: a rename that fails, a remove, a rename.
    assert stopped == len(NAMES) * (1 if replaces else 3 if is_before else 2)


@pytest.mark.parametrize("code", [errno.EIO, errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_old_file_stays_where_rename_fails_of_another_cause(tmp_path, monkeypatch, code):
    (tmp_path / NAMES[0]).write_bytes(OLD)
    board = LocalBoard("board")
    try:
        plan = Plan(board, [ROOT / "models" / NAMES[0]], str(tmp_path))

        def fail(*_paths):
            raise OSError(code, "no")

        monkeypatch.setattr(os, "rename", fail)
        with pytest.raises(DeployError, match="writing failed"):
            plan.write()
    finally:
        board.close()
    assert (tmp_path / NAMES[0]).read_bytes() == OLD
