#!/usr/bin/env bash
# Unpack the MicroPython source that everything here is built from, and print its folder.
#
# Where it comes from, first match wins:
#   MICROPYTHON_DIR   a checkout of v1.25 to v1.29 with submodules: used as it is
#   the cache         ${TFLM_CACHE:-~/.cache/tflm}/micropython-$VERSION, left by an earlier run
#   apt               Debian trixie's source package, through this machine's own Debian mirror
#   git               upstream's tag, where the network allows
# The tarball of the source package is pinned by its sha256, upstream's tag by its commit.
set -euo pipefail

VERSION=1.25.0
DEBIAN_VERSION=$VERSION+ds-1
TARBALL=micropython_$VERSION+ds.orig.tar.xz
TARBALL_SHA256=7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea
UPSTREAM=https://github.com/micropython/micropython.git
UPSTREAM_COMMIT=f498a16c7db6d4b2de200b3e0856528dfe0613c3

cache=${TFLM_CACHE:-$HOME/.cache/tflm}
source_dir=$cache/micropython-$VERSION

say() { echo "$*" >&2; }

. "$(dirname "$0")/trixie.sh"

fetch_with_apt() {
    open_trixie || return 1
    say "fetching MicroPython $DEBIAN_VERSION with apt"
    (cd "$cache" && trixie source --download-only "micropython=$DEBIAN_VERSION") || return 1
    close_trixie
    rm -f "$cache/micropython_$DEBIAN_VERSION".*
}

# The pinned tarball -> $1. Debian's patches are left out: they concern its own packaging.
unpack_tarball() {
    echo "$TARBALL_SHA256  $cache/$TARBALL" | sha256sum --check --quiet - >&2 || {
        say "error: $cache/$TARBALL is not the file that this project was tested with"
        exit 1
    }
    mkdir -p "$1"
    tar -xJf "$cache/$TARBALL" -C "$1" --strip-components=1
}

fetch_with_git() {
    say "fetching MicroPython v$VERSION with git"
    git -c advice.detachedHead=false clone --quiet --depth 1 --branch "v$VERSION" \
        "$UPSTREAM" "$1" >&2 || return 1
    [ "$(git -C "$1" rev-parse HEAD)" = "$UPSTREAM_COMMIT" ] || {
        say "error: upstream's tag v$VERSION is not commit $UPSTREAM_COMMIT"
        exit 1
    }
}

if [ -n "${MICROPYTHON_DIR:-}" ]; then
    [ -f "$MICROPYTHON_DIR/py/mpconfig.h" ] || {
        say "error: MICROPYTHON_DIR=$MICROPYTHON_DIR holds no MicroPython source"
        exit 1
    }
    (cd "$MICROPYTHON_DIR" && pwd)
    exit
fi

if [ ! -f "$source_dir/py/mpconfig.h" ]; then
    mkdir -p "$cache"
    unpacked=$source_dir.$$
    trap 'rm -rf "$unpacked"' EXIT
    if [ -f "$cache/$TARBALL" ] || fetch_with_apt; then
        unpack_tarball "$unpacked"
    elif ! fetch_with_git "$unpacked"; then
        say "error: found MicroPython $VERSION neither with apt nor with git:" \
            "set MICROPYTHON_DIR to a checkout of v$VERSION"
        exit 1
    fi
    mv -T "$unpacked" "$source_dir" 2>/dev/null || [ -f "$source_dir/py/mpconfig.h" ]
fi
echo "$source_dir"
