"""MicroPython's source where Debian has none to offer: upstream's tag; and what to do without it.

A repository of this test stands in for upstream: git is told to find it at upstream's address.
"""

import os
import shutil
import subprocess

import pytest

from tflm_host.places import ROOT

VERSION = "1.25.0"
FOLDER = f"micropython-{VERSION}"
UPSTREAM = "https://github.com/"
LIBRARIES = ("pico-sdk", "tinyusb", "mbedtls")
RADIO = ("cyw43-driver", "lwip", "btstack", "micropython-lib")
COMMIT = "UPSTREAM_COMMIT="


class Machine:
    """A machine without Debian's archive, with a cache of its own and copies of the scripts."""

    def __init__(self, folder):
        self.cache, self.scripts, self.upstream = (
            folder / name for name in ("cache", "scripts", "upstream")
        )
        shutil.copytree(ROOT / "scripts", self.scripts)
        programs = folder / "bin"
        programs.mkdir()
        (programs / "apt-get").write_text("#!/bin/sh\nexit 100\n")
        (programs / "apt-get").chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "TFLM_CACHE": str(self.cache),
            **settings_of_git(
                ("protocol.file.allow", "always"),
                (f"url.file://{self.upstream}/.insteadOf", UPSTREAM),
                ("user.name", "upstream"),
                ("user.email", "upstream@localhost"),
                ("init.defaultBranch", "master"),
            ),
        }
        self.environment.pop("MICROPYTHON_DIR", None)

    def run(self, *command, **environment):
        return subprocess.run(
            list(map(str, command)),
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def git(self, *arguments):
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def publish(self, name, files, modules=()):
        """Make the repository *name* of upstream; return its commit."""
        folder = self.upstream / f"{name}.git"
        self.git("init", "--quiet", folder)
        for file in files:
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file)
        for module in modules:
            address = f"{UPSTREAM}libraries/{module}.git"
            self.git("-C", folder, "submodule", "--quiet", "add", address, f"lib/{module}")
        self.git("-C", folder, "add", ".")
        self.git("-C", folder, "commit", "--quiet", "-m", name)
        self.git("-C", folder, "tag", f"v{VERSION}")
        return self.git("-C", folder, "rev-parse", "HEAD")

    def publish_all(self):
        for library in LIBRARIES + RADIO:
            self.publish(f"libraries/{library}", ["README.md"])
        files = ["py/mpconfig.h"]
        return self.publish("micropython/micropython", files, LIBRARIES + RADIO)

    def pin(self, commit):
        """Let the script trust *commit* instead of upstream's own."""
        script = self.scripts / "fetch_micropython.sh"
        lines = script.read_text().splitlines()
        assert sum(line.startswith(COMMIT) for line in lines) == 1
        lines = [COMMIT + commit if line.startswith(COMMIT) else line for line in lines]
        script.write_text("\n".join(lines) + "\n")

    def fetch(self, **environment):
        return self.run(self.scripts / "fetch_micropython.sh", **environment)

    def fetch_libraries(self, board):
        return self.run(self.scripts / "fetch_rp2_libraries.sh", self.cache / FOLDER, board)


def settings_of_git(*settings):
    """Return the environment that gives git these (name, value)."""
    environment = {"GIT_CONFIG_COUNT": str(len(settings))}
    for i, (name, value) in enumerate(settings):
        environment |= {f"GIT_CONFIG_KEY_{i}": name, f"GIT_CONFIG_VALUE_{i}": value}
    return environment


@pytest.fixture
def machine(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return Machine(tmp_path)


def test_fetch_without_debian_takes_upstreams_tag(machine):
    machine.pin(machine.publish_all())
    done = machine.fetch()
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{machine.cache / FOLDER}\n"
    assert "with git" in done.stderr
    assert (machine.cache / FOLDER / "py" / "mpconfig.h").read_text() == "py/mpconfig.h"
    assert os.listdir(machine.cache) == [FOLDER]
    shutil.rmtree(machine.upstream)  # the next clone finds it in the cache
    again = machine.fetch()
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")


@pytest.mark.parametrize(
    ("board", "libraries"), [("RPI_PICO", LIBRARIES), ("RPI_PICO_W", LIBRARIES + RADIO)]
)
def test_libraries_of_upstreams_tag_are_its_submodules(machine, board, libraries):
    machine.pin(machine.publish_all())
    assert machine.fetch().returncode == 0
    done = machine.fetch_libraries(board)
    assert done.returncode == 0, done.stderr
    there = {path.parent.name for path in (machine.cache / FOLDER / "lib").glob("*/README.md")}
    assert there == set(libraries)
    again = machine.fetch_libraries(board)
    assert (again.returncode, again.stderr) == (0, "")


def test_fetch_tag_that_was_moved_is_refused(machine):
    commit = machine.publish_all()
    done = machine.fetch()
    assert done.returncode == 1
    assert f"error: upstream's tag v{VERSION} is not commit " in done.stderr
    assert commit not in done.stderr
    assert os.listdir(machine.cache) == []


def test_fetch_neither_with_apt_nor_with_git_says_what_to_do(machine):
    done = machine.fetch()
    assert done.returncode == 1
    assert f"found MicroPython {VERSION} neither with apt nor with git" in done.stderr
    assert f"set MICROPYTHON_DIR to a checkout of v{VERSION}" in done.stderr
    assert os.listdir(machine.cache) == []


def test_fetch_named_folder_is_used_as_it_is_or_refused(machine, tmp_path):
    done = machine.fetch(MICROPYTHON_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"error: MICROPYTHON_DIR={tmp_path} holds no MicroPython source\n"
    machine.publish_all()
    folder = machine.upstream / "micropython" / "micropython.git"
    done = machine.fetch(MICROPYTHON_DIR=str(folder))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{folder}\n", "")
    assert not machine.cache.exists()
