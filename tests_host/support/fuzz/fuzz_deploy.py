"""`tflm deploy` cut off at every block that it writes: on a disk in RAM, and in a Pico's flash.

The last block is torn: half of it is written. What is then found is the old model or the new one,
whole, or none; and the next deploy works.
"""

import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

from support.fuzz.fuzz_workers import Report
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError

OLD, NEW = (ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn"))
NAME = "model.tflite"
RAM_DISK = Path(__file__).parents[1] / "device" / "ram_disk.py"
PICO = "RPI_PICO"
BOOT_SECONDS = 30

# After `cut(n)`, n more blocks are written, half of one, and then nothing any more. A disk that
# does not replace files is like FAT.
CUT_DISK = """
left = 1 << 30
replaces = True
def cut(blocks):
    global left
    left = blocks
def use():
    global left
    if left < 0:
        raise OSError(5)
    left -= 1
    return left >= 0
def write(self, data):
    for start in range(0, len(data), BLOCK):
        whole = use()
        self.content.extend(data[start:start + (BLOCK if whole else BLOCK // 2)])
        if not whole:
            raise OSError(5)
    return len(data)
def cut_before(function):
    def wrapped(self, *args):
        if not use():
            raise OSError(5)
        return function(self, *args)
    return wrapped
def rename(self, old, new):
    if not replaces and new.strip("/") in self.entries:
        raise OSError(errno.EEXIST)
    plain_rename(self, old, new)
plain_rename = RamDisk.rename
RamFile.write = write
RamDisk.rename = cut_before(rename)
RamDisk.remove = cut_before(RamDisk.remove)
"""
DIGEST = """
import os
from hashlib import sha256
from binascii import hexlify
for name in os.listdir(FOLDER):
    if name == "model.tflite":
        with open(FOLDER + "/" + name, "rb") as file:
            print(hexlify(sha256(file.read()).digest()).decode())
"""

# The same for a flash of blocks, as deploy_device.Rom sees it.
CUT_FLASH = """
class Cut:
    def __init__(self, device, left):
        self.device = device
        self.left = left
    def use(self):
        if self.left < 0:
            raise OSError(5)
        self.left -= 1
        return self.left >= 0
    def ioctl(self, what, argument):
        if what == 6 and not self.use():
            raise OSError(5)
        return self.device.ioctl(what, argument)
    def writeblocks(self, block, data, offset):
        whole = self.use()
        size = len(data) if whole else len(data) // 2 & -256
        if size:
            self.device.writeblocks(block, data[:size], offset)
        if not whole:
            raise OSError(5)
rom.device = Cut(rom.device, LEFT)
"""


def cut_at_every_block(first, count, targets=("ram", "ram-fat", "pico")):
    """Cut at block *first*, first + 1, ... on each target, *count* times at most."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        paths = _named(Path(folder))
        for kind in targets:
            sweep = _sweep_pico if kind == "pico" else _sweep_disk
            report.add(sweep(kind, paths, range(first, first + count)))
    return report


def _named(folder):
    """Return the old and the new model as files of one name."""
    paths = []
    for source in (OLD, NEW):
        path = folder / source.stem / NAME
        path.parent.mkdir()
        shutil.copy(source, path)
        paths.append(path)
    return paths


def _digest(path):
    return sha256(path.read_bytes()).hexdigest()


def _sweep_disk(kind, paths, blocks):
    report = Report()
    with open_target("unix") as target:
        target.run_file(RAM_DISK)
        target.exec(CUT_DISK + f"replaces = {kind == 'ram'}")
        for block in blocks:
            target.exec("cut(1 << 30)")
            _deploy(target, paths[0], "/ram")
            was_cut = _deploy(target, paths[1], "/ram", f"cut({block})")
            target.exec("cut(1 << 30)")
            found = target.exec(DIGEST.replace("FOLDER", "'/ram'")).split()
            _judge(report, kind, block, found, paths, kind == "ram")
            _deploy(target, paths[1], "/ram", again=True)
            if not was_cut:
                break
    return report


def _sweep_pico(kind, paths, blocks):
    report = Report()
    with open_target(PICO) as target:
        for block in blocks:
            _deploy(target, paths[0], "", again=True)
            was_cut = _deploy(target, paths[1], "", CUT_FLASH.replace("LEFT", str(block)))
            _reset(target)
            code = "import os\nprint('rom' in os.listdir('/'))"
            there = target.exec(code) == "True\n"
            found = target.exec(DIGEST.replace("FOLDER", "'/rom'")).split() if there else []
            _judge(report, kind, block, found, paths, False)
            if not was_cut:
                break
    return report


def _reset(target):
    try:
        target.exec("import machine\nmachine.reset()", 2)
    except TargetError:
        target.repl.enter(BOOT_SECONDS)


def _deploy(target, path, folder, cut="", again=False):
    """Deploy *path*; return whether that was cut. *again*: prove it, too."""
    plan = Plan(target, [path], folder)
    target.exec(cut)
    try:
        plan.write()
    except DeployError:
        if again:
            raise
        return True
    if again:
        plan.prove()
    return False


def _judge(report, kind, block, found, paths, keeps):
    report.outcomes[f"{kind} cuts"] += 1
    known = [_digest(path) for path in paths]
    if any(digest not in known for digest in found):
        report.findings.append((block, f"{kind}: a model that is neither the old nor the new one"))
    if keeps and not found:
        report.findings.append((block, f"{kind}: neither the old nor the new model is there"))
