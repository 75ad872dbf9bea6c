"""What the Pico needs of others comes from Debian, also after Debian replaced a part of it."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tflm_host.places import ROOT

SCRIPT = ROOT / "scripts" / "fetch_rp2_libraries.sh"
CACHE = Path(os.environ.get("TFLM_CACHE", Path.home() / ".cache" / "tflm"))
PINNED = "mbedtls_3.6.6.orig.tar.bz2"

# An archive that has mbedtls as tarball $OFFERED alone, and says no to any version in particular.
APT_GET = """#!/bin/sh
for word; do
    case $word in
        mbedtls=*) echo "E: Version '$word' was not found" >&2; exit 100 ;;
        mbedtls) [ -n "$OFFERED" ] || exit 100; cp "$OFFERED" .; touch mbedtls_9-1.dsc ;;
    esac
done
"""


@pytest.fixture
def fetch(tmp_path):
    """Call the script with an empty cache but for the packages that the archive still has."""
    packages = sorted(CACHE.glob("*-source_*_all.deb"))
    if len(packages) != 2 or shutil.which("dpkg-deb") is None:
        pytest.skip("no packages of the Pico's libraries in the cache: build RPI_PICO first")
    programs, cache, source = (tmp_path / name for name in ("bin", "cache", "source"))
    for folder in (programs, cache, source):
        folder.mkdir()
    for package in packages:
        (cache / package.name).symlink_to(package)
    (programs / "apt-get").write_text(APT_GET)
    (programs / "apt-get").chmod(0o755)

    def run(offered):
        environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "TFLM_CACHE": str(cache),
            "OFFERED": str(offered or ""),
        }
        environment.pop("MICROPYTHON_DIR", None)
        command = [SCRIPT, source, "RPI_PICO"]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )

    run.cache, run.lib = cache, source / "lib"
    return run


def tarball(path):
    """Make a tarball with one file in a folder, whose contents are the tarball's name."""
    (path.parent / "version.txt").write_text(path.name)
    with tarfile.open(path, "w:bz2") as tar:
        tar.add(path.parent / "version.txt", "mbedtls-9/version.txt")
    return path


def test_fetch_pinned_version_gone_takes_the_one_in_its_place(fetch, tmp_path):
    done = fetch(tarball(tmp_path / "mbedtls_3.6.10.orig.tar.bz2"))
    assert done.returncode == 0, done.stderr
    assert "mbedtls 3.6.6-0.1~deb13u1 is gone: taking what Debian has in its place" in done.stderr
    assert (fetch.lib / "mbedtls" / "version.txt").read_text() == "mbedtls_3.6.10.orig.tar.bz2"
    assert (fetch.lib / "tinyusb" / "src" / "tusb.h").exists()
    assert not list(fetch.cache.glob("*.dsc"))
    shutil.rmtree(fetch.lib)  # the next clone finds it in the cache
    assert fetch(None).returncode == 0
    assert (fetch.lib / "mbedtls" / "version.txt").exists()


def test_fetch_other_series_is_refused(fetch, tmp_path):
    done = fetch(tarball(tmp_path / "mbedtls_4.0.0.orig.tar.bz2"))
    assert done.returncode == 1
    assert "does not hold the files that this project was tested with" in done.stderr


def test_fetch_pinned_name_with_other_contents_is_refused(fetch, tmp_path):
    done = fetch(tarball(tmp_path / PINNED))
    assert done.returncode == 1
    assert "does not hold the files that this project was tested with" in done.stderr


def test_fetch_nothing_offered_says_what_to_do(fetch):
    done = fetch(None)
    assert done.returncode == 1
    assert "do not come with apt: set MICROPYTHON_DIR" in done.stderr
