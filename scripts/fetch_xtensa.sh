#!/usr/bin/env bash
# Unpack a compiler for the Xtensa cores of an ESP32, ESP32-S3, and print its folder.
#   --cached   prints the folder if an earlier run left it, else ends with status 1
#
# Debian 12 has none: its gcc-xtensa-lx106 knows neither register windows nor floats. Debian
# trixie has LLVM 22, which does, and a linker; 77 MB are fetched, 240 MB unpacked into
# ${TFLM_CACHE:-~/.cache/tflm}/xtensa-llvm-22. The programs run with trixie's libraries beside
# them, so the system stays as it is.
set -euo pipefail

LLVM=22
packages=(
    clang-$LLVM libclang-cpp$LLVM libclang-common-$LLVM-dev llvm-$LLVM libllvm$LLVM
    binutils-xtensa-lx106
    libc6 libgcc-s1 libstdc++6 zlib1g libzstd1 libxml2 liblzma5 libffi8 libtinfo6 libz3-4
    libedit2 libbsd0 libmd0
)
cache=${TFLM_CACHE:-$HOME/.cache/tflm}
folder=$cache/xtensa-llvm-$LLVM

say() { echo "$*" >&2; }

. "$(dirname "$0")/trixie.sh"

fetch() {  # packages -> the folder $1
    open_trixie || return 1
    say "fetching LLVM $LLVM for Xtensa with apt, 77 MB"
    (cd "$1" && trixie download "${packages[@]}") || {
        close_trixie
        return 1
    }
    close_trixie
}

# Unpack the packages in $1 to the folder $2, without programs and texts that nobody needs.
unpack() {
    local package llvm=$2/usr/lib/llvm-$LLVM
    for package in "$1"/*.deb; do
        dpkg-deb -x "$package" "$2"
    done
    mkdir "$2/bin"
    mv "$llvm/bin/"{clang,llc,llvm-mc} "$2/bin"
    mv "$2/usr/bin/xtensa-lx106-elf-ld" "$2/bin/ld"
    mkdir "$2/include"
    cp "$llvm/lib/clang/$LLVM/include/"{__std*,std*,limits,float,__float*}.h "$2/include"
    cp -L "$2"/usr/lib/*/ld-linux*.so.* "$2/bin/loader"
    rm -rf "$2/etc" "$2/usr/bin" "$2/usr/include" "$2/usr/share" "$2/usr/xtensa-lx106-elf" \
        "$2"/usr/lib/{clang,cmake,xtensa-lx106-elf} "$2"/usr/lib/*/gconv \
        "$llvm/bin" "$llvm/share" "$llvm/build" "$llvm/lib/clang"
    (cd "$1" && ls ./*.deb) >"$2/packages"
}

if [ ! -f "$folder/packages" ]; then
    [ "${1:-}" != --cached ] || exit 1
    mkdir -p "$cache"
    made=$folder.$$
    trap 'rm -rf "$made"' EXIT
    mkdir -p "$made/debs" "$made/kept"
    fetch "$made/debs" || {
        say "error: no Debian mirror with trixie: no compiler for Xtensa"
        exit 1
    }
    unpack "$made/debs" "$made/kept"
    mv -T "$made/kept" "$folder" 2>/dev/null || [ -f "$folder/packages" ]
fi
echo "$folder"
