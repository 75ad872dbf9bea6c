"""`tflm get`: models from a server of this machine, checked, kept, and never over a file."""

import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.cli import docs_tables
from tflm_host.deploy import gallery
from tflm_host.model.files import InputError
from tflm_host.places import ROOT

MODEL = (ROOT / "models" / "sine.tflite").read_bytes()
FACTS = b'{"wake_word": "sine"}\n'


class Server(ThreadingHTTPServer):
    """Serves `pages`, {path: bytes}; `asked` lists the paths that were asked for."""

    def __init__(self):
        self.pages, self.asked = {"/sine.tflite": MODEL, "/sine.json": FACTS}, []
        super().__init__(("127.0.0.1", 0), Handler)

    def url(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        page = self.server.pages.get(self.path)
        self.send_response(200 if page is not None else 404)
        self.end_headers()
        self.wfile.write(page or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "KEPT", tmp_path / "cache")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def listed(server, **changes):
    """Return an index with one model of two files; *changes* are made to the first file."""
    files = []
    for name, data in (("sine.tflite", MODEL), ("sine.json", FACTS)):
        digest = hashlib.sha256(data).hexdigest()
        url = server.url(f"/{name}")
        files.append({"name": name, "url": url, "bytes": len(data), "sha256": digest})
    files[0].update(changes)
    return {"sine": {"task": "computes a sine", "licence": "MIT", "files": files}}


def get(tmp_path, index, *arguments):
    path = tmp_path / "index.json"
    path.write_text(index if isinstance(index, str) else json.dumps(index))
    (tmp_path / "out").mkdir(exist_ok=True)
    given = ["get", *arguments, "--index", str(path), "-o", str(tmp_path / "out")]
    return CliRunner().invoke(main, given)


def test_files_are_fetched_checked_and_kept(server, tmp_path):
    done = get(tmp_path, listed(server), "sine")
    assert done.exit_code == 0, done.output
    assert "sine.tflite: 3,328 bytes, checked" in done.stdout
    assert "computes a sine; licence MIT" in done.stdout
    assert (tmp_path / "out" / "sine.tflite").read_bytes() == MODEL
    assert (tmp_path / "out" / "sine.json").read_bytes() == FACTS
    assert server.asked == ["/sine.tflite", "/sine.json"]
    (tmp_path / "out" / "sine.tflite").unlink()
    assert get(tmp_path, listed(server), "sine").exit_code == 0  # beside sine.json, from the cache
    assert (tmp_path / "out" / "sine.tflite").read_bytes() == MODEL
    assert len(server.asked) == 2


def test_damaged_file_of_the_cache_is_fetched_again(server, tmp_path):
    assert get(tmp_path, listed(server), "sine").exit_code == 0
    kept = tmp_path / "cache" / hashlib.sha256(MODEL).hexdigest()
    kept.write_bytes(MODEL[:-1])
    assert get(tmp_path, listed(server), "sine").exit_code == 0
    assert kept.read_bytes() == MODEL
    assert server.asked.count("/sine.tflite") == 2


@pytest.mark.parametrize(
    "page",
    [b"<html>please log in", MODEL[:-1], MODEL + b"\0", MODEL[:-1] + b"\1", MODEL * 50],
    ids=["page", "cut", "one more", "changed", "endless"],
)
def test_other_bytes_than_promised_are_refused_and_nothing_is_written(server, tmp_path, page):
    server.pages["/sine.tflite"] = page
    done = get(tmp_path, listed(server), "sine")
    assert done.exit_code == 1
    assert "gave other bytes than the index promises" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []
    assert not (tmp_path / "cache").exists()


def test_missing_page_and_closed_server_say_what_to_do(server, tmp_path):
    done = get(tmp_path, listed(server, url=server.url("/gone.tflite")), "sine")
    assert (done.exit_code, "gone.tflite: the server says 404" in done.stderr) == (1, True)
    done = get(tmp_path, listed(server, url="http://127.0.0.1:1/sine.tflite"), "sine")
    assert done.exit_code == 1
    assert "http://127.0.0.1:1/sine.tflite cannot be fetched" in done.stderr
    place = re.search(r"copy it to (\S+)", done.stderr)[1]
    (tmp_path / "cache").mkdir(exist_ok=True)
    with open(place, "wb") as file:  # what the message says
        file.write(MODEL)
    done = get(tmp_path, listed(server, url="http://127.0.0.1:1/sine.tflite"), "sine")
    assert done.exit_code == 0, done.output


def test_file_with_other_contents_stays_and_nothing_is_written(server, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sine.json").write_text("mine")
    done = get(tmp_path, listed(server), "sine")
    assert done.exit_code == 1
    assert "sine.json is there with other contents. Nothing was written" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["sine.json"]
    assert (tmp_path / "out" / "sine.json").read_text() == "mine"


def test_mistyped_name_gets_the_nearest(server, tmp_path):
    done = get(tmp_path, listed(server), "sin")
    assert (done.exit_code, "Did you mean sine?" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "../sine.tflite"}, "'../sine.tflite' is not the name of a file"),
        ({"name": "..\\sine.tflite"}, "is not the name of a file"),
        ({"name": ".bashrc"}, "'.bashrc' is not the name of a file"),
        ({"name": ""}, "'' is not the name of a file"),
        ({"bytes": 0}, "bytes is 0, and 1 to 67,108,864 are possible"),
        ({"bytes": True}, "bytes of a file must be a int"),
        ({"bytes": 1 << 40}, "bytes is 1,099,511,627,776"),
        ({"sha256": "12"}, "sha256 must be 64 hexadecimal digits, not '12'"),
        ({"url": "file:///etc/passwd"}, "url must begin with https://, not 'file:///etc/passwd'"),
        ({"url": None}, "url of a file must be a str"),
    ],
)
def test_wrong_entry_of_an_index_is_named(server, tmp_path, changes, says):
    done = get(tmp_path, listed(server, **changes), "sine")
    assert (done.exit_code, says in done.stderr) == (1, True), done.stderr
    assert "entry 'sine'" in done.stderr
    assert server.asked == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no JSON"),
        ("[]", "an object of names is needed, not list"),
        ('{"a": 1}', "entry 'a': an object is needed, not int"),
        ('{"a": {"task": "", "licence": ""}}', "entry 'a': files must be a list"),
        ('{"a": {"task": "", "licence": "", "files": []}}', "entry 'a': files is empty"),
        ('{"a": {"task": "", "licence": "", "files": [1]}}', "name of a file must be a str"),
    ],
)
def test_wrong_index_is_named(tmp_path, text, says):
    done = get(tmp_path, text, "a")
    assert (done.exit_code, says in done.stderr) == (1, True), done.stderr


def test_models_of_the_gallery_have_fixed_commits_and_figures():
    known = gallery.entries()
    assert len(known) >= 10
    for entry in known.values():
        for file in entry.files:
            assert re.search(r"^https://[^/]+/[^/]+/[^/]+/[0-9a-f]{40}/", file.url), file.url
        assert entry.files[0].name.endswith(".tflite")
    figures = {row["model"]: row for row in docs_tables._read("gallery.csv")}
    assert list(figures) == list(known)
    for name, row in figures.items():
        assert int(row["bytes"]) == known[name].files[0].nbytes
        assert int(row["prepared"]) <= int(row["arena"])
    assert all(f"`{name}`" in docs_tables.gallery() for name in known)


def test_list_names_every_model():
    done = CliRunner().invoke(main, ["get"])
    assert all(f"{name} " in done.stdout for name in gallery.entries())
    done = CliRunner().invoke(main, ["get", "--json"])
    models = json.loads(done.stdout)["models"]
    assert [model["name"] for model in models] == list(gallery.entries())
    with pytest.raises(InputError, match="no model of the gallery"):
        gallery.find("nothing", gallery.entries())
