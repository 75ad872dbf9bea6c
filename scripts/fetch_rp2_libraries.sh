#!/usr/bin/env bash
# Give MicroPython's source what its rp2 port needs of other projects:
#   fetch_rp2_libraries.sh SOURCE_DIR BOARD
#
# They go where a git checkout has them as submodules, SOURCE_DIR/lib. A user's checkout is never
# changed. Debian's source package of MicroPython has none; they come from packages of trixie,
# pinned by their sha256 and kept in the cache. Debian replaces mbedtls when a hole is found in it:
# where the pinned version is gone, the one of the same series that came in its place is taken, as
# apt has verified it. The radio driver of the W boards is in no package.
set -euo pipefail
source_dir=${1:?usage: fetch_rp2_libraries.sh SOURCE_DIR BOARD}
board=${2:?usage: fetch_rp2_libraries.sh SOURCE_DIR BOARD}

PICO_SDK_VERSION=2.1.1-1
TINYUSB_VERSION=0.18.0+dfsg-1
MBEDTLS_SERIES=3.6
MBEDTLS_VERSION=$MBEDTLS_SERIES.6
MBEDTLS_DEBIAN_VERSION=$MBEDTLS_VERSION-0.1~deb13u1
PICO_SDK=pico-sdk-source_${PICO_SDK_VERSION}_all.deb
TINYUSB=tinyusb-source_${TINYUSB_VERSION}_all.deb
MBEDTLS=mbedtls_$MBEDTLS_VERSION.orig.tar.bz2
SHA256="\
507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3  $PICO_SDK
01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e  $TINYUSB
8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a  $MBEDTLS"

cache=${TFLM_CACHE:-$HOME/.cache/tflm}
lib=$source_dir/lib

say() { echo "$*" >&2; }

. "$(dirname "$0")/trixie.sh"

needed=(pico-sdk tinyusb mbedtls)
case $board in
    *_W) needed+=(cyw43-driver lwip btstack micropython-lib) ;;
esac

missing=()
for name in "${needed[@]}"; do
    [ -n "$(ls -A "$lib/$name" 2>/dev/null)" ] || missing+=("lib/$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ -n "${MICROPYTHON_DIR:-}" ]; then
    say "error: $source_dir lacks ${missing[*]}: in it, run make -C ports/rp2 BOARD=$board submodules"
    exit 1
fi
if [ -d "$source_dir/.git" ]; then  # fetch_micropython.sh took upstream's tag
    say "fetching ${missing[*]} with git"
    git -C "$source_dir" submodule --quiet update --init --depth 1 "${missing[@]}" >&2
    exit
fi
case $board in
    *_W)
        say "error: the radio driver of $board is in no package: set MICROPYTHON_DIR to a git" \
            "checkout of MicroPython with submodules"
        exit 1
        ;;
esac

# The sum of each file named is the pinned one.
are_cached() {
    local sums
    sums=$(for file in "$@"; do grep " $file\$" <<<"$SHA256"; done)
    (cd "$cache" && sha256sum --check --status - <<<"$sums" 2>/dev/null)
}

# The tarball of mbedtls to take: the pinned one, or the newest of its series.
mbedtls_tarball() {
    if [ -f "$cache/$MBEDTLS" ]; then
        ! are_cached "$MBEDTLS" || echo "$cache/$MBEDTLS"
    else
        find "$cache" -maxdepth 1 -name "mbedtls_$MBEDTLS_SERIES.*.orig.tar.?z*" ! -name "*.asc" |
            sort -V | tail -n 1
    fi
}

have_all() {
    are_cached "$PICO_SDK" "$TINYUSB" && [ -n "$(mbedtls_tarball)" ]
}

fetch() {
    open_trixie || return 1
    say "fetching pico-sdk, tinyusb and mbedtls with apt"
    (
        cd "$cache"
        trixie download "pico-sdk-source=$PICO_SDK_VERSION" "tinyusb-source=$TINYUSB_VERSION" || exit
        trixie source --download-only "mbedtls=$MBEDTLS_DEBIAN_VERSION" && exit
        say "mbedtls $MBEDTLS_DEBIAN_VERSION is gone: taking what Debian has in its place"
        trixie source --download-only mbedtls
    ) || return 1
    close_trixie
    rm -f "$cache"/mbedtls_*.dsc "$cache"/mbedtls_*.debian.tar.*
}

exec 8>"$cache/rp2-libraries.lock"  # several builds may fetch at one time
flock 8 2>/dev/null || true
if ! have_all; then
    fetch || say "error: $PICO_SDK, $TINYUSB and mbedtls $MBEDTLS_DEBIAN_VERSION do not come with apt:" \
        "set MICROPYTHON_DIR to a git checkout of MicroPython with submodules"
    have_all || {
        say "error: $cache does not hold the files that this project was tested with"
        exit 1
    }
fi

unpacked=$cache/rp2-libraries.$$
trap 'rm -rf "$unpacked"' EXIT
mkdir -p "$unpacked/mbedtls" "$lib"
dpkg-deb -x "$cache/$PICO_SDK" "$unpacked"
dpkg-deb -x "$cache/$TINYUSB" "$unpacked"
tar -xf "$(mbedtls_tarball)" -C "$unpacked/mbedtls" --strip-components=1
touch "$unpacked/usr/src/pico-sdk/README.md"  # whose absence says "no submodule" to the makefile
# Each appears as a whole: a rename replaces the empty folder, and fails on one that is not.
for folder in usr/src/pico-sdk usr/src/tinyusb mbedtls; do
    name=$(basename "$folder")
    mv -T "$unpacked/$folder" "$lib/$name" 2>/dev/null || [ -n "$(ls -A "$lib/$name")" ]
done
