#!/usr/bin/env bash
# Unpack the MicroPython source that everything here is built from, and print its folder.
#
# Where it comes from, first match wins:
#   MICROPYTHON_DIR   a checkout of v1.25 or newer with submodules: used as it is
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

# The first Debian mirror that this machine is set up to use, security archives left out.
debian_mirror() {
    {
        sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null || true
        sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' \
            /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
    } | tr ' ' '\n' | grep -E '/debian/?$' | head -n 1 || true
}

# apt-get with its own sources, lists and cache: the system's configuration stays as it is.
private_apt() {
    apt-get -qq \
        -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::SourceList="$apt_dir/trixie.sources" \
        -o Dir::State="$apt_dir" -o Dir::State::Lists="$apt_dir/lists" \
        -o Dir::Cache="$apt_dir/cache" -o APT::Sandbox::User="$(id -un)" \
        -o Debug::NoLocking=1 "$@" >"$apt_dir/log" 2>&1 || {
        cat "$apt_dir/log" >&2
        return 1
    }
}

fetch_with_apt() {
    local mirror
    mirror=$(debian_mirror)
    [ -n "$mirror" ] && command -v apt-get >/dev/null || return 1
    apt_dir=$cache/apt
    mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial"
    cat >"$apt_dir/trixie.sources" <<SOURCES
Types: deb-src
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
    say "fetching MicroPython $DEBIAN_VERSION with apt"
    private_apt update || return 1
    (cd "$cache" && private_apt source --download-only "micropython=$DEBIAN_VERSION") || return 1
    rm -rf "$apt_dir" "$cache/micropython_$DEBIAN_VERSION".*
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
    git clone --quiet --depth 1 --branch "v$VERSION" "$UPSTREAM" "$1" >&2 || return 1
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
