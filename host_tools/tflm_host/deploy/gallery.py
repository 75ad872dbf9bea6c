"""Models of others that people can fetch by name, with their licences and checksums.

gallery.json names a fixed commit of each source, so that a file cannot change. The cache keeps
each file under its checksum.
"""

import hashlib
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from ..model.files import InputError, write_file
from ..places import CACHE, PACKAGE
from ..targets.meant import meant

INDEX = PACKAGE / "deploy" / "gallery.json"
KEPT = CACHE / "gallery"
SECONDS = 30  # without a byte from the server
CHUNK = 16384
LARGEST = 64 << 20  # bytes that an index may promise
KEYS = {"name": str, "url": str, "bytes": int, "sha256": str}


@dataclass(frozen=True)
class File:
    """One file of an entry: its name here, where it is, its size and checksum."""

    name: str
    url: str
    nbytes: int
    sha256: str

    @property
    def kept(self):
        """The path of this file in the cache."""
        return KEPT / self.sha256

    def is_right(self, data):
        return len(data) == self.nbytes and hashlib.sha256(data).hexdigest() == self.sha256


@dataclass(frozen=True)
class Entry:
    """A model, and the files that it consists of."""

    name: str
    task: str
    licence: str
    files: tuple

    @property
    def nbytes(self):
        return sum(file.nbytes for file in self.files)

    @property
    def source(self):
        """The URL of the model, with the commit."""
        return self.files[0].url


def entries(path=INDEX):
    """Return {name: Entry} of the index at *path*.

    Raises InputError that names the entry and the key that is missing or of another type.
    """
    try:
        listed = json.loads(Path(path).read_text())
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error})") from None
    if not isinstance(listed, dict):
        raise InputError(f"{path}: an object of names is needed, not {type(listed).__name__}")
    return {name: _entry(path, name, fields) for name, fields in listed.items()}


def _entry(path, name, fields):
    where = f"{path}: entry {name!r}"
    if not isinstance(fields, dict):
        raise InputError(f"{where}: an object is needed, not {type(fields).__name__}")
    for key, kind in (("task", str), ("licence", str), ("files", list)):
        if not isinstance(fields.get(key), kind):
            raise InputError(f"{where}: {key} must be a {kind.__name__}")
    if not fields["files"]:
        raise InputError(f"{where}: files is empty")
    files = tuple(_file(where, file) for file in fields["files"])
    return Entry(name, fields["task"], fields["licence"], files)


def _file(where, fields):
    for key, kind in KEYS.items():
        if not isinstance(fields, dict) or type(fields.get(key)) is not kind:
            raise InputError(f"{where}: {key} of a file must be a {kind.__name__}")
    name, nbytes, digest = fields["name"], fields["bytes"], fields["sha256"]
    if not name or name != Path(name).name or name.startswith(".") or "\\" in name or ":" in name:
        raise InputError(f"{where}: {name!r} is not the name of a file")
    if not 0 < nbytes <= LARGEST:
        raise InputError(f"{where}: bytes is {nbytes:,}, and 1 to {LARGEST:,} are possible")
    if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise InputError(f"{where}: sha256 must be 64 hexadecimal digits, not {digest!r}")
    if not fields["url"].startswith(("https://", "http://")):
        raise InputError(f"{where}: url must begin with https://, not {fields['url']!r}")
    return File(name, fields["url"], nbytes, digest)


def labels(path=INDEX):
    """Return {SHA-256 of a model: the names of its classes}, of models whose names are known."""
    listed = json.loads(Path(path).read_text()).values()
    return {entry["files"][0]["sha256"]: entry["labels"] for entry in listed if "labels" in entry}


def samples(path=INDEX):
    """Return {SHA-256 of a model: the name of the .pgm file in examples/ that is an input}."""
    listed = json.loads(Path(path).read_text()).values()
    return {entry["files"][0]["sha256"]: entry["sample"] for entry in listed if "sample" in entry}


def find(name, index):
    """Return the Entry *name* of *index*; InputError names the nearest one."""
    if name not in index:
        known = ", ".join(index)
        raise InputError(
            f"no model of the gallery is called {name!r}.{meant(name, index)} There are {known}"
        )
    return index[name]


def fetch(file, advance):
    """Return the bytes of a File from the cache or from its URL, and keep them.

    Calls *advance* with the number of bytes that came. Raises InputError if nothing can be
    fetched, or if other bytes come than the index promises.
    """
    if file.kept.is_file():
        data = file.kept.read_bytes()
        if file.is_right(data):
            return data
    data = _download(file, advance)
    if not file.is_right(data):
        found = hashlib.sha256(data).hexdigest()
        raise InputError(
            f"{file.url} gave other bytes than the index promises: {len(data):,} bytes with "
            f"SHA-256 {found}, expected {file.nbytes:,} with {file.sha256}. Nothing was written"
        )
    file.kept.parent.mkdir(parents=True, exist_ok=True)
    write_file(file.kept, data)
    return data


def _download(file, advance):
    data = bytearray()
    try:
        with urllib.request.urlopen(file.url, timeout=SECONDS) as answer:
            while len(data) <= file.nbytes and (chunk := answer.read(CHUNK)):
                data += chunk
                advance(len(chunk))
    except urllib.error.HTTPError as error:
        raise InputError(f"{file.url}: the server says {error.code} {error.reason}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise InputError(
            f"{file.url} cannot be fetched: {reason}. Check the connection, or fetch that file "
            f"elsewhere and copy it to {file.kept}"
        ) from None
    return bytes(data)


def save(entry, folder, contents):
    """Write the files of *entry*, whose bytes are *contents*, to *folder*; return their paths.

    Raises InputError before anything is written if a file of that name has other bytes.
    """
    paths = [Path(folder) / file.name for file in entry.files]
    for path, data in zip(paths, contents, strict=True):
        if path.exists() and (not path.is_file() or path.read_bytes() != data):
            raise InputError(f"{path} is there with other contents. Nothing was written")
    for path, data in zip(paths, contents, strict=True):
        if not path.exists():
            write_file(path, data)
    return paths
