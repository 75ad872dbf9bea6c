#!/usr/bin/env bash
# Build MicroPython with tflm in it: build_firmware.sh TARGET
#   TARGET   a folder of boards/ (unix, unix-asan, MPS2_AN386, ...), or mpy-cross
# Result: build/TARGET/{firmware.elf,micropython,mpy-cross}. One build of a target runs at a time.
# A build folder made with other settings (source, flags, heap) is cleared first, because
# MicroPython's makefiles do not notice a change of flags.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
target=${1:?usage: build_firmware.sh TARGET}
board=$root/boards/$target
build=$root/build/$target
jobs=${JOBS:-2}

source_dir=$(scripts/fetch_micropython.sh)

# No manifest here takes anything from micropython-lib; the makefiles want its README.
mkdir -p "$build" "$root/build/no-micropython-lib"
touch "$root/build/no-micropython-lib/README.md"

exec 9>"$build.lock"
flock 9 2>/dev/null || true

if [ "$target" = mpy-cross ]; then
    directory=mpy-cross
    settings=(BUILD="$build")
elif [ -f "$board/mpconfigvariant.mk" ]; then
    directory=ports/unix
    settings=(BUILD="$build" VARIANT_DIR="$board")
elif [ -f "$board/mpconfigboard.mk" ]; then
    directory=ports/qemu
    settings=(BUILD="$build" BOARD="$target" BOARD_DIR="$board")
else
    echo "error: no target '$target' in boards/" >&2
    exit 2
fi

if [ "$target" != mpy-cross ]; then
    "$0" mpy-cross
    settings+=(
        USER_C_MODULES="$root/firmware"
        MPY_LIB_DIR="$root/build/no-micropython-lib"
        MICROPY_MPYCROSS="$root/build/mpy-cross/mpy-cross" MICROPY_MPYCROSS_DEPENDENCY=
    )
fi
[ -z "${HEAP:-}" ] || settings+=(MICROPY_HEAP_SIZE="$HEAP")

if [ "$target" = mpy-cross ]; then
    configuration=()
else
    configuration=(boards/common/*.{mk,h} "$board"/*.{mk,h} firmware/*/micropython.mk)
fi
fingerprint=$(
    {
        printf '%s\n' "$source_dir" "${settings[@]}"
        cat "${configuration[@]}" </dev/null 2>/dev/null || true
    } | sha256sum
)
if [ "$fingerprint" != "$(cat "$build/settings" 2>/dev/null)" ]; then
    rm -rf "$build"
    mkdir -p "$build"
    echo "$fingerprint" >"$build/settings"
fi

# build/TARGET/built is as old as the start of the last good build (tflm_host/build.py asks it).
touch "$build/started"
log=$build.log
if ! make -C "$source_dir/$directory" -j"$jobs" "${settings[@]}" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "error: $target does not build; the whole log is in build/$target.log" >&2
    exit 1
fi
mv "$build/started" "$build/built"
